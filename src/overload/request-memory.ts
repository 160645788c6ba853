import { type GatewayRequest, type MemoryLease } from '../http/gateway-request.js';
import { type MemoryBudget } from './memory-budget.service.js';
import { shed } from './shed.js';

/** Sockets, the call and what a stream keeps, whatever the length of the body. */
const CALL_BYTES = 64 * 1024;
/**
 * What a byte of JSON takes at the worst moment: itself, its text, the parsed strings, and what is
 * sent to the provider.
 */
const BYTES_PER_BODY_BYTE = 4;
/**
 * What an object, an array or a member takes, which may be three bytes of the text (`{},`): 64 as an
 * object in an array, and up to a hundred where names are all different.
 */
const BYTES_PER_PART = 64;
/** Once as it came in and once joined or parsed. */
const BYTES_PER_ANSWER_BYTE = 2;
/** As it came in, as events and as it goes out. */
const BYTES_PER_WAITING_BYTE = 3;
/** What comes in behind that until the provider's connection is paused. */
const PAUSED_BYTES = 192 * 1024;
/** Files of a form lie on the disk; this is what passes through. */
const MOST_FORM_BYTES = 8 * 1024 * 1024;
/** A body of unknown length takes memory in such steps. */
const STEP_BYTES = 256 * 1024;

/** The memory of one request. */
export class RequestMemory implements MemoryLease {
  private held = 0;
  private forCall = CALL_BYTES;
  private waiting = 0;
  /** What was set aside for an answer, and has not come in yet. */
  private foreseen = 0;
  /** Who needs it: the request until it is answered, and what outlives that. */
  private users = 1;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly request: GatewayRequest,
    private readonly account: string,
  ) {}

  /**
   * Takes what the request's headers say that it will need.
   *
   * @throws GatewayError 503 when there is no room.
   */
  begin(mostBodyBytes: number): void {
    const { headers } = this.request;
    const declared = Number(headers['content-length'] ?? 0);
    if (/^multipart\//i.test(headers['content-type'] ?? '')) {
      // Of one that comes in chunks nobody knows the length.
      const isChunked = headers['transfer-encoding'] !== undefined;
      this.grow(CALL_BYTES + (isChunked ? MOST_FORM_BYTES : Math.min(declared, MOST_FORM_BYTES)));
      return;
    }
    // A longer one is refused for its length.
    const length = declared <= mostBodyBytes ? declared : 0;
    this.grow(CALL_BYTES + length * BYTES_PER_BODY_BYTE);
  }

  forBody(bytes: number): void {
    const needed = this.forCall + bytes * BYTES_PER_BODY_BYTE;
    if (needed > this.held) this.grow(Math.ceil(needed / STEP_BYTES) * STEP_BYTES);
  }

  forParts(bytes: number, parts: number): void {
    const needed = this.forCall + bytes + parts * BYTES_PER_PART;
    if (needed > this.held) this.grow(needed);
  }

  foreseeAnswer(bytes: number): void {
    const more = Math.min(bytes * BYTES_PER_ANSWER_BYTE, this.budget.mostForeseen);
    this.grow(this.held + more);
    this.forCall += more;
    this.foreseen += more;
  }

  forAnswer(bytes: number): void {
    if (this.isOver) return;
    const needed = bytes * BYTES_PER_ANSWER_BYTE;
    const isThere = Math.min(needed, this.foreseen);
    this.foreseen -= isThere;
    this.count(needed - isThere);
  }

  forReader(bytes: number): void {
    const waiting = bytes > 0 ? bytes * BYTES_PER_WAITING_BYTE + PAUSED_BYTES : 0;
    this.count(waiting - this.waiting);
    this.waiting = waiting;
  }

  outlive(): () => void {
    if (this.isOver) this.budget.add(this.account, this.held);
    this.users += 1;
    return () => {
      this.end();
    };
  }

  /**
   * Gives everything back, unless something outlives the request. What comes in after that is not
   * counted any more: nobody would give it back.
   */
  end(): void {
    this.users -= 1;
    if (this.isOver) this.budget.giveBack(this.account, this.held);
  }

  private get isOver(): boolean {
    return this.users === 0;
  }

  private count(more: number): void {
    if (!this.isOver) this.budget.add(this.account, more);
    this.held += more;
    this.forCall += more;
  }

  private grow(to: number): void {
    if (this.isOver) return;
    const more = to - this.held;
    if (!this.budget.take(this.account, more, this.held)) throw shed(this.request, 'memory');
    this.held = to;
  }
}
