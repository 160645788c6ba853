import { listOf } from '../../../json/values.js';

/**
 * The pages that an answer rests on, as Anthropic's citations: OpenAI's annotations, in which
 * compatible servers leave out a level. Annotations of other kinds (a file's own text, as OpenRouter
 * hands it back) have no counterpart. https://platform.openai.com/docs/guides/tools-web-search
 */
export function citationsIn(annotations: unknown): object[] {
  return (listOf(annotations) as (Annotation | null)[]).flatMap((annotation) =>
    citation(annotation?.url_citation ?? annotation),
  );
}

/**
 * The same of the pages that Perplexity lists beside the whole answer, whose text numbers them.
 * https://docs.perplexity.ai/api-reference/chat-completions-post
 */
export function pagesBeside({ search_results, citations }: Sources): object[] {
  const pages = listOf(search_results).length > 0 ? search_results : citations;
  return (listOf(pages) as (Page | string | null)[]).flatMap((page) =>
    citation(typeof page === 'string' ? { url: page } : page),
  );
}

/** Where providers list the pages that they have found. */
export interface Sources {
  readonly search_results?: unknown;
  readonly citations?: unknown;
}

function citation(page: Page | null | undefined): object[] {
  if (typeof page?.url !== 'string') return [];
  return [
    {
      type: 'web_search_result_location',
      url: page.url,
      title: textOr(page.title, null),
      cited_text: textOr(page.content ?? page.snippet ?? page.summary, ''),
      encrypted_index: '',
    },
  ];
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

interface Page {
  readonly url?: unknown;
  readonly title?: unknown;
  /** What the page says, as OpenRouter, Perplexity and Xiaomi call it. */
  readonly content?: unknown;
  readonly snippet?: unknown;
  readonly summary?: unknown;
}

interface Annotation extends Page {
  readonly url_citation?: Page | null;
}
