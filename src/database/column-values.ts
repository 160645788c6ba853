import { type Dialect, type KyselyPlugin } from 'kysely';

/**
 * The dialect with every parameter made bindable on both engines: a boolean is 0 or 1, and a text
 * holds neither U+0000, which PostgreSQL refuses with the whole batch, nor half a surrogate pair.
 */
export function bindingAlike(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => {
      const compiler = dialect.createQueryCompiler();
      return {
        compileQuery: (node, queryId) => {
          const query = compiler.compileQuery(node, queryId);
          return { ...query, parameters: query.parameters.map(bindable) };
        },
      };
    },
  };
}

/**
 * Both drivers hand over whole numbers as bigint; they stay so only in columns of money, whose
 * names end in `_units`.
 */
export const READING_ALIKE: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => {
    for (const row of result.rows) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'bigint' && !column.endsWith('_units')) row[column] = Number(value);
      }
    }
    return Promise.resolve(result);
  },
};

/** How the PostgreSQL driver reads `int8` and `numeric`, which it would hand over as texts. */
export function wholeNumber(text: string): bigint | number {
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

/** The text as both engines store it. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed();
}

/** The value as both drivers take it. */
export function bindable(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value;
}
