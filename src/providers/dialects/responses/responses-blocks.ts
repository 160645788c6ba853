import { listOf, textOf } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { BlockQueue } from '../block-queue.js';
import {
  BETWEEN_PARAGRAPHS,
  citationOf,
  itemsOf,
  type OutputItem,
  type OutputPart,
  pictureOf,
  refusalMark,
  type ResponseBody,
  saidIn,
  thinkingOf,
} from './responses-reading.js';
import { reasoningSignature } from './responses-reasoning.js';
import { toolUses } from '../tool-uses.js';

/** An event of a Responses stream; nothing of it is certain. */
export interface ResponseEvent {
  readonly type?: string;
  readonly output_index?: number;
  readonly content_index?: number;
  readonly summary_index?: number;
  readonly item?: OutputItem | null;
  readonly delta?: unknown;
  readonly annotation?: unknown;
  readonly response?: ResponseBody | null;
}

/** What an output item came to so far. */
interface Progress {
  /** What its parts said, by their index. */
  readonly said: Map<number, string>;
  thinking: string;
  summaryIndex: number | undefined;
  arguments: string;
  isDone: boolean;
}

/**
 * Content blocks from the events of a Responses stream. What an item's last event says beyond its
 * pieces is made up for, so a server that sends items whole is understood too.
 */
export class ResponseBlocks {
  calls = 0;
  private readonly queue = new BlockQueue();
  private readonly items = new Map<number, Progress>();
  private readonly toolUse: ReturnType<typeof toolUses>;

  constructor(private readonly call: CallContext<'messages'>) {
    this.toolUse = toolUses(call);
  }

  *take(event: ResponseEvent, type: string | undefined): Generator<ServerEvent> {
    const { output_index: index = 0, content_index: part = 0, item } = event;
    const piece = textOf(event.delta);
    switch (type) {
      case 'response.output_item.added':
        if (isCall(item)) yield* this.beginCall(index, item);
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        yield* this.say(index, part, piece, type === 'response.refusal.delta');
        break;
      case 'response.output_text.annotation.added':
        yield* this.cite(index, part, event.annotation);
        break;
      case 'response.reasoning_summary_text.delta':
        yield* this.think(index, piece, event.summary_index);
        break;
      case 'response.reasoning_text.delta':
        yield* this.think(index, piece, undefined);
        break;
      case 'response.function_call_arguments.delta':
        yield* this.argue(index, piece);
        break;
      case 'response.output_item.done':
        if (item) yield* this.finish(index, item);
        break;
      default:
      // Beginnings, whole parts that came in pieces, and what OpenAI's own tools do.
    }
  }

  *end(response: ResponseBody): Generator<ServerEvent> {
    for (const [index, item] of itemsOf(response).entries()) {
      if (item) yield* this.finish(index, item);
    }
    yield* this.queue.endAll();
  }

  private progress(index: number): Progress {
    const known = this.items.get(index);
    if (known) return known;
    const progress = {
      said: new Map<number, string>(),
      thinking: '',
      summaryIndex: undefined,
      arguments: '',
      isDone: false,
    };
    this.items.set(index, progress);
    return progress;
  }

  private *beginCall(index: number, item: OutputItem): Generator<ServerEvent> {
    const key = `call ${index}`;
    if (this.queue.has(key)) return;
    const block = this.toolUse({ id: item.call_id, name: item.name, input: {} });
    this.calls++;
    yield* this.queue.begin(key, block);
  }

  private *argue(index: number, piece: string): Generator<ServerEvent> {
    if (piece === '') return;
    this.progress(index).arguments += piece;
    yield* this.queue.add(`call ${index}`, { type: 'input_json_delta', partial_json: piece });
  }

  private *say(
    index: number,
    part: number,
    piece: string,
    isRefusal: boolean,
  ): Generator<ServerEvent> {
    if (piece === '') return;
    const { said } = this.progress(index);
    said.set(part, (said.get(part) ?? '') + piece);
    const key = `text ${index}.${part}`;
    const mark = refusalMark(isRefusal, this.call);
    yield* this.queue.begin(key, { type: 'text', text: '', ...mark });
    yield* this.queue.add(key, { type: 'text_delta', text: piece });
  }

  private *cite(index: number, part: number, annotation: unknown): Generator<ServerEvent> {
    const citation = citationOf(annotation, this.progress(index).said.get(part) ?? '');
    if (citation)
      yield* this.queue.add(`text ${index}.${part}`, { type: 'citations_delta', citation });
  }

  private *think(
    index: number,
    piece: string,
    summaryIndex: number | undefined,
  ): Generator<ServerEvent> {
    if (piece === '') return;
    const progress = this.progress(index);
    const isNext = progress.thinking !== '' && summaryIndex !== progress.summaryIndex;
    progress.summaryIndex = summaryIndex;
    const thinking = isNext ? BETWEEN_PARAGRAPHS + piece : piece;
    progress.thinking += thinking;
    const key = `thinking ${index}`;
    yield* this.queue.begin(key, { type: 'thinking', thinking: '', signature: '' });
    yield* this.queue.add(key, { type: 'thinking_delta', thinking });
  }

  /** The item as it is in the end; what was not said in pieces is said now. */
  private *finish(index: number, item: OutputItem): Generator<ServerEvent> {
    const progress = this.progress(index);
    if (progress.isDone) return;
    progress.isDone = true;
    if (item.type === 'reasoning') yield* this.finishReasoning(index, item, progress);
    if (item.type === 'message') yield* this.finishMessage(index, item, progress);
    if (item.type === 'image_generation_call') yield* this.show(index, item);
    if (!isCall(item)) return;
    yield* this.beginCall(index, item);
    if (progress.arguments === '') {
      const { type, input } = item;
      const custom = JSON.stringify({ input });
      yield* this.argue(index, type === 'function_call' ? textOf(item.arguments) : custom);
    }
    yield* this.queue.end(`call ${index}`);
  }

  private *finishMessage(
    index: number,
    { content }: OutputItem,
    { said }: Progress,
  ): Generator<ServerEvent> {
    for (const [part, whole] of (listOf(content) as (OutputPart | null)[]).entries()) {
      if (!said.has(part)) {
        yield* this.say(index, part, saidIn(whole), whole?.type === 'refusal');
        for (const wire of listOf(whole?.annotations)) yield* this.cite(index, part, wire);
      }
    }
    for (const part of said.keys()) yield* this.queue.end(`text ${index}.${part}`);
  }

  /** Reasoning that is not shown still has to come back, as what cannot be read. */
  private *finishReasoning(
    index: number,
    item: OutputItem,
    { thinking }: Progress,
  ): Generator<ServerEvent> {
    const key = `thinking ${index}`;
    const signature = reasoningSignature(item, this.call.model.provider);
    if (thinking === '') yield* this.think(index, thinkingOf(item), undefined);
    if (this.queue.has(key)) {
      if (signature) yield* this.queue.add(key, { type: 'signature_delta', signature });
    } else if (signature) {
      yield* this.queue.begin(key, { type: 'redacted_thinking', data: signature });
    }
    yield* this.queue.end(key);
  }

  private *show(index: number, item: OutputItem): Generator<ServerEvent> {
    const picture = pictureOf(item);
    if (!picture) return;
    const key = `picture ${index}`;
    yield* this.queue.begin(key, picture);
    yield* this.queue.end(key);
  }
}

function isCall(item: OutputItem | null | undefined): item is OutputItem {
  return item?.type === 'function_call' || item?.type === 'custom_tool_call';
}
