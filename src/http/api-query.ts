import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';

/** A query parameter, as the documentation has it. */
export interface QueryDocs {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
}

/** Documents the query parameters of a route, none of which is required. */
export function ApiQueries(queries: Readonly<Record<string, QueryDocs>>): MethodDecorator {
  return applyDecorators(
    ...Object.entries(queries).map(([name, { description, schema }]) =>
      ApiQuery({ name, required: false, description, schema }),
    ),
  );
}

/** The parameters of every list that comes in pages. */
export const PAGE_QUERIES: Readonly<Record<string, QueryDocs>> = {
  limit: {
    description: 'How many entries a page has at most; fewer where they are long.',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
  cursor: {
    description: 'The `next_cursor` of the page before.',
    schema: { type: 'string' },
  },
};
