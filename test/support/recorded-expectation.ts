import { expect } from '@jest/globals';
import { type Operation, PRICES, type Recording } from './recorded-corpus.js';

type Json = Record<string, any>;

/** An event of a stream, its data parsed where it is JSON. */
export interface StreamedEvent {
  readonly name: string | undefined;
  readonly data: any;
}

/** How the gateway is asked for what was recorded. */
export function callOf({ op, request, ...recording }: Recording) {
  const asked = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    path: `/v3${PATHS[op]}`,
    body: { ...request.body, model: idOf(recording) },
    headers: Object.fromEntries(asked.filter(([name]) => /^anthropic-(beta|version)$/.test(name!))),
  };
}

/** What the provider must get: what was recorded, but for what the contract says. */
export function upstreamCallOf(recording: Recording) {
  const { op, provider, model, request } = recording;
  const given = Object.entries(request.body).filter(([, value]) => value !== null);
  const body: Json = { ...Object.fromEntries(given), model };
  if (op === 'messages') body.max_tokens ??= 1024;
  if (op === 'chat' && body.stream === true) {
    body.stream_options = { ...body.stream_options, include_usage: true };
  }
  if (op === 'images.generations' && model.startsWith('gpt-image-')) delete body.response_format;
  if (provider === 'openai') {
    const headers = { authorization: 'Bearer upstream-openai-key' };
    return { path: `/openai/v1${PATHS[op]}`, body, headers, absent: [] };
  }
  const { 'anthropic-beta': beta, ...version } = callOf(recording).headers;
  const headers = {
    'anthropic-version': '2023-06-01',
    ...version,
    ...(beta && { 'anthropic-beta': beta }),
    'x-api-key': 'upstream-anthropic-key',
  };
  const absent = ['authorization', ...(beta ? [] : ['anthropic-beta'])];
  return { path: `/anthropic${PATHS[op]}`, body, headers, absent };
}

/** The JSON answer that the caller must get. */
export function answerOf(recording: Recording): Json {
  const { op, provider, response } = recording;
  const { body } = response;
  if (op === 'count_tokens') return body;
  if (op !== 'images.generations') {
    return { ...body, model: idOf(recording), provider, cost: costOf(op, body.usage) };
  }
  const empty = { b64_json: null, url: null, revised_prompt: null };
  return {
    ...imageFacts(recording),
    usage: null,
    ...body,
    data: body.data.map((item: Json) => ({ ...empty, ...item })),
    provider,
    cost: expect.any(Number),
  };
}

/** The status and body of the error that the caller must get for a recorded one. */
export function refusalOf({ op, response }: Recording): { status: number; body: Json } {
  const status = STATUS_OF[response.status] ?? 502;
  const said = response.body.error.message as string;
  // What is wrong with the gateway's own key is nothing for the caller's eyes.
  const message = status === 502 ? expect.not.stringContaining(said) : said;
  const [openaiType, anthropicType] = TYPES_OF[status]!;
  const body = ['messages', 'count_tokens'].includes(op)
    ? { type: 'error', error: { type: anthropicType, message }, request_id: expect.any(String) }
    : {
        error: {
          type: openaiType,
          message,
          param: response.body.error.param ?? PARAM_OF[status] ?? null,
          code: expect.any(String),
        },
      };
  return { status, body };
}

/** The events that the caller of a stream must get, with usage for one who asked for it. */
export function eventsOf(recording: Recording, usage: 'as asked' | 'hidden'): StreamedEvent[] {
  const asked = recording.request.body.stream_options?.include_usage === true;
  const shown = usage === 'as asked' && asked ? 'shown' : 'hidden';
  const events = parsed(recording.response.sse ?? []);
  const model = idOf(recording);
  const bill = { provider: recording.provider, cost: costOf(recording.op, usageOf(events)) };
  return recording.op === 'messages'
    ? messageEvents(events, { model, bill })
    : chatEvents(events, { model, bill, usage: shown });
}

/** Whether a stream of chat chunks holds an error. */
export function failsInside({ op, response }: Recording): boolean {
  return op === 'chat' && parsed(response.sse ?? []).some(isError);
}

/** Events of the lines of an event stream; comments are left out. */
export function parsed(lines: readonly string[]): StreamedEvent[] {
  const frames = lines.join('\n').split(/\n\n+/);
  return frames.flatMap((frame) => {
    const field = (name: string) =>
      frame
        .split('\n')
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
    const data = field('data').join('\n');
    if (data === '') return [];
    return [{ name: field('event')[0], data: data === '[DONE]' ? data : JSON.parse(data) }];
  });
}

interface Added {
  readonly model: string;
  readonly bill: object;
}

function messageEvents(events: readonly StreamedEvent[], { model, bill }: Added): StreamedEvent[] {
  const lastDelta = events.findLast(({ data }) => data.type === 'message_delta');
  return events.map((event) => {
    const { data } = event;
    const name = data.type as string;
    if (event === lastDelta) return { name, data: { ...data, usage: { ...data.usage, ...bill } } };
    if (name !== 'message_start') return { name, data };
    return { name, data: { ...data, message: { ...data.message, model } } };
  });
}

/** The chunk that is nothing but usage comes last; an error is the end. */
function chatEvents(
  events: readonly StreamedEvent[],
  { model, bill, usage }: Added & { usage: 'shown' | 'hidden' },
): StreamedEvent[] {
  const isUsageOnly = ({ data }: StreamedEvent) => data.usage != null && !data.choices?.length;
  const error = events.findIndex(isError);
  const chunks = (error < 0 ? events : events.slice(0, error)).filter(
    ({ data }) => data !== '[DONE]',
  );
  const kept = chunks.filter((chunk) => !isUsageOnly(chunk));
  const shown = usage === 'shown' ? [...kept, ...chunks.filter(isUsageOnly)] : kept;
  const billed = shown.findLast(({ data }) => data.usage != null);
  const named = shown.map((chunk) => ({
    name: undefined,
    data: { ...chunk.data, model, ...(chunk === billed && bill) },
  }));
  return [...named, error < 0 ? { name: undefined, data: '[DONE]' } : events[error]!];
}

function isError({ data }: StreamedEvent): boolean {
  return data.error != null;
}

const STATUS_OF: Readonly<Record<number, number>> = { 400: 400, 404: 404, 422: 400, 429: 429 };

/** The types of an error, to clients of OpenAI and of Anthropic. */
const TYPES_OF: Readonly<Record<number, readonly [string, string]>> = {
  400: ['invalid_request_error', 'invalid_request_error'],
  404: ['invalid_request_error', 'not_found_error'],
  429: ['rate_limit_error', 'rate_limit_error'],
  502: ['upstream_error', 'api_error'],
};

/** The field that an error is always about. */
const PARAM_OF: Readonly<Record<number, string>> = { 404: 'model' };

const PATHS: Readonly<Record<Operation, string>> = {
  messages: '/v1/messages',
  count_tokens: '/v1/messages/count_tokens',
  chat: '/chat/completions',
  embeddings: '/embeddings',
  'images.generations': '/images/generations',
};

function idOf({ provider, model }: Pick<Recording, 'provider' | 'model'>): string {
  return `${provider}/${model}`;
}

/** Format and size where the provider does not say: of the PNG itself, else as asked for. */
function imageFacts({ request, response }: Recording): Json {
  const image = Buffer.from(response.body.data[0].b64_json ?? '', 'base64');
  const isPng = image.toString('latin1', 1, 4) === 'PNG';
  const drawn = isPng ? `${image.readUInt32BE(16)}x${image.readUInt32BE(20)}` : null;
  return { output_format: isPng ? 'png' : null, size: request.body.size ?? drawn };
}

/** The last word on each count; a later null takes nothing back. */
function usageOf(events: readonly StreamedEvent[]): Json | undefined {
  const usages = events.flatMap(({ data }) => data.message?.usage ?? data.usage ?? []);
  const counts = usages.flatMap((usage) =>
    Object.entries(usage).filter(([, count]) => count != null),
  );
  return counts.length > 0 ? Object.fromEntries(counts) : undefined;
}

/** What the recorded usage costs; without one the gateway counts, so any price will do. */
function costOf(op: Operation, usage: Json | undefined): unknown {
  if (!usage) return expect.any(Number);
  const cost = op === 'messages' ? anthropicCost(usage) : openaiCost(usage);
  return expect.closeTo(cost, 12);
}

function anthropicCost(usage: Json): number {
  // What Anthropic wrote to shorten the conversation is paid for beside the answer.
  // What the totals leave out. All models have the same price here, the advisor too.
  const further = ((usage.iterations ?? []) as Json[]).filter(({ type }) => {
    return type === 'compaction' || type === 'advisor_message';
  });
  return [usage, ...further].reduce((cost, counts) => cost + countedCost(counts), 0);
}

function countedCost(usage: Json): number {
  const written = usage.cache_creation_input_tokens ?? 0;
  const forAnHour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return (
    usage.input_tokens * PRICES.input_cost_per_token +
    usage.output_tokens * PRICES.output_cost_per_token +
    (usage.cache_read_input_tokens ?? 0) * PRICES.cache_read_input_token_cost +
    (written - forAnHour) * PRICES.cache_creation_input_token_cost +
    forAnHour * PRICES.cache_creation_1h_input_token_cost
  );
}

function openaiCost(usage: Json): number {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return (
    (usage.prompt_tokens - cached) * PRICES.input_cost_per_token +
    cached * PRICES.cache_read_input_token_cost +
    (usage.completion_tokens ?? 0) * PRICES.output_cost_per_token
  );
}
