import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText, parsedObject } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { messageEvent } from '../message-events.js';
import { type Piece } from './openai-chat-pieces.js';
import { type WireCall } from './openai-chat-reading.js';
import { isSameThought, joinedOrigin, type Origin, proofOf } from './openai-chat-thinking.js';
import { toolUses } from '../tool-uses.js';

/**
 * Content blocks in the order of their first piece. Anthropic has one block open at a time while
 * OpenAI may mix several tool calls: the first unfinished block goes out as it comes, those
 * behind it wait.
 */
export class ChatBlockQueue {
  calls = 0;
  private readonly blocks: Block[] = [];
  private readonly byIndex = new Map<number, Block>();
  private readonly byId = new Map<string, Block>();
  private lastCall: Block | undefined;
  private readonly toolUse: ReturnType<typeof toolUses>;
  /** The block that is going out; its place in the list is its index on the wire. */
  private current = 0;
  private isEnded = false;

  /** @param issuer the provider's name where it wants its thinking back. */
  constructor(
    call: CallContext<'messages'>,
    private readonly issuer: string | undefined,
  ) {
    this.toolUse = toolUses(call);
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  *add(piece: Piece): Generator<ServerEvent> {
    switch (piece.kind) {
      case 'whole':
        this.append('whole').content = piece.block;
        break;
      case 'text':
        this.openText().waiting.push({ type: 'text_delta', text: piece.text });
        break;
      case 'thinking': {
        const { text, origin } = piece;
        const last = this.blocks.at(-1);
        const isSame = this.issuer === undefined || isSameThought(last?.origin, origin);
        const block = last?.kind === 'thinking' && isSame ? last : this.append('thinking');
        block.origin = joinedOrigin(block.origin, origin);
        if (text !== '') block.waiting.push({ type: 'thinking_delta', thinking: text });
      }
    }
    yield* this.advance();
  }

  /** What the answer cites stands on the last of its text, if that is still open. */
  *cite(citations: readonly object[]): Generator<ServerEvent> {
    const at = this.blocks.findLastIndex(({ kind }) => kind === 'text');
    if (at < this.current) return;
    const deltas = citations.map((citation) => ({ type: 'citations_delta', citation }));
    this.blocks[at]?.waiting.push(...deltas);
    yield* this.advance();
  }

  *addCall(call: WireCall): Generator<ServerEvent> {
    const { name, arguments: given } = call.function ?? {};
    const block = this.blockOf(call) ?? this.appendCall(call.index);
    if (block.id === undefined && call.id) this.identify(block, call.id);
    block.name ??= name || undefined;
    const piece = typeof given === 'object' && given ? JSON.stringify(given) : given;
    if (isText(piece)) {
      block.whole += piece;
      block.brackets.add(piece);
      block.waiting.push({ type: 'input_json_delta', partial_json: piece });
    }
    yield* this.advance();
  }

  *end(): Generator<ServerEvent> {
    this.isEnded = true;
    yield* this.advance();
  }

  private openText(): Block {
    const last = this.blocks.at(-1);
    return last?.kind === 'text' ? last : this.append('text');
  }

  private append(kind: Block['kind']): Block {
    const given = { whole: '', brackets: new Brackets(), judged: 0, isObject: false };
    const block: Block = { kind, waiting: [], isOpen: false, ...given };
    this.blocks.push(block);
    return block;
  }

  private appendCall(index: WireCall['index']): Block {
    const block = this.append('tool');
    this.calls++;
    if (typeof index === 'number') this.byIndex.set(index, block);
    this.lastCall = block;
    return block;
  }

  private identify(block: Block, id: string): void {
    this.byId.set(id, block);
    block.id = id;
  }

  /**
   * Some servers leave the index out, or use one again for another call, and some give no ids either: Gemini's
   * and what speaks in its place. https://github.com/NousResearch/hermes-agent/issues/62940,
   * https://github.com/noho/dayu-agent/pull/57
   */
  private blockOf({ index, id, function: called }: WireCall): Block | undefined {
    const isNamed = Boolean(called?.name);
    if (typeof index !== 'number') {
      if (id) return this.byId.get(id);
      return isNamed ? undefined : this.lastCall;
    }
    const block = this.byIndex.get(index);
    if (!block || !isNamed) return block;
    const isOther = id ? block.id && id !== block.id : called?.arguments && this.isWhole(block);
    return isOther ? undefined : block;
  }

  private *advance(): Generator<ServerEvent> {
    for (let block = this.blocks[this.current]; block; block = this.blocks[this.current]) {
      const index = this.current;
      if (!block.isOpen) {
        const content_block = this.opening(block);
        if (!content_block) return;
        block.isOpen = true;
        yield messageEvent('content_block_start', { index, content_block });
      }
      for (const delta of block.waiting)
        yield messageEvent('content_block_delta', { index, delta });
      block.waiting = [];
      if (!this.isOver(block)) return;
      if (block.origin !== undefined && this.issuer !== undefined) {
        const delta = { type: 'signature_delta', signature: proofOf(this.issuer, block.origin) };
        yield messageEvent('content_block_delta', { index, delta });
      }
      yield messageEvent('content_block_stop', { index });
      this.current++;
    }
  }

  /** Undefined while a tool's name or id may still come. */
  private opening({ kind, id, name, content }: Block): object | undefined {
    switch (kind) {
      case 'whole':
        return content;
      case 'text':
        return { type: 'text', text: '' };
      case 'thinking':
        return { type: 'thinking', thinking: '', signature: '' };
      case 'tool':
        if (!this.isEnded && (id === undefined || name === undefined)) return undefined;
        return this.toolUse({ id, name, input: {} });
    }
  }

  /** Behind a whole JSON object nothing can follow, so the next call need not wait for the end. */
  private isOver(block: Block): boolean {
    if (this.isEnded || block.kind === 'whole') return true;
    if (block === this.blocks.at(-1)) return false;
    return block.kind !== 'tool' || this.isWhole(block);
  }

  /** Whether all arguments of a call have come. */
  private isWhole(block: Block): boolean {
    if (!block.brackets.areClosed) return false;
    if (block.judged !== block.whole.length) {
      block.judged = block.whole.length;
      block.isObject = parsedObject(block.whole) !== undefined;
    }
    return block.isObject;
  }
}

/** Counts the brackets of a JSON text that comes in pieces: to parse all of it for each takes too long. */
class Brackets {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  /** Whether the text may be whole: there is none that was opened and not closed. */
  get areClosed(): boolean {
    return this.depth <= 0 && !this.isInString;
  }

  add(piece: string): void {
    for (const character of piece) {
      if (this.isEscaped) this.isEscaped = false;
      else if (character === '"') this.isInString = !this.isInString;
      else if (this.isInString) this.isEscaped = character === '\\';
      else if (character === '{' || character === '[') this.depth += 1;
      else if (character === '}' || character === ']') this.depth -= 1;
    }
  }
}

interface Block {
  readonly kind: Piece['kind'] | 'tool';
  /** Deltas that came and have not gone out yet. */
  waiting: object[];
  isOpen: boolean;
  /** Of thinking: where it stood. */
  origin?: Origin;
  /** Of a block that came at once. */
  content?: NeutralBlock;
  id?: string;
  name?: string;
  /** All of a tool's arguments, and their length when they were last judged. */
  whole: string;
  readonly brackets: Brackets;
  judged: number;
  /** What they were judged to be: an object, behind which nothing can follow. */
  isObject: boolean;
}
