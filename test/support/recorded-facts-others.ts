import { argumentsOf, type Facts } from './recorded-answer.js';

type Json = Record<string, any>;

/** https://ai.google.dev/api/generate-content */
export function geminiAnswer(pieces: readonly Json[]): Facts {
  const first = pieces.map(({ candidates }) => (candidates ?? []).find(isFirst)).filter(Boolean);
  const parts: Json[] = first.flatMap(({ content }) => content?.parts ?? []);
  const said = parts.filter(({ text }) => text !== undefined);
  const calls: Json[] = [];
  for (const { functionCall: call } of parts) {
    if (call?.name) calls.push({ ...call, args: call.args ?? {} });
    for (const piece of call?.partialArgs ?? []) place(calls.at(-1)!.args, piece);
  }
  const finish = first.map(({ finishReason }) => finishReason).findLast(Boolean);
  const usage: Json = Object.assign({}, ...pieces.map(({ usageMetadata }) => usageMetadata));
  const cacheRead = usage.cachedContentTokenCount ?? 0;
  const isBlocked = pieces.some(({ promptFeedback }) => promptFeedback?.blockReason);
  return {
    text: said.map(({ text, thought }) => (thought ? '' : text)).join(''),
    refusal: '',
    thinking: said.map(({ text, thought }) => (thought ? text : '')).join(''),
    calls: calls.map(({ id, name, args }) => ({ id, name, input: args })),
    stop: geminiStop(finish, calls.length),
    usage:
      usage.promptTokenCount === undefined
        ? undefined
        : {
            input: usage.promptTokenCount - cacheRead + (usage.toolUsePromptTokenCount ?? 0),
            output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
            cacheRead,
            cacheWrite: 0,
          },
    failed: pieces.some(({ error }) => error !== undefined),
    ended: finish !== undefined || isBlocked,
  };
}

function isFirst({ index = 0 }: Json): boolean {
  return index === 0;
}

/** A piece of an argument, addressed by its path; texts come in instalments. */
function place(args: Json, { jsonPath, ...value }: Json): void {
  const keys = jsonPath.split('.').slice(1) as string[];
  const last = keys.pop()!;
  const object = keys.reduce((inner, key) => (inner[key] ??= {}), args);
  const { stringValue, numberValue, boolValue } = value;
  object[last] =
    stringValue === undefined
      ? (numberValue ?? boolValue ?? null)
      : (object[last] ?? '') + stringValue;
}

function geminiStop(finish: unknown, calls: number): string | null {
  if (finish === 'STOP') return calls > 0 ? 'tool_use' : 'end_turn';
  return finish === 'MAX_TOKENS' ? 'max_tokens' : null;
}

/** https://docs.cohere.com/reference/chat, …/chat-stream; a plan before calls is thinking here. */
export function cohereAnswer(pieces: readonly Json[]): Facts {
  const [whole] = pieces;
  const calls: Json[] = [...(whole?.message?.tool_calls ?? [])];
  const content: Json[] = whole?.message?.content ?? [];
  let text = content.map((part) => part.text ?? '').join('');
  let thinking = content.map((part) => part.thinking ?? '').join('');
  let plan = whole?.message?.tool_plan ?? '';
  for (const { type, index, delta } of pieces) {
    const { content: said, tool_plan: planned, tool_calls: called } = delta?.message ?? {};
    text += said?.text ?? '';
    thinking += said?.thinking ?? '';
    plan += planned ?? '';
    if (type === 'tool-call-start') calls[index] = { ...called, function: { ...called.function } };
    if (type === 'tool-call-delta') calls[index]!.function.arguments += called.function.arguments;
  }
  const end = pieces.find(({ type }) => type === 'message-end')?.delta ?? whole;
  const { billed_units: billed, tokens } = end?.usage ?? {};
  const counts = billed?.input_tokens === undefined ? tokens : billed;
  return {
    text,
    refusal: '',
    thinking: thinking + plan,
    calls: calls.map(({ id, function: called }) => ({
      id,
      name: called.name,
      input: argumentsOf(called.arguments),
    })),
    stop: cohereStop(end?.finish_reason, calls.length),
    usage:
      counts?.input_tokens === undefined
        ? undefined
        : {
            input: counts.input_tokens,
            output: counts.output_tokens,
            cacheRead: 0,
            cacheWrite: 0,
          },
    failed: end?.error !== undefined || typeof whole?.message === 'string',
    ended: end?.finish_reason !== undefined,
  };
}

function cohereStop(finish: unknown, calls: number): string | null {
  switch (finish) {
    case 'COMPLETE':
      return calls > 0 ? 'tool_use' : 'end_turn';
    case 'TOOL_CALL':
      return 'tool_use';
    case 'MAX_TOKENS':
    case 'STOP_SEQUENCE':
      return finish.toLowerCase();
    default:
      return null;
  }
}

/** https://docs.ollama.com/api/chat */
export function ollamaAnswer(pieces: readonly Json[]): Facts {
  const messages: Json[] = pieces.map(({ message }) => message ?? {});
  const calls: Json[] = messages.flatMap(({ tool_calls: called }) => called ?? []);
  const end = pieces.find(({ done }) => done === true);
  const { done_reason: reason = 'stop', eval_count: output, prompt_eval_count: input } = end ?? {};
  const stopped = calls.length > 0 ? 'tool_use' : 'end_turn';
  return {
    text: messages.map(({ content }) => content ?? '').join(''),
    refusal: '',
    thinking: messages.map(({ thinking }) => thinking ?? '').join(''),
    calls: calls.map(({ id, function: called }) => ({
      id,
      name: called.name,
      input: called.arguments,
    })),
    stop: reason === 'stop' ? stopped : reason === 'length' ? 'max_tokens' : null,
    usage:
      output === undefined ? undefined : { input: input ?? 0, output, cacheRead: 0, cacheWrite: 0 },
    failed: pieces.some(({ error }) => error !== undefined),
    ended: end !== undefined,
  };
}
