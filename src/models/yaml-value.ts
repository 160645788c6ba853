import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { isObject } from '../json/values.js';

/** Uses of anchors; a nested "bomb" needs far more, a list that shares prices far fewer. */
const MOST_ALIASES = 10_000;

const SECOND_DOCUMENT = 'a second document begins here, and only one is read';

type Path = readonly (string | number)[];

/**
 * A value of a YAML text together with where it stands. What is wrong is noted by path and line and
 * read as absent, so that one reading finds every problem.
 */
export class YamlValue {
  private constructor(
    private readonly value: unknown,
    private readonly path: Path,
    private readonly note: (path: Path, message: string) => void,
  ) {}

  /** The whole text. Problems, also those of later readings, are added to `problems` under `name`. */
  static parse(text: string, name: string, problems: string[]): YamlValue {
    const lines = new LineCounter();
    const nothing = new YamlValue(undefined, [], () => undefined);
    try {
      const options = { lineCounter: lines, prettyErrors: false, merge: true };
      const document = parseDocument(text, options);
      const faults = [...document.errors, ...document.warnings];
      for (const { code, message, pos } of faults) {
        // The parser's own words tell its caller which function to call.
        const told = code === 'MULTIPLE_DOCS' ? SECOND_DOCUMENT : message;
        problems.push(`${name} line ${lines.linePos(pos[0]).line}: ${told}`);
      }
      if (faults.length > 0) return nothing;
      const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
      const root = document.contents as Node | null;
      return new YamlValue(value, [], (path, message) => {
        const line = lineOf(root, path, (node) => lines.linePos(node.range?.[0] ?? 0).line);
        const place = path.length === 0 ? 'the file' : path.map(keyText).join('.');
        problems.push(`${name} line ${line}: ${place} ${message}`);
      });
    } catch (error) {
      // Too many aliases, or nested deeper than the stack.
      problems.push(`${name}: ${error instanceof Error ? error.message : 'cannot be read'}`);
      return nothing;
    }
  }

  /** A value that is no file's; problems are added under their path alone. */
  static of(value: unknown, problems: string[]): YamlValue {
    return new YamlValue(value, [], (path, message) => {
      problems.push(`${path.map(keyText).join('.')} ${message}`.trimStart());
    });
  }

  get absent(): boolean {
    return this.value === undefined || this.value === null;
  }

  get isMap(): boolean {
    return isObject(this.value);
  }

  /** What stands here, whatever it is. */
  get written(): unknown {
    return this.value;
  }

  /** Notes what is wrong here. */
  problem(message: string): void {
    this.note(this.path, message);
  }

  /** The member of that name, absent or not. */
  at(key: string): YamlValue {
    return this.child(key, isObject(this.value) ? this.value[key] : undefined);
  }

  /** Notes every member that is not one of `known`. */
  only(known: readonly string[]): this {
    for (const [key, member] of this.members()) {
      if (!known.includes(key)) member.problem(`is not a known key (${known.join(', ')})`);
    }
    return this;
  }

  members(): [string, YamlValue][] {
    const record = this.read('a map', (value) => (isObject(value) ? value : undefined)) ?? {};
    return Object.entries(record).map(([key, value]) => [key, this.child(key, value)]);
  }

  /** The list's items; an empty one (`- `) is noted and left out. */
  items(): YamlValue[] | undefined {
    const items = this.read('a list', (value) =>
      Array.isArray(value) ? value.map((item, index) => this.child(index, item)) : undefined,
    );
    return items?.filter((item) => {
      if (item.absent) item.problem('must not be empty');
      return !item.absent;
    });
  }

  text(): string | undefined {
    return this.read('a text', (value) => (typeof value === 'string' ? value : undefined));
  }

  flag(): boolean | undefined {
    return this.read('true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  number(): number | undefined {
    return this.read('a number, 0 or more', (value) =>
      typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined,
    );
  }

  positive(): number | undefined {
    return this.read('a number, more than 0', (value) =>
      typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined,
    );
  }

  whole(least: number): number | undefined {
    return this.read(`a whole number, ${least} or more`, (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= least
        ? value
        : undefined,
    );
  }

  oneOf<T extends string>(values: readonly T[]): T | undefined {
    return this.read(`one of ${values.join(', ')}`, (value) =>
      values.find((candidate) => candidate === value),
    );
  }

  private read<T>(what: string, take: (value: unknown) => T | undefined): T | undefined {
    if (this.absent) return undefined;
    const taken = take(this.value);
    if (taken === undefined) this.problem(`must be ${what}`);
    return taken;
  }

  private child(key: string | number, value: unknown): YamlValue {
    return new YamlValue(value, [...this.path, key], this.note);
  }
}

/** The line of the deepest part of the path that the text has. */
function lineOf(root: Node | null, path: Path, lineAt: (node: Node) => number): number {
  let node: unknown = root;
  let line = 1;
  for (const key of path) {
    // Inside an anchor's use, the use is what the reader has to look at.
    if (isAlias(node)) break;
    const found = isMap(node)
      ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
      : isSeq(node)
        ? { key: node.items[Number(key)], value: node.items[Number(key)] }
        : undefined;
    if (!found) break;
    line = lineAt(found.key as Node);
    node = found.value;
  }
  return line;
}

function keyText(key: string | number): string {
  return /^[\x20-\x7e]+$/.test(String(key)) ? String(key) : JSON.stringify(key);
}
