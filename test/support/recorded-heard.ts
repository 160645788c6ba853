import { type Facts } from './recorded-answer.js';
import { type StreamedEvent } from './recorded-expectation.js';
import { anthropicAnswer, openaiAnswer } from './recorded-facts-sdk.js';

type Json = Record<string, any>;

/** What a caller of the Messages API got: the facts of it, its usage and its bill. */
export interface Heard {
  readonly facts: Facts;
  readonly model: unknown;
  /** Where cost and provider stand. */
  readonly bill: Json;
  /** As chat completions name it. */
  readonly finish?: unknown;
  readonly usage?: Json;
}

/** @throws Error for events that Anthropic's SDKs do not take. */
export function heardMessages(answer: Json | readonly StreamedEvent[]): Heard {
  if (!isEvents(answer)) {
    return { facts: anthropicAnswer([answer]), model: answer.model, bill: answer };
  }
  const events = answer.map(({ data }) => data as Json).filter(({ type }) => type !== 'ping');
  lawfulMessage(answer.filter(({ data }) => data.type !== 'ping'));
  const end = events.findLast(({ type }) => type === 'message_delta');
  const model = events[0]?.message?.model;
  return { facts: anthropicAnswer(events), model, bill: end?.usage ?? {} };
}

/** @throws Error for chunks that OpenAI's SDKs do not take. */
export function heardChat(answer: Json | readonly StreamedEvent[]): Heard {
  if (!isEvents(answer)) {
    const facts = openaiAnswer([answer], undefined);
    const finish = answer.choices[0].finish_reason;
    return { facts, model: answer.model, bill: answer, finish, usage: answer.usage };
  }
  const ended = answer.at(-1)?.data === '[DONE]';
  const chunks = answer.map(({ data }) => data as Json).slice(0, ended ? -1 : undefined);
  const failed = chunks.at(-1)?.error !== undefined;
  lawful(ended !== failed, 'a stream ends in [DONE] or in an error');
  const facts = openaiAnswer(chunks, undefined);
  const told = chunks.findLast(({ usage }) => usage);
  const last = chunks.findLast(({ choices }) => choices?.[0]?.finish_reason);
  const model = chunks[0]?.model;
  const finish = last?.choices[0].finish_reason;
  return { facts, model, bill: told ?? {}, finish, usage: told?.usage };
}

function isEvents(answer: Json | readonly StreamedEvent[]): answer is readonly StreamedEvent[] {
  return Array.isArray(answer);
}

function lawfulMessage(events: readonly StreamedEvent[]): void {
  let open: number | undefined;
  let next = 0;
  let last = '';
  for (const { name, data } of events) {
    lawful(name === data.type, `event ${name} has type ${data.type}`);
    lawful((name === 'message_start') === (last === ''), `${name} behind ${last}`);
    if (name === 'content_block_start') {
      lawful(open === undefined && data.index === next, `block ${data.index} is out of order`);
      open = next++;
    }
    if (name === 'content_block_delta' || name === 'content_block_stop') {
      lawful(data.index === open, `${name} for a block that is not open`);
    }
    if (name === 'content_block_stop') open = undefined;
    lawful(
      !/message_(delta|stop)/.test(name!) || open === undefined,
      'the message ends in a block',
    );
    last = name!;
  }
  lawful(last === 'message_stop' || last === 'error', `the stream ends with ${last}`);
}

function lawful(isLawful: boolean, problem: string): void {
  if (!isLawful) throw new Error(problem);
}
