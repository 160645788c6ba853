import { type NeutralBlock } from '../contract/neutral.js';
import { writtenInput } from '../contract/tool-input.js';
import { type Fields, textOf } from '../json/values.js';
import { type Emit, type ItemPlace, type ItemStatus, type OpenItem } from './output-events.js';
import { type OfferedTool } from './offered-tools.js';
import { type ToolKind, UNKNOWN_TOOL } from './tool-kinds.js';

/** A call of a tool, as an item of the tool's kind and under the caller's own names. */
export class OutputCall implements OpenItem {
  private readonly kind: ToolKind;
  private readonly head: object;
  private written = '';

  constructor(
    private readonly block: NeutralBlock,
    tool: OfferedTool | undefined,
    private readonly place: ItemPlace,
    private readonly emit: Emit,
  ) {
    this.kind = tool?.kind ?? UNKNOWN_TOOL;
    this.head = {
      id: place.item_id,
      type: this.kind.call,
      call_id: block.id,
      ...(this.kind.name === undefined && {
        name: tool?.name ?? block.name,
        ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
      }),
    };
    const { field } = this.kind;
    // Of the other kinds nothing can be told before all of it is there.
    if (field) this.added({ ...this.head, status: 'in_progress', [field]: '' });
  }

  add({ type, partial_json: piece }: Fields): void {
    if (type !== 'input_json_delta') return;
    const delta = textOf(piece);
    this.written += delta;
    if (delta !== '' && this.kind.field === 'arguments') this.told('delta', { delta });
  }

  end(status: ItemStatus): object {
    const written = this.written === '' ? writtenInput(this.block.input) : this.written;
    const said = this.kind.said(written);
    const item = { ...this.head, status, ...said };
    const { field } = this.kind;
    if (field) {
      const value = textOf(said[field]);
      const isNew = field !== 'arguments' || this.written === '';
      if (isNew && value !== '') this.told('delta', { delta: value });
      this.told('done', { [field]: value });
    } else {
      this.added(item);
    }
    this.emit('response.output_item.done', { output_index: this.place.output_index, item });
    return item;
  }

  private told(what: 'delta' | 'done', fields: object): void {
    this.emit(`response.${this.kind.call}_${String(this.kind.field)}.${what}`, {
      ...this.place,
      ...fields,
    });
  }

  private added(item: object): void {
    this.emit('response.output_item.added', { output_index: this.place.output_index, item });
  }
}
