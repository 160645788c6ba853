import { randomUUID } from 'node:crypto';
import { type Fields, isObject, listOf } from '../json/values.js';
import { frame, type SandboxCall, type SandboxEndpoint } from './answer.js';
import { Refusal } from './refusal.js';
import { contentText, type Draft, echo, type Reply, replyWith, toolCall } from './reply.js';
import { instanceOf } from './schema-instance.js';
import { countTokens, piecesOf } from './tokens.js';

const MOST_CHOICES = 128;

const FINISH_REASONS = {
  complete: 'stop',
  stopped: 'stop',
  length: 'length',
  tool: 'tool_calls',
} as const;

/** OpenAI's chat completions. https://platform.openai.com/docs/api-reference/chat */
export const chatCompletions: SandboxEndpoint = (call) => {
  const { body } = call;
  const choices = choicesOf(body);
  const length = body.max_completion_tokens ?? body.max_tokens;
  const reply = replyWith(draftFor(body), {
    maxTokens: [
      body.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens',
      length,
    ],
    stops: ['stop', body.stop],
    choices,
  });
  return body.stream === true
    ? { frames: framesOf(call, reply, choices) }
    : { json: completionOf(call, reply, choices) };
};

function draftFor(body: Fields): Draft {
  const tool = forcedTool(body);
  if (tool) return toolCall(String(tool.name), tool.parameters);
  const turns = turnsOf(body).filter(({ role }) => role === 'user' || role === 'tool');
  const text = contentText(turns.at(-1)?.content);
  const format = isObject(body.response_format) ? body.response_format : {};
  if (format.type === 'json_object') return { text: JSON.stringify({ echo: text }) };
  if (format.type !== 'json_schema') return { text: echo(text) };
  const { schema } = isObject(format.json_schema) ? format.json_schema : {};
  return { text: JSON.stringify(instanceOf(schema)) };
}

function forcedTool(body: Fields): Fields | undefined {
  const functions = listOf(body.tools)
    .filter(isObject)
    .map((tool) => tool.function)
    .filter(isObject);
  const choice = body.tool_choice;
  if (choice === 'required') return functions[0];
  if (!isObject(choice) || !isObject(choice.function)) return undefined;
  const { name } = choice.function;
  const tool = functions.find((known) => known.name === name);
  if (tool) return tool;
  throw new Refusal(400, `No tool is named '${String(name)}'.`, { param: 'tool_choice' });
}

function turnsOf(body: Fields): readonly Fields[] {
  if (Array.isArray(body.messages)) return body.messages.filter(isObject);
  throw new Refusal(400, "Missing required parameter: 'messages'.", {
    param: 'messages',
    code: 'missing_required_parameter',
  });
}

function choicesOf({ n }: Fields): number {
  if (n === undefined || n === null) return 1;
  if (typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= MOST_CHOICES) return n;
  throw new Refusal(400, `Invalid 'n': expected a whole number from 1 to ${MOST_CHOICES}.`, {
    param: 'n',
    code: 'invalid_value',
  });
}

function usageOf(body: Fields, reply: Reply, choices: number) {
  const prompt = countTokens(
    ...turnsOf(body).map((turn) => contentText(turn.content)),
    ...turnsOf(body).flatMap((turn) => listOf(turn.tool_calls).map((made) => JSON.stringify(made))),
    ...listOf(body.tools).map((tool) => JSON.stringify(tool)),
  );
  const completion = reply.tokens * choices;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function envelope({ body, created }: SandboxCall, object: string) {
  const id = `chatcmpl-${randomUUID().replaceAll('-', '')}`;
  return { id, object, created, model: body.model, system_fingerprint: null };
}

function callOf(name: string, text: string) {
  const id = `call_${randomUUID().replaceAll('-', '')}`;
  return { id, type: 'function', function: { name, arguments: text } };
}

function completionOf(call: SandboxCall, reply: Reply, choices: number) {
  const { tool, text } = reply;
  const choice = (index: number) => ({
    index,
    message: {
      role: 'assistant',
      content: tool === undefined ? text : null,
      refusal: null,
      ...(tool !== undefined && { tool_calls: [callOf(tool, text)] }),
    },
    logprobs: null,
    finish_reason: FINISH_REASONS[reply.end],
  });
  return {
    ...envelope(call, 'chat.completion'),
    choices: Array.from({ length: choices }, (_, index) => choice(index)),
    usage: usageOf(call.body, reply, choices),
  };
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
function* framesOf(call: SandboxCall, reply: Reply, choices: number): Generator<string> {
  const { tool, text } = reply;
  const options = call.body.stream_options;
  const wantsUsage = isObject(options) && options.include_usage === true;
  const base = envelope(call, 'chat.completion.chunk');
  const chunk = (index: number, delta: object, finish: string | null = null) =>
    frame({
      ...base,
      choices: [{ index, delta, logprobs: null, finish_reason: finish }],
      ...(wantsUsage && { usage: null }),
    });
  for (let index = 0; index < choices; index++) {
    const opening =
      tool === undefined
        ? { content: '' }
        : { content: null, tool_calls: [{ index: 0, ...callOf(tool, '') }] };
    yield chunk(index, { role: 'assistant', refusal: null, ...opening });
    for (const piece of piecesOf(text)) {
      yield chunk(
        index,
        tool === undefined
          ? { content: piece }
          : { tool_calls: [{ index: 0, function: { arguments: piece } }] },
      );
    }
    yield chunk(index, {}, FINISH_REASONS[reply.end]);
  }
  if (wantsUsage) yield frame({ ...base, choices: [], usage: usageOf(call.body, reply, choices) });
  yield 'data: [DONE]\n\n';
}
