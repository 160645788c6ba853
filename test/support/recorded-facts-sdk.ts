import { argumentsOf, type Facts, type FactUsage } from './recorded-answer.js';

type Json = Record<string, any>;

/** https://docs.anthropic.com/en/api/messages, …/messages-streaming */
export function anthropicAnswer(pieces: readonly Json[]): Facts {
  const whole = pieces.find(({ type }) => type === 'message');
  const blocks: Json[] = whole ? [...whole.content] : [];
  let usage: Json = whole?.usage ?? {};
  let stop: string | null = whole?.stop_reason ?? null;
  for (const piece of pieces) {
    const { type, index, delta } = piece;
    if (type === 'message_start') usage = { ...piece.message.usage };
    if (type === 'content_block_start') blocks[index] = { ...piece.content_block };
    if (type === 'content_block_delta') extend(blocks[index]!, delta);
    if (type !== 'message_delta') continue;
    stop = delta?.stop_reason ?? stop;
    const told = Object.entries(piece.usage ?? {}).filter(([, count]) => count !== null);
    usage = { ...usage, ...Object.fromEntries(told) };
  }
  const uses = blocks.filter(({ type }) => type === 'tool_use');
  return {
    text: joined(blocks, 'text'),
    refusal: '',
    thinking: joined(blocks, 'thinking'),
    calls: uses.map(({ id, name, input, json }) => ({
      id,
      name,
      input: json === undefined ? input : argumentsOf(json),
    })),
    stop,
    usage: anthropicUsage(usage),
    billed: billedUsage(usage),
    failed: pieces.some(({ type }) => type === 'error'),
    ended: whole !== undefined || pieces.some(({ type }) => type === 'message_stop'),
  };
}

function anthropicUsage(usage: Json): FactUsage | undefined {
  if (typeof usage.input_tokens !== 'number') return undefined;
  return {
    input: usage.input_tokens,
    output: usage.output_tokens ?? 0,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite: usage.cache_creation_input_tokens ?? 0,
  };
}

/** https://docs.anthropic.com/en/docs/build-with-claude/compaction: summaries are paid for beside. */
function billedUsage(usage: Json): FactUsage | undefined {
  const iterations = (usage.iterations ?? []) as Json[];
  const summaries = iterations.filter(({ type }) => type === 'compaction').map(anthropicUsage);
  const counts = [anthropicUsage(usage), ...summaries].filter((count) => count !== undefined);
  const sum = (field: keyof FactUsage) => counts.reduce((all, count) => all + count[field], 0);
  return counts.length === 0
    ? undefined
    : {
        input: sum('input'),
        output: sum('output'),
        cacheRead: sum('cacheRead'),
        cacheWrite: sum('cacheWrite'),
      };
}

function extend(block: Json, delta: Json): void {
  if (delta.type === 'text_delta') block.text = (block.text ?? '') + delta.text;
  if (delta.type === 'thinking_delta') block.thinking = (block.thinking ?? '') + delta.thinking;
  if (delta.type === 'input_json_delta') block.json = (block.json ?? '') + delta.partial_json;
}

function joined(blocks: readonly Json[], type: string): string {
  return blocks
    .filter((block) => block.type === type)
    .map((block) => block[type] as string)
    .join('');
}

/**
 * https://platform.openai.com/docs/api-reference/chat; thinking and usage where the makers of
 * compatible servers document them.
 */
export function openaiAnswer(pieces: readonly Json[], stops: unknown): Facts {
  const calls: Json[] = [];
  let [text, refusal, thinking, details, finish, choice]: any[] = ['', '', '', '', undefined, {}];
  let usage: Json | undefined;
  const isWhole = pieces.length === 1 && pieces[0]!.object !== 'chat.completion.chunk';
  for (const piece of pieces) {
    usage = piece.usage ?? piece.x_groq?.usage ?? piece.choices?.[0]?.usage ?? usage;
    for (const given of (piece.choices ?? []) as Json[]) {
      if ((given.index ?? 0) !== 0) continue;
      // Some send both, of which the one that fits is whole.
      const said = (isWhole ? given.message : given.delta) ?? given.message ?? given.delta ?? {};
      const parts: Json[] = Array.isArray(said.content) ? said.content : [];
      text += typeof said.content === 'string' ? said.content : '';
      text += parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      thinking += said.reasoning_content || said.reasoning || '';
      thinking += parts.map(thoughtIn).join('');
      refusal += said.refusal ?? '';
      details += (said.reasoning_details ?? [])
        .map((detail: Json) => detail.text ?? detail.summary ?? '')
        .join('');
      collect(calls, said, isWhole);
      if (given.finish_reason) [finish, choice] = [given.finish_reason, given];
    }
  }
  const isDone = pieces.some(({ done }) => done === true);
  const isSaid = text + refusal + thinking + details !== '' || calls.length > 0;
  const ended = isWhole || finish !== undefined || (isDone && isSaid);
  return {
    text,
    refusal,
    thinking: thinking === '' ? details : thinking,
    calls: calls.map(({ id, name, text: given }) => ({ id, name, input: argumentsOf(given) })),
    stop: openaiStop(finish ?? (isDone ? 'stop' : undefined), choice, { calls, stops }),
    usage: openaiUsage(usage),
    failed: pieces.some(isFailure),
    ended,
  };
}

function isFailure({ error, object, x_groq, choices }: Json): boolean {
  return Boolean(error ?? x_groq?.error ?? choices?.[0]?.error) || object === 'error';
}

/** https://docs.mistral.ai/capabilities/reasoning */
function thoughtIn({ type, thinking }: Json): string {
  if (type !== 'thinking') return '';
  return Array.isArray(thinking) ? thinking.map(({ text }: Json) => text).join('') : thinking;
}

/** Pieces of calls belong together by their index; some servers number them badly or not at all. */
function collect(calls: Json[], message: Json, isWhole: boolean): void {
  const isOld = message.function_call?.name || message.function_call?.arguments;
  const old = isOld ? [{ index: 0, function: message.function_call }] : [];
  for (const given of [...(message.tool_calls ?? []), ...old] as Json[]) {
    const { id, function: called } = given;
    const index = given.index ?? undefined;
    const known = index === undefined ? calls.at(-1) : calls.find((call) => call.index === index);
    const isNew = !known || isWhole || (id && known.id && id !== known.id && called?.name);
    const call = isNew || (index === undefined && called?.name) ? { index, text: '' } : known;
    if (call !== known) {
      // A number that is used again belongs to the newest.
      if (known) known.index = undefined;
      calls.push(call);
    }
    (call as Json).id ??= id || undefined;
    (call as Json).name ??= called?.name || undefined;
    const said = called?.arguments ?? '';
    call.text += typeof said === 'object' ? JSON.stringify(said) : said;
  }
}

function openaiStop(
  finish: unknown,
  { stop_reason: met, matched_stop: matched }: Json,
  { calls, stops }: { calls: readonly unknown[]; stops: unknown },
): string | null {
  if (['length', 'max_tokens', 'model_length'].includes(finish as string)) return 'max_tokens';
  if (['tool_calls', 'tool_use', 'function_call'].includes(finish as string)) return 'tool_use';
  if (!['stop', 'eos', 'eos_token', 'end_turn'].includes(finish as string)) return null;
  if (calls.length > 0) return 'tool_use';
  const sequences = [stops].flat().filter((text) => typeof text === 'string');
  return sequences.some((text) => text === met || text === matched) ? 'stop_sequence' : 'end_turn';
}

function openaiUsage(usage: Json | undefined): FactUsage | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
  if (!usage || !Number.isInteger(prompt) || !Number.isInteger(completion)) return undefined;
  const details = usage.prompt_tokens_details ?? usage.prompt_token_details ?? {};
  const cacheRead =
    details.cached_tokens ??
    usage.cached_tokens ??
    usage.num_cached_tokens ??
    usage.prompt_cache_hit_tokens ??
    usage.cache_read_input_tokens ??
    0;
  const cacheWrite = details.cache_write_tokens ?? usage.cache_creation_input_tokens ?? 0;
  const thought = usage.completion_tokens_details?.reasoning_tokens ?? usage.reasoning_tokens ?? 0;
  // xAI counts it beside the completion, all others inside.
  const isBeside = thought > 0 && usage.total_tokens === prompt + completion + thought;
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: isBeside ? completion + thought : completion,
    cacheRead,
    cacheWrite,
  };
}
