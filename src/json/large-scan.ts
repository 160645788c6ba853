import { type Bounds } from './bounds.js';
import { isEscaped, nextQuote } from './scan.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Why a scan stops: it has looked at enough for now; enough members have ended since the last cut; a
 * value was passed that is a long text; the innermost container was closed and had been cut; there
 * is more of something than there may be; the text has ended, or does not hold together.
 */
export type Stop = 'pause' | 'cut' | 'long-text' | 'closed' | keyof Bounds | 'end' | 'broken';

/** Passes through large JSON text, and keeps in mind where the containers and members begin. */
export class LargeScan {
  /** What stands before was passed. */
  at = 0;
  /** How many containers are open; the whole text counts as the one element of an array. */
  depth = 0;
  /**
   * Of each open container: whether it is an object, where its inside and its
   * member begin, and how many it has.
   */
  readonly isObject = [false];
  readonly starts = [0];
  readonly members = [0];
  private readonly counts = [0];
  /** Where the string that was passed last begins, behind its quote. */
  textStart = 0;
  /** Of each member of the outermost object: where it begins, its colon, and where it ends. */
  readonly outermost: { start: number; colon: number; end: number }[] = [];
  /** How many objects, arrays, members and texts in arrays were passed. */
  parts = 0;
  private isInText = false;
  private cutAt = 0;
  private colonAt = -1;
  private outermostColon = -1;

  /** @param step bytes that are looked at without a stop, and that members have between two cuts. */
  constructor(
    private readonly json: Buffer,
    private readonly most: Bounds,
    private readonly step: number,
  ) {}

  /** Goes on. @param cutDepth the depth of the innermost container that has been cut. */
  next(cutDepth: number): Stop {
    const { json, members, step } = this;
    const pauseAt = this.at + step;
    for (let at = this.at; at < json.length;) {
      if (at >= pauseAt) return this.stop('pause', at);
      if (this.isInText) {
        const end = nextQuote(json, at);
        if (end < 0) return 'broken';
        at = end + 1;
        if (isEscaped(json, end)) continue;
        this.isInText = false;
        if (!this.isObject[this.depth] && ++this.parts > this.most.parts) {
          return this.stop('parts', at);
        }
        if (at - this.textStart > step && this.isAtValue()) return this.cut('long-text', at);
        continue;
      }
      const byte = json[at++] ?? 0;
      if (byte === QUOTE) {
        this.textStart = at;
        this.isInText = true;
      } else if (byte === COMMA) {
        if (this.depth === 0) return 'broken';
        if (this.depth === 1) this.endOutermost(at - 1);
        members[this.depth] = at;
        if (at - this.cutAt > step) return this.cut('cut', at);
      } else if (byte >= COLON) {
        const stop = this.pass(byte, at, cutDepth);
        if (stop) return this.stop(stop, at);
      }
    }
    return this.depth === 0 && !this.isInText ? 'end' : 'broken';
  }

  private pass(byte: number, at: number, cutDepth: number): Stop | undefined {
    if (byte === COLON) {
      this.colonAt = at;
      if (this.depth === 1) this.outermostColon = at - 1;
      if (++this.parts > this.most.parts) return 'parts';
      const count = (this.counts[this.depth] ?? 0) + 1;
      this.counts[this.depth] = count;
      if (count > this.most.members) return 'members';
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++this.depth > this.most.depth) return 'depth';
      if (++this.parts > this.most.parts) return 'parts';
      this.isObject[this.depth] = byte === OPEN_BRACE;
      this.starts[this.depth] = at;
      this.members[this.depth] = at;
      this.counts[this.depth] = 0;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.depth === 0 || this.isObject[this.depth] !== (byte === CLOSE_BRACE)) return 'broken';
      if (this.depth === 1) this.endOutermost(at - 1);
      if (this.depth-- <= cutDepth) return 'closed';
    }
    return undefined;
  }

  private endOutermost(end: number): void {
    const [start = 0, colon] = [this.members[1], this.outermostColon];
    if (colon >= start) this.outermost.push({ start, colon, end });
  }

  private isAtValue(): boolean {
    return !this.isObject[this.depth] || this.colonAt > (this.members[this.depth] ?? 0);
  }

  private cut(stop: Stop, at: number): Stop {
    this.cutAt = at;
    return this.stop(stop, at);
  }

  private stop(stop: Stop, at: number): Stop {
    this.at = at;
    return stop;
  }
}
