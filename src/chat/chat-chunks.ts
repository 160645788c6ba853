import {
  endedBy,
  type NeutralBlock,
  NOT_ENDED,
  refusalOf,
  thinkingTokens,
} from '../contract/neutral.js';
import { writtenInput } from '../contract/tool-input.js';
import { spliceObject } from '../json/splice.js';
import { type SurfaceCall, type SurfaceWriter } from '../dispatch/surface.js';
import { isObject, listOf, parsedObject, textOf } from '../json/values.js';
import { CitedText } from './chat-annotations.js';
import { drawnImage, identity } from './chat-completion.js';
import { completionUsage, finishReason, tierOf } from './chat-ending.js';
import { errorChunk } from './chat-errors.js';
import { encryptedDetail, thoughtDetail } from './chat-thinking.js';
import { isOldStyle } from './chat-tools.js';

type Bill = Parameters<SurfaceWriter['closing']>[0];
type NeutralEvent = Parameters<SurfaceWriter['write']>[0];

/**
 * Writes the events of a message as chunks of a chat completion: the role in the first delta alone,
 * a call's id and name before its arguments, the finish reason in a chunk of its own, and the usage
 * with the bill for a caller who asked.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
export class ChatChunks implements SurfaceWriter {
  private readonly head: object;
  private readonly wantsUsage: boolean;
  private readonly isOld: boolean;
  private readonly text = new CitedText();
  private open: OpenBlock | undefined;
  /** How many thinking blocks and tool calls began: with the text, the places of what comes back. */
  private thoughts = 0;
  private calls = 0;
  private hasAnswer = false;
  private ended = NOT_ENDED;
  private reasoning: number | undefined;

  constructor(call: SurfaceCall) {
    const options = call.body.stream_options;
    this.head = { ...identity(call), object: 'chat.completion.chunk' };
    this.wantsUsage = isObject(options) && options.include_usage === true;
    this.isOld = isOldStyle(call.body);
  }

  write({ data }: NeutralEvent): Buffer | undefined {
    const event = parsedObject(data) as WireEvent | undefined;
    switch (event?.type) {
      case 'message_start':
        return this.delta({ role: 'assistant', content: '' });
      case 'content_block_start':
        return this.begin(event.content_block ?? { type: '' });
      case 'content_block_delta':
        return this.add(event.delta ?? {});
      case 'content_block_stop':
        return this.end();
      case 'message_delta':
        this.ended = endedBy(event.delta, this.ended);
        this.reasoning = thinkingTokens(event.usage) ?? this.reasoning;
        return undefined;
      case 'error':
        return errorChunk(event.error);
      default:
        return undefined;
    }
  }

  closing({ cost, provider, usage }: Bill): Buffer {
    const reason = finishReason(this.ended, { isOld: this.isOld, isEmpty: !this.hasAnswer });
    const refusal = refusalOf(this.ended);
    const declined = refusal === null ? NOTHING : this.delta({ refusal });
    const finish = Buffer.concat([declined, this.chunk({ choices: [choice({}, reason)] })]);
    if (!this.wantsUsage) return Buffer.concat([finish, DONE]);
    const counts = {
      choices: [],
      ...tierOf(usage),
      usage: completionUsage(usage, this.reasoning),
    };
    const bill = new Map([
      ['cost', cost],
      ['provider', JSON.stringify(provider)],
    ]);
    const pieces = spliceObject(Buffer.from(JSON.stringify({ ...this.head, ...counts })), bill);
    return Buffer.concat([finish, DATA, ...(pieces ?? []), END, DONE]);
  }

  private begin(block: NeutralBlock): Buffer | undefined {
    const place = this.thoughts + this.calls + (this.text.isEmpty ? 0 : 1);
    this.open = { block, place, call: this.calls, hasInput: false };
    this.hasAnswer = true;
    switch (block.type) {
      case 'text':
        for (const citation of listOf(block.citations)) this.text.cite(citation);
        return this.said(textOf(block.text));
      case 'thinking':
        this.thoughts++;
        return joined(this.thought(textOf(block.thinking)), this.proof(textOf(block.signature)));
      case 'redacted_thinking':
        this.thoughts++;
        return this.delta({
          reasoning_details: [encryptedDetail(place, textOf(block.data))],
        });
      case 'tool_use':
        this.calls++;
        return this.called({ id: block.id, type: 'function' }, { name: block.name, arguments: '' });
      case 'image': {
        const images = drawnImage(block);
        return images.length > 0 ? this.delta({ images }) : undefined;
      }
      default:
        return undefined;
    }
  }

  private add(delta: WireDelta): Buffer | undefined {
    switch (delta.type) {
      case 'text_delta':
        return this.said(textOf(delta.text));
      case 'thinking_delta':
        return this.thought(textOf(delta.thinking));
      case 'signature_delta':
        return this.proof(textOf(delta.signature));
      case 'citations_delta':
        this.text.cite(delta.citation);
        return undefined;
      case 'input_json_delta':
        return this.argued(textOf(delta.partial_json));
      default:
        return undefined;
    }
  }

  private end(): Buffer | undefined {
    const { open } = this;
    this.open = undefined;
    if (open?.block.type === 'text') {
      const annotations = this.text.closeBlock();
      return annotations.length > 0 ? this.delta({ annotations }) : undefined;
    }
    if (open?.block.type !== 'tool_use' || open.hasInput) return undefined;
    // The input came whole with the call, or there is none.
    return this.called({}, { arguments: writtenInput(open.block.input) }, open.call);
  }

  private said(text: string): Buffer | undefined {
    if (text === '') return undefined;
    if (this.open?.block.is_refusal === true) return this.delta({ refusal: text });
    this.text.add(text);
    return this.delta({ content: text });
  }

  private thought(text: string): Buffer | undefined {
    if (text === '') return undefined;
    const detail = thoughtDetail(this.open?.place ?? 0, text);
    return this.delta({ reasoning_content: text, reasoning_details: [detail] });
  }

  private proof(signature: string): Buffer | undefined {
    if (signature === '') return undefined;
    const detail = thoughtDetail(this.open?.place ?? 0, '', signature);
    return this.delta({ reasoning_details: [detail] });
  }

  /** Only what a tool of the caller's is called with: a provider's own tools run there. */
  private argued(piece: string): Buffer | undefined {
    const { open } = this;
    if (piece === '' || open?.block.type !== 'tool_use') return undefined;
    open.hasInput = true;
    return this.called({}, { arguments: piece }, open.call);
  }

  private called(head: object, called: object, index = this.open?.call ?? 0): Buffer | undefined {
    if (!this.isOld) return this.delta({ tool_calls: [{ index, ...head, function: called }] });
    return index === 0 ? this.delta({ function_call: called }) : undefined;
  }

  private delta(delta: object): Buffer {
    return this.chunk({ choices: [choice(delta, null)] });
  }

  private chunk(fields: object): Buffer {
    return Buffer.from(`data: ${JSON.stringify({ ...this.head, ...fields })}\n\n`);
  }
}

interface OpenBlock {
  readonly block: NeutralBlock;
  readonly place: number;
  /** Its number among the tool calls, where it is one. */
  readonly call: number;
  hasInput: boolean;
}

interface WireEvent {
  readonly type?: string;
  readonly content_block?: NeutralBlock;
  readonly delta?: WireDelta;
  readonly usage?: unknown;
  readonly error?: unknown;
}

interface WireDelta {
  readonly type?: string;
  readonly [field: string]: unknown;
}

const NOTHING = Buffer.alloc(0);
const DATA = Buffer.from('data: ');
const END = Buffer.from('\n\n');
const DONE = Buffer.from('data: [DONE]\n\n');

function choice(delta: object, finish_reason: string | null): object {
  return { index: 0, delta, finish_reason };
}

function joined(...pieces: (Buffer | undefined)[]): Buffer | undefined {
  const present = pieces.filter((piece) => piece !== undefined);
  return present.length > 0 ? Buffer.concat(present) : undefined;
}
