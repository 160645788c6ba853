import { codePoints } from './code-points.js';

/** Why a text is not JSON, in the words of CPython 3.12's scanner. */
export interface JsonError {
  readonly message: string;
  /** In code points, as Python counts characters. */
  readonly offset: number;
}

/**
 * What CPython 3.12's `json.loads` reports for a text that `JSON.parse` has refused, found in steps;
 * undefined when it finds nothing wrong. `NaN` and the infinities, which Python would take, are no
 * values here. https://github.com/python/cpython/blob/3.12/Modules/_json.c
 */
export function* pythonJsonErrorSteps(text: string): Generator<void, JsonError | undefined> {
  const scanner = new Scanner(text);
  if (yield* scanner.document()) return undefined;
  yield;
  return { message: scanner.message, offset: codePoints(text, scanner.at) };
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// The scanner wants something behind the four digits, if only the closing quote.
/** A string in which nothing has to be looked at. */
const PLAIN_STRING = /"[^"\\\x00-\x1f]{0,4096}"/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4}(?=[^]))/y;

/** Characters that are read in one step. */
const STEP = 16_384;

type Steps = Generator<void, boolean>;

/** Each method moves `at` behind what it read, or to the place of the fault, and tells which. */
class Scanner {
  at = 0;
  message = '';
  private pauseAt = STEP;

  constructor(private readonly text: string) {}

  *document(): Steps {
    this.take(SPACE);
    if (!(yield* this.value())) return false;
    this.take(SPACE);
    return this.at === this.text.length || this.fault('Extra data');
  }

  private *value(): Steps {
    if (this.text[this.at] === '"') return yield* this.string();
    if (this.text[this.at] === '{') return yield* this.members('}', () => this.property());
    if (this.text[this.at] === '[') return yield* this.members(']', () => this.value());
    return this.take(SCALAR) || this.fault('Expecting value');
  }

  private *members(close: string, member: () => Steps): Steps {
    this.at++;
    this.take(SPACE);
    if (this.text[this.at] === close) return this.step();
    for (;;) {
      // Most elements say nothing more, and a generator for each would take most of the time.
      const isPlain = close === ']' && (this.take(SCALAR) || this.take(PLAIN_STRING));
      if (!isPlain && !(yield* member())) return false;
      if (this.isDue()) yield;
      this.take(SPACE);
      if (this.text[this.at] === close) return this.step();
      if (this.text[this.at] !== ',') return this.fault("Expecting ',' delimiter");
      this.at++;
      this.take(SPACE);
    }
  }

  private *property(): Steps {
    if (this.text[this.at] !== '"') {
      return this.fault('Expecting property name enclosed in double quotes');
    }
    if (!(yield* this.string())) return false;
    this.take(SPACE);
    if (this.text[this.at] !== ':') return this.fault("Expecting ':' delimiter");
    this.at++;
    this.take(SPACE);
    return yield* this.value();
  }

  private *string(): Steps {
    const open = this.at;
    for (this.at++; this.at < this.text.length;) {
      if (this.isDue()) yield;
      const unit = this.text.charCodeAt(this.at);
      if (unit === 0x22) return this.step();
      if (unit < 0x20) return this.fault('Invalid control character at');
      if (unit !== 0x5c) this.at++;
      else if (!this.take(ESCAPE)) return this.brokenEscape(open);
    }
    return this.fault('Unterminated string starting at', open);
  }

  private brokenEscape(open: number): boolean {
    const escaped = this.text[this.at + 1];
    if (escaped === undefined) return this.fault('Unterminated string starting at', open);
    if (escaped === 'u') return this.fault('Invalid \\uXXXX escape', this.at + 1);
    return this.fault('Invalid \\escape');
  }

  /** Whether a step has been made, after which another one begins. */
  private isDue(): boolean {
    if (this.at < this.pauseAt) return false;
    this.pauseAt = this.at + STEP;
    return true;
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private step(): boolean {
    this.at++;
    return true;
  }

  private fault(message: string, at = this.at): boolean {
    this.message = message;
    this.at = at;
    return false;
  }
}
