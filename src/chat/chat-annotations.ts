import { isObject } from '../json/values.js';

/** A page that a part of the text rests on. */
export interface Annotation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly url: string;
    readonly title: string;
    readonly start_index: number;
    readonly end_index: number;
  };
}

/**
 * Where the pages stand that the text of an answer cites, block behind block. What points into a document
 * of the caller's own has no form here.
 * https://platform.openai.com/docs/guides/tools-web-search
 */
export class CitedText {
  /** Of the text, which is not kept: that of a stream may go on and on. */
  private length = 0;
  private blockStart = 0;
  private cited: { readonly url: string; readonly title: string }[] = [];

  get isEmpty(): boolean {
    return this.length === 0;
  }

  add(text: string): void {
    this.length += text.length;
  }

  cite(citation: unknown): void {
    if (!isObject(citation)) return;
    const { url, source, title } = citation;
    const page = [url, source].find((address) => /^https?:/i.test(String(address)));
    if (typeof page !== 'string') return;
    this.cited.push({ url: page, title: typeof title === 'string' ? title : '' });
  }

  /** The block's own annotations, now that its end is known. */
  closeBlock(): readonly Annotation[] {
    const [start_index, end_index] = [this.blockStart, this.length];
    const made = this.cited.map((page): Annotation => ({
      type: 'url_citation',
      url_citation: { ...page, start_index, end_index },
    }));
    this.cited = [];
    this.blockStart = end_index;
    return made;
  }
}
