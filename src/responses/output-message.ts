import { type Fields, isObject, textOf } from '../json/values.js';
import { type Emit, type ItemPlace, type ItemStatus, type OpenItem } from './output-events.js';

/** A page that a part of the text rests on. */
interface Annotation {
  readonly type: 'url_citation';
  readonly url: string;
  readonly title: string;
  readonly start_index: number;
  readonly end_index: number;
}

interface TextPart {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly Annotation[];
  readonly logprobs: readonly never[];
}

interface RefusalPart {
  readonly type: 'refusal';
  readonly refusal: string;
}

/**
 * The text that a model says: neighbouring blocks of text are the parts of one message. What cites
 * a document of the caller's own has no form here, because that document has no file id.
 */
export class OutputMessage implements OpenItem {
  private readonly parts: (TextPart | RefusalPart)[] = [];
  private text: string | undefined;
  private cited: { readonly url: string; readonly title: string }[] = [];

  constructor(
    private readonly place: ItemPlace,
    private readonly emit: Emit,
  ) {
    const { output_index } = place;
    emit('response.output_item.added', { output_index, item: this.item('in_progress') });
  }

  add({ type, text, citation }: Fields): void {
    if (type === 'citations_delta') this.cite(citation);
    if (type !== 'text_delta') return;
    const delta = textOf(text);
    if (delta === '') return;
    const content_index = this.parts.length;
    if (this.text === undefined) {
      const part = textPart('', []);
      this.emit('response.content_part.added', { ...this.place, content_index, part });
    }
    this.text = (this.text ?? '') + delta;
    this.emit('response.output_text.delta', {
      ...this.place,
      content_index,
      delta,
      logprobs: [],
    });
  }

  endBlock(): void {
    const { text, place } = this;
    if (text === undefined) return;
    const content_index = this.parts.length;
    // Only now it is known where the cited text ends.
    const annotations = this.cited.map((page): Annotation => ({
      type: 'url_citation',
      ...page,
      start_index: 0,
      end_index: text.length,
    }));
    annotations.forEach((annotation, annotation_index) => {
      const fields = { ...place, content_index, annotation_index, annotation };
      this.emit('response.output_text.annotation.added', fields);
    });
    const part = textPart(text, annotations);
    this.emit('response.output_text.done', { ...place, content_index, text, logprobs: [] });
    this.emit('response.content_part.done', { ...place, content_index, part });
    this.parts.push(part);
    this.text = undefined;
    this.cited = [];
  }

  /** Why the model says no more. */
  refuse(refusal: string): void {
    this.endBlock();
    const at = { ...this.place, content_index: this.parts.length };
    const part = { type: 'refusal', refusal } as const;
    this.emit('response.content_part.added', { ...at, part: { ...part, refusal: '' } });
    this.emit('response.refusal.delta', { ...at, delta: refusal });
    this.emit('response.refusal.done', { ...at, refusal });
    this.emit('response.content_part.done', { ...at, part });
    this.parts.push(part);
  }

  end(status: ItemStatus): object {
    this.endBlock();
    const item = this.item(status);
    this.emit('response.output_item.done', { output_index: this.place.output_index, item });
    return item;
  }

  private item(status: ItemStatus | 'in_progress'): object {
    const content = [...this.parts];
    return { id: this.place.item_id, type: 'message', status, role: 'assistant', content };
  }

  private cite(citation: unknown): void {
    if (!isObject(citation)) return;
    const { url, source, title } = citation;
    const page = [url, source].map(textOf).find((address) => /^https?:/i.test(address));
    if (page !== undefined) this.cited.push({ url: page, title: textOf(title) });
  }
}

function textPart(text: string, annotations: readonly Annotation[]): TextPart {
  return { type: 'output_text', annotations, logprobs: [], text };
}
