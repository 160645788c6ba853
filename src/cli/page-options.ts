import { type Page } from '../http/page.js';
import { type PageQuery, pageQuery } from '../http/query.js';
import { type Given, type Options } from './command.js';

/** The options of a command that shows a list page by page. */
export const PAGE_OPTIONS: Options = {
  limit: { value: 'N', description: 'Entries of a page, from 1 to 1000; 100 by default.' },
  cursor: { value: 'CURSOR', description: 'Where the page begins: the next_cursor of another.' },
};

/** The page that is asked for. @throws GatewayError 400 */
export function pageAsked({ fields }: Given): PageQuery {
  return pageQuery(fields);
}

/** How to get the next page, where there is one. */
export function nextPage({ next_cursor: next }: Page<unknown>): { hint?: string } {
  return next === null ? {} : { hint: `There is more: --cursor ${next}` };
}
