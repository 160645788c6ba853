import { type IncomingMessage } from 'node:http';

/** The path that a request asks for, as Express finds it, without the query. */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (!url.startsWith('/')) return URL.parse(url)?.pathname ?? url;
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
