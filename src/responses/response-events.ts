import {
  endedBy,
  type NeutralBlock,
  NOT_ENDED,
  thinkingTokens,
  wasRefused,
} from '../contract/neutral.js';
import { type SurfaceCall, type SurfaceWriter } from '../dispatch/surface.js';
import { failedResponse, responseEvent } from '../http/response-failure.js';
import { spliceInside } from '../json/splice.js';
import { type Fields, membersOf, parsedObject, textOf } from '../json/values.js';
import { responsesUsageOf } from '../providers/dialects/responses/responses-usage.js';
import { OutputItems } from './output-items.js';
import { responseBegun } from './response-object.js';

type Bill = Parameters<SurfaceWriter['closing']>[0];
type NeutralEvent = Parameters<SurfaceWriter['write']>[0];

/**
 * Writes the events of a message as those of a response, numbered from 0; the last one holds the
 * whole response with its usage, its cost and its provider.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ResponseEvents implements SurfaceWriter {
  readonly repeats = true;
  private readonly begun: Fields;
  private readonly output: OutputItems;
  private pieces: string[] = [];
  private sequence = 0;
  private end = NOT_ENDED;
  private thinking: number | undefined;

  constructor(call: SurfaceCall) {
    this.begun = responseBegun(call);
    this.output = new OutputItems(call, (type, fields) => {
      this.emit(type, fields);
    });
  }

  write({ data }: NeutralEvent): Buffer | undefined {
    const event = parsedObject(data) as WireEvent | undefined;
    if (event) this.take(event);
    return this.taken();
  }

  closing({ cost, provider, usage }: Bill): Buffer {
    const ending = this.output.finish(this.end);
    const before = this.taken();
    const { done: output } = this.output;
    const counts = responsesUsageOf(usage, this.thinking);
    const response = { ...this.begun, ...ending, output, usage: counts };
    const type = `response.${ending.status}`;
    const text = JSON.stringify({ type, response, sequence_number: this.sequence++ });
    const bill = new Map([
      ['cost', cost],
      ['provider', JSON.stringify(provider)],
    ]);
    const pieces = spliceInside(Buffer.from(text), 'response', bill) ?? [Buffer.from(text)];
    const head = Buffer.from(`event: ${type}\ndata: `);
    return Buffer.concat([before ?? NOTHING, head, ...pieces, Buffer.from('\n\n')]);
  }

  private take(event: WireEvent): void {
    const { output } = this;
    switch (event.type) {
      case 'message_start':
        this.emit('response.created', { response: this.begun });
        this.emit('response.in_progress', { response: this.begun });
        break;
      case 'content_block_start':
        if (event.content_block) output.begin(event.content_block);
        break;
      case 'content_block_delta':
        if (event.delta) output.add(event.delta);
        break;
      case 'content_block_stop':
        output.endBlock();
        break;
      case 'message_delta':
        this.end = endedBy(event.delta, this.end);
        this.thinking = thinkingTokens(event.usage) ?? this.thinking;
        if (this.end.stop_reason !== null || wasRefused(this.end)) this.output.finish(this.end);
        break;
      case 'error':
        this.pieces.push(failedResponse(failureOf(event.error), this.failed()));
        break;
    }
  }

  private failed() {
    const response = { ...this.begun, output: this.output.done };
    return { response, sequence: this.sequence };
  }

  private emit(type: string, fields: object): void {
    this.pieces.push(responseEvent(type, { ...fields, sequence_number: this.sequence++ }));
  }

  private taken(): Buffer | undefined {
    if (this.pieces.length === 0) return undefined;
    const buffer = Buffer.from(this.pieces.join(''));
    this.pieces = [];
    return buffer;
  }
}

const NOTHING = Buffer.alloc(0);

interface WireEvent {
  readonly type?: unknown;
  readonly content_block?: NeutralBlock;
  readonly delta?: Fields;
  readonly usage?: unknown;
  readonly error?: unknown;
}

/** OpenAI's code for Anthropic's type of an error. */
function failureOf(error: unknown) {
  const { type, message } = membersOf(error);
  const code = CODES.get(type) ?? 'server_error';
  return { type: code, code, message: textOf(message) || 'The provider broke off.', param: null };
}

/** The codes that clients know: Codex waits and tries again after `rate_limit_exceeded`. */
const CODES: ReadonlyMap<unknown, string> = new Map([
  ['invalid_request_error', 'invalid_prompt'],
  ['request_too_large', 'invalid_prompt'],
  ['rate_limit_error', 'rate_limit_exceeded'],
]);
