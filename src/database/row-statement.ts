import { CompiledQuery, type Kysely } from 'kysely';
import { isSqlite } from './is-sqlite.js';
import { bindable } from './column-values.js';
import { type Tables } from './tables.js';

/** What a column of the rows holds, in the words of PostgreSQL, which has to be told. */
export type ColumnType = 'text' | 'bigint';

/** The rows inside a statement. */
export interface RowSource {
  /** A list of values, or a query: what may follow `insert into …` and stand in `with … as ()`. */
  readonly rows: string;
  /** The condition that a column is one of the rows' first values, without the column. */
  readonly oneOf: string;
}

/**
 * One statement over any number of rows. Its text is made once, and not once for each number of
 * rows, so that neither engine has to read it again and again.
 */
export class RowStatement<Row extends object, Result = unknown> {
  private readonly columns: readonly (readonly [keyof Row, ColumnType])[];
  private readonly sqliteTexts = new Map<number, string>();
  private readonly postgresText: string;

  /** @param columns what a row is made of, in the order of the source's columns. */
  constructor(
    columns: { readonly [Column in keyof Row]-?: ColumnType },
    private readonly text: (source: RowSource) => string,
  ) {
    this.columns = Object.entries(columns) as [keyof Row, ColumnType][];
    const lists = this.columns.map(([, type], index) => `$${index + 1}::${type}[]`);
    const rows = `select * from unnest(${lists.join(', ')})`;
    this.postgresText = text({ rows, oneOf: `= any(${lists[0] ?? ''})` });
    PREPARED.set(this.postgresText, `causeway_${PREPARED.size + 1}`);
  }

  /** Runs the statement over the rows, and gives what it returns; with no rows, nothing happens. */
  async run(database: Kysely<Tables>, rows: readonly Row[]): Promise<readonly Result[]> {
    if (rows.length === 0) return [];
    if (isSqlite(database)) return this.inPieces(database, rows);
    const lists = this.columns.map(([name, type]) => {
      const values = rows.map((row) => bindable(row[name] ?? null));
      if (type === 'text') return values;
      return `{${(values as (bigint | null)[]).map((value) => value ?? 'NULL').join()}}`;
    });
    return (await database.executeQuery<Result>(CompiledQuery.raw(this.postgresText, lists))).rows;
  }

  /** Of 64 rows, 32, 16 and so on: so any number of rows comes down to a few texts. */
  private async inPieces(
    database: Kysely<Tables>,
    rows: readonly Row[],
  ): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (let at = 0; at < rows.length;) {
      const size = Math.min(MOST_AT_ONCE, 1 << (31 - Math.clz32(rows.length - at)));
      const values = rows
        .slice(at, at + size)
        .flatMap((row) => this.columns.map(([name]) => bindable(row[name] ?? null)));
      const query = CompiledQuery.raw(this.sqliteText(size), values);
      results.push(...(await database.executeQuery<Result>(query)).rows);
      at += size;
    }
    return results;
  }

  private sqliteText(size: number): string {
    const known = this.sqliteTexts.get(size);
    if (known !== undefined) return known;
    const row = `(${this.columns.map(() => '?').join(', ')})`;
    const rows = `values ${Array<string>(size).fill(row).join(', ')}`;
    const text = this.text({ rows, oneOf: `in (${Array<string>(size).fill('?').join(', ')})` });
    this.sqliteTexts.set(size, text);
    return text;
  }
}

/** The texts that PostgreSQL is to keep, with their names: they are the same each time. */
export const PREPARED = new Map<string, string>();

/** Longer texts save nothing more. A power of two. */
const MOST_AT_ONCE = 64;
