import { open, stat } from 'node:fs/promises';
import { type SettlementEntry } from './entries.js';

/** Writes a text behind a file; false when the file was taken away before the text was safe in it. */
export async function appendDurably(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(text);
    await file.sync();
    const [written, there] = await Promise.all([
      file.stat({ bigint: true }),
      stat(path, { bigint: true }).catch(() => undefined),
    ]);
    return there?.ino === written.ino;
  } finally {
    await file.close();
  }
}

/** What an entry is in the file: a line of its own, whatever was torn off before it. */
export function lineOf(entry: SettlementEntry): string {
  const text = JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return `\n${text}\n`;
}

/** The entries of a file, some at a time; none of one that is gone. */
export async function* entriesIn(path: string): AsyncGenerator<readonly SettlementEntry[]> {
  const file = await open(path).catch(unlessGone);
  try {
    let some: SettlementEntry[] = [];
    for await (const line of file?.readLines() ?? []) {
      some.push(...entriesOf(line));
      if (some.length < AT_ONCE) continue;
      yield some;
      some = [];
    }
    yield some;
  } finally {
    await file?.close();
  }
}

/** Entries of 20 kB are 4 MB, and a database that was away for long has left a hundred thousand. */
const AT_ONCE = 200;

/** @throws what was thrown, but for a file that is not there. */
export function unlessGone(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
}

/** The entry in a line; none in one that is empty or torn. */
function entriesOf(line: string): readonly SettlementEntry[] {
  if (line === '') return [];
  try {
    return [
      JSON.parse(line, (key, value: unknown) =>
        key.endsWith('_units') ? BigInt(value as string) : value,
      ) as SettlementEntry,
    ];
  } catch {
    return [];
  }
}
