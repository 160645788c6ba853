/** JSON's own space; there is no other. */
const BLANK = /^[ \t\n\r]*$/;
const COMMA = /^[ \t\n\r]*,/;

/** The value of an array or an object whose text is parsed piece by piece. Methods throw SyntaxError. */
export class PartialValue {
  private readonly elements: (readonly unknown[])[] = [];
  private readonly object: Record<string, unknown> = {};
  /** What stands before has been parsed. */
  private parsedTo: number;
  /** Whether what is there last was put, so that a comma comes next if anything does. */
  private isPut = false;

  /** @param start behind the opening bracket. */
  constructor(
    private readonly json: Buffer,
    readonly start: number,
    private readonly isObject: boolean,
  ) {
    this.parsedTo = start;
  }

  /** Parses the members before `end`, which is behind the comma of the last of them. */
  parseTo(end: number): void {
    if (end <= this.parsedTo) return;
    this.take(this.text(end - 1));
    this.parsedTo = end;
  }

  /** Adds a value that was made elsewhere, as the member that begins behind what has been parsed. */
  put(value: unknown, { start, end }: { start: number; end: number }): void {
    const key = this.text(start);
    if (this.isPut) throw new SyntaxError('Two values');
    this.isPut = true;
    this.parsedTo = end;
    if (this.isObject) this.assign(JSON.parse(`{${key}null}`) as object, () => value);
    else if (BLANK.test(key)) this.elements.push([value]);
    else throw new SyntaxError('A value before a value');
  }

  /** Parses the rest; the closing bracket is at `end`. @returns the whole value. */
  close(end: number): unknown[] | object {
    const rest = this.text(end);
    const isEmpty = this.parsedTo === this.start && BLANK.test(rest);
    if (!isEmpty) this.take(rest);
    return this.isObject ? this.object : ([] as unknown[]).concat(...this.elements);
  }

  /** Parses what stands before a comma or the closing bracket. */
  private take(text: string): void {
    let members = text;
    if (this.isPut) {
      this.isPut = false;
      if (BLANK.test(text)) return;
      const [comma] = COMMA.exec(text) ?? [];
      if (comma === undefined) throw new SyntaxError('Two values');
      members = text.slice(comma.length);
    }
    if (BLANK.test(members)) throw new SyntaxError('No value');
    if (this.isObject) {
      const parsed = JSON.parse(`{${members}}`) as Record<string, unknown>;
      this.assign(parsed, (key) => parsed[key]);
    } else this.elements.push(JSON.parse(`[${members}]`) as unknown[]);
  }

  private assign(members: object, valueOf: (key: string) => unknown): void {
    for (const key of Object.keys(members)) {
      // A key that means something to JavaScript is one like any other.
      if (key === '__proto__')
        Object.defineProperty(this.object, key, { ...OWN, value: valueOf(key) });
      else this.object[key] = valueOf(key);
    }
  }

  private text(end: number): string {
    return this.json.toString('utf8', this.parsedTo, end);
  }
}

const OWN = { configurable: true, enumerable: true, writable: true } as const;
