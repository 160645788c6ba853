import { type NeutralBlock } from '../../../contract/neutral.js';
import { toolInput } from '../../../contract/tool-input.js';
import { someText } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { applyPartialArgs } from './gemini-partial-args.js';
import { mediaBlock } from './gemini-parts.js';
import { markedProof, type Proof } from './gemini-proofs.js';
import {
  codeBlock,
  codeResultBlock,
  googleCallBlock,
  googleResultBlock,
  MADE,
  type WireCode,
  type WireCodeResult,
  type WireGoogleCall,
  type WireGoogleResult,
} from './gemini-server-tools.js';
import { isThinkingOn } from './gemini-thinking.js';
import { callerFunctionNames } from './gemini-tools.js';
import { toolIds, toolName } from '../tool-uses.js';

/** What a part adds to the answer; `signature` ends the thinking block that it is put in. */
export type Piece =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | { readonly kind: 'signature'; readonly signature: string }
  | { readonly kind: 'citation'; readonly citation: NeutralBlock }
  | { readonly kind: 'block'; readonly block: NeutralBlock };

/** A part of an answer; nothing of it is certain. https://ai.google.dev/api/caching#Part */
export interface WirePart {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly thoughtSignature?: unknown;
  readonly functionCall?: WireFunctionCall | null;
  readonly inlineData?: { readonly mimeType?: unknown; readonly data?: unknown } | null;
  readonly fileData?: { readonly mimeType?: unknown; readonly fileUri?: unknown } | null;
  readonly executableCode?: WireCode | null;
  readonly codeExecutionResult?: WireCodeResult | null;
  readonly toolCall?: WireGoogleCall | null;
  readonly toolResponse?: WireGoogleResult | null;
}

interface WireFunctionCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly args?: unknown;
  readonly partialArgs?: unknown;
  readonly willContinue?: unknown;
}

/** A call whose arguments come in pieces. */
interface OpenCall {
  readonly name: string;
  readonly id: unknown;
  readonly args: object;
  signature: string | undefined;
}

/** Reads the parts of one answer in their order, whether they come at once or one by one. */
export class PartReader {
  /** Function calls so far. */
  calls = 0;
  private readonly names: ReadonlyMap<string, string>;
  private readonly toolId: (given?: string | null) => string;
  private readonly isThinkingOn: boolean;
  private last: Piece['kind'] | undefined;
  private open: OpenCall | undefined;
  /** The signature of text that is out already; it can go in front of a later block only. */
  private held: string | undefined;
  private serverCalls = 0;
  private serverCall = '';

  constructor(private readonly call: CallContext<'messages'>) {
    this.names = callerFunctionNames(call.request);
    this.toolId = toolIds(call);
    this.isThinkingOn = isThinkingOn(call.request);
  }

  *take(part: WirePart): Generator<Piece> {
    for (const piece of this.read(part)) {
      this.last = piece.kind;
      yield piece;
    }
  }

  /** What was waiting for more. The signature of a text that nothing follows has no place. */
  *end(): Generator<Piece> {
    yield* this.endCall();
    if (this.last === 'thinking' || this.last === 'signature') yield* this.putHeld();
  }

  private *read(part: WirePart): Generator<Piece> {
    const signature = someText(part.thoughtSignature);
    if (part.functionCall) {
      yield* this.functionCall(part.functionCall, signature);
      return;
    }
    yield* this.endCall();
    const isThought = part.thought === true;
    const text = someText(part.text) ?? '';
    // Sketches on the way to an image are thoughts too, and thinking is text.
    const block = isThought ? undefined : this.block(part);
    if (block) yield* this.whole(block, signature);
    else if (isThought) yield* this.thinking(text, signature);
    else yield* this.text(text, signature);
  }

  private *thinking(text: string, signature: string | undefined): Generator<Piece> {
    yield* this.putHeld();
    if (text !== '') yield { kind: 'thinking', text };
    if (signature !== undefined) yield proof({ signed: 'thought', signature });
  }

  /**
   * Gemini does not insist on the signature of a text, so only callers who asked for thinking, and
   * expect such blocks, get it.
   */
  private *text(text: string, signature: string | undefined): Generator<Piece> {
    if (text !== '' && this.last !== 'text') yield* this.putHeld();
    if (signature !== undefined && this.isThinkingOn) {
      if (text === '' || this.last === 'text') this.held = signature;
      else yield proof({ signed: 'next', signature });
    }
    if (text !== '') yield { kind: 'text', text };
  }

  private *whole(block: NeutralBlock, signature: string | undefined): Generator<Piece> {
    yield* this.putHeld();
    if (signature !== undefined) yield proof({ signed: 'next', signature });
    yield { kind: 'block', block };
  }

  private *functionCall(wire: WireFunctionCall, signature: string | undefined): Generator<Piece> {
    const name = someText(wire.name);
    if (name !== undefined || !this.open) {
      yield* this.endCall();
      const args = toolInput(wire.args);
      this.open = { name: toolName(name), id: wire.id, args, signature };
    }
    this.open.signature ??= signature;
    applyPartialArgs(this.open.args, wire.partialArgs);
    // The end of a call in pieces is told by what follows it, as well as by `willContinue`.
    const isWhole = name !== undefined && wire.willContinue !== true && !wire.partialArgs;
    if (isWhole) yield* this.endCall();
  }

  private *endCall(): Generator<Piece> {
    if (!this.open) return;
    const { name, id, args: input, signature } = this.open;
    this.open = undefined;
    this.calls++;
    const own = this.names.get(name) ?? name;
    const block = { type: 'tool_use', id: this.toolId(someText(id)), name: own, input };
    yield* this.putHeld();
    if (signature !== undefined) yield proof({ signed: 'call', id: block.id, signature });
    yield { kind: 'block', block };
    this.last = 'block';
  }

  private *putHeld(): Generator<Piece> {
    if (this.held === undefined) return;
    yield proof({ signed: 'empty', signature: this.held });
    this.held = undefined;
  }

  private block(part: WirePart): NeutralBlock | undefined {
    const { executableCode, codeExecutionResult, toolCall, toolResponse } = part;
    if (executableCode) return codeBlock(this.nextServerId(executableCode.id), executableCode);
    if (toolCall) return googleCallBlock(this.nextServerId(toolCall.id), toolCall);
    if (codeExecutionResult) {
      const id = someText(codeExecutionResult.id) ?? this.serverCall;
      return codeResultBlock(id, codeExecutionResult);
    }
    if (toolResponse)
      return googleResultBlock(someText(toolResponse.id) ?? this.serverCall, toolResponse);
    return mediaOf(part);
  }

  private nextServerId(given: unknown): string {
    const made = `${MADE}${this.serverCalls++}_${this.call.id}`;
    return (this.serverCall = someText(given) ?? made);
  }
}

function mediaOf({ inlineData, fileData }: WirePart): NeutralBlock | undefined {
  const type = someText(inlineData?.mimeType ?? fileData?.mimeType) ?? '';
  const data = someText(inlineData?.data);
  if (data !== undefined) return mediaBlock(type, { type: 'base64', media_type: type, data });
  const url = someText(fileData?.fileUri);
  return url === undefined ? undefined : mediaBlock(type, { type: 'url', url });
}

function proof(given: Proof): Piece {
  return { kind: 'signature', signature: markedProof(given) };
}
