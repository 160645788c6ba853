import { type Ended, type NeutralBlock, refusalOf } from '../contract/neutral.js';
import { type SurfaceCall } from '../dispatch/surface.js';
import { type Fields, membersOf, textOf } from '../json/values.js';
import { offeredTools, type OfferedTools } from './offered-tools.js';
import { OutputCall } from './output-call.js';
import { type Emit, type ItemPlace, type ItemStatus, type OpenItem } from './output-events.js';
import { OutputMessage } from './output-message.js';
import { OutputReasoning } from './output-reasoning.js';
import { type Ending, endingOf, idOf } from './response-object.js';

/**
 * The output of a response, made from the blocks of a message as they come, and the events that tell
 * of it. What ran at the provider (a search, code) is left out: its outcome is in the text.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class OutputItems {
  readonly done: object[] = [];
  private open: OpenItem | undefined;
  private isFinished = false;
  private readonly tools: OfferedTools;

  constructor(
    private readonly call: SurfaceCall,
    private readonly emit: Emit,
  ) {
    this.tools = offeredTools(call.body);
  }

  /** A block begins; it may hold all there is of it. */
  begin(block: NeutralBlock): void {
    if (block.type === 'text') {
      this.add({ type: 'text_delta', text: block.text });
      const { citations } = block;
      for (const citation of Array.isArray(citations) ? (citations as readonly unknown[]) : []) {
        this.add({ type: 'citations_delta', citation });
      }
      return;
    }
    this.end('completed');
    switch (block.type) {
      case 'thinking':
      case 'redacted_thinking':
        this.open = new OutputReasoning(block, this.place('rs'), this.emit);
        break;
      case 'tool_use': {
        const tool = this.tools.get(textOf(block.name));
        const place = this.place(tool?.kind.prefix ?? 'fc');
        this.open = new OutputCall(block, tool, place, this.emit);
        break;
      }
      case 'image':
        this.addImage(block);
        break;
    }
  }

  /** A delta of the block that began last; an empty text opens no message. */
  add(delta: Fields): void {
    const isSaid = textOf(delta.text) !== '' || delta.type === 'citations_delta';
    const open = isSaid ? this.message() : this.open;
    open?.add(delta);
  }

  endBlock(): void {
    this.open?.endBlock?.();
  }

  /**
   * The answer is over: one that was cut off was cut in its last item, and one that was declined says why. A
   * stream is finished again when it closes, for not every one tells why it ends.
   */
  finish(ended: Ended): Ending {
    const refusal = refusalOf(ended);
    if (refusal && !this.isFinished) this.message().refuse(refusal);
    this.isFinished = true;
    this.end(endingOf(ended, { isEmpty: false }).status);
    return endingOf(ended, { isEmpty: this.done.length === 0 });
  }

  private end(status: ItemStatus): void {
    if (this.open) this.done.push(this.open.end(status));
    this.open = undefined;
  }

  /** The message that is open, or a new one. */
  private message(): OutputMessage {
    if (this.open instanceof OutputMessage) return this.open;
    this.end('completed');
    const opened = new OutputMessage(this.place('msg'), this.emit);
    this.open = opened;
    return opened;
  }

  private place(prefix: string): ItemPlace {
    const output_index = this.done.length;
    return { item_id: idOf(this.call, prefix, output_index), output_index };
  }

  /** An image that the model drew; one that is only an address is said. */
  private addImage({ source }: NeutralBlock): void {
    const { data, url, media_type: mediaType } = membersOf(source);
    if (typeof data !== 'string') {
      this.add({ type: 'text_delta', text: url });
      return;
    }
    const { item_id: id, output_index } = this.place('ig');
    const head = { id, type: 'image_generation_call' };
    const output_format = textOf(mediaType).replace(/^image\//, '') || 'png';
    const item = { ...head, status: 'completed', output_format, result: data };
    const added = { ...head, status: 'in_progress', result: null };
    this.emit('response.output_item.added', { output_index, item: added });
    this.emit('response.output_item.done', { output_index, item });
    this.done.push(item);
  }
}
