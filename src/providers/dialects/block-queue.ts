import { type ServerEvent } from '../provider.js';
import { messageEvent } from './message-events.js';

/**
 * Content blocks in the order in which they began. Anthropic has one block open at a time while
 * other formats may mix several: the first unfinished block goes out as it comes, those
 * behind it wait.
 */
export class BlockQueue {
  private readonly blocks: Block[] = [];
  private readonly byKey = new Map<string, Block>();
  /** The block that is going out; its place in the list is its index on the wire. */
  private current = 0;

  /** Begins a block; `key` is the provider's own name for it. One that began already stays. */
  *begin(key: string, content: object): Generator<ServerEvent> {
    if (this.byKey.has(key)) return;
    const block = { content, waiting: [], isOpen: false, isOver: false };
    this.blocks.push(block);
    this.byKey.set(key, block);
    yield* this.advance();
  }

  /** Adds to a block that has begun and is not over; to any other nothing can be added. */
  *add(key: string, delta: object): Generator<ServerEvent> {
    const block = this.byKey.get(key);
    if (!block || block.isOver) return;
    block.waiting.push(delta);
    yield* this.advance();
  }

  *end(key: string): Generator<ServerEvent> {
    const block = this.byKey.get(key);
    if (block) block.isOver = true;
    yield* this.advance();
  }

  /** Ends what is still open. */
  *endAll(): Generator<ServerEvent> {
    for (const block of this.blocks) block.isOver = true;
    yield* this.advance();
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  private *advance(): Generator<ServerEvent> {
    for (let block = this.blocks[this.current]; block; block = this.blocks[this.current]) {
      const index = this.current;
      if (!block.isOpen) {
        block.isOpen = true;
        yield messageEvent('content_block_start', { index, content_block: block.content });
      }
      for (const delta of block.waiting)
        yield messageEvent('content_block_delta', { index, delta });
      block.waiting = [];
      if (!block.isOver) return;
      yield messageEvent('content_block_stop', { index });
      this.current++;
    }
  }
}

interface Block {
  readonly content: object;
  /** Deltas that came and have not gone out yet. */
  waiting: object[];
  isOpen: boolean;
  isOver: boolean;
}
