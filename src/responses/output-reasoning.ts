import { type NeutralBlock } from '../contract/neutral.js';
import { type Fields, textOf } from '../json/values.js';
import { type Emit, type ItemPlace, type OpenItem } from './output-events.js';
import { reasoningOf } from './reasoning.js';

/** What a model thinks: its text is the summary, and its proof is the encrypted content. */
export class OutputReasoning implements OpenItem {
  private thinking = '';
  private signature = '';

  constructor(
    private readonly block: NeutralBlock,
    private readonly place: ItemPlace,
    private readonly emit: Emit,
  ) {
    const item = { id: place.item_id, type: 'reasoning', summary: [] };
    emit('response.output_item.added', { output_index: place.output_index, item });
    this.think(textOf(block.thinking));
    this.signature = textOf(block.signature);
  }

  add({ type, thinking, signature }: Fields): void {
    if (type === 'thinking_delta') this.think(textOf(thinking));
    // It replaces what stood there.
    if (type === 'signature_delta') this.signature = textOf(signature);
  }

  end(): object {
    const { block, place, thinking, signature } = this;
    const said = reasoningOf({ ...block, thinking, signature });
    const [part] = said.summary;
    if (part) {
      const at = { ...place, summary_index: 0 };
      this.emit('response.reasoning_summary_text.done', { ...at, text: thinking });
      this.emit('response.reasoning_summary_part.done', { ...at, part });
    }
    const item = { id: place.item_id, type: 'reasoning', ...said };
    this.emit('response.output_item.done', { output_index: place.output_index, item });
    return item;
  }

  private think(delta: string): void {
    if (delta === '') return;
    const at = { ...this.place, summary_index: 0 };
    if (this.thinking === '') {
      const part = { type: 'summary_text', text: '' };
      this.emit('response.reasoning_summary_part.added', { ...at, part });
    }
    this.thinking += delta;
    this.emit('response.reasoning_summary_text.delta', { ...at, delta });
  }
}
