import { type NeutralUsage } from '../../../contract/neutral.js';
import { type Usage } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { citationsIn, type Grounded, searchesIn } from './gemini-grounding.js';
import { type Piece, PartReader, type WirePart } from './gemini-pieces.js';
import { geminiUsage, thoughtTokens } from './gemini-usage.js';
import { filteredStop, neutralUsage, type Stop } from '../neutral-answer.js';

/** An answer, or in a stream a chunk of one; nothing of it is certain. */
export interface WireAnswer {
  readonly error?: unknown;
  readonly candidates?: unknown;
  readonly promptFeedback?: {
    readonly blockReason?: unknown;
    readonly blockReasonMessage?: unknown;
  } | null;
  readonly usageMetadata?: unknown;
}

interface Candidate extends Grounded {
  readonly index?: unknown;
  readonly content?: { readonly parts?: unknown } | null;
  readonly finishReason?: unknown;
  readonly finishMessage?: unknown;
}

/**
 * Reads one answer from its chunks; a whole answer is one chunk. The first candidate is the answer.
 * https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse
 */
export class AnswerReader {
  /** The model said why it ended, or the prompt was blocked. */
  isOver = false;
  /** There was a candidate, or the word that there is none. */
  isAnswered = false;
  private readonly parts: PartReader;
  private finish: unknown;
  private finishMessage: unknown;
  private counts: object | undefined;
  private grounded: Grounded = {};

  constructor(private readonly call: CallContext<'messages'>) {
    this.parts = new PartReader(call);
  }

  *take({ candidates, promptFeedback, usageMetadata }: WireAnswer): Generator<Piece> {
    // Counts so far, of which a later chunk may repeat only some.
    if (typeof usageMetadata === 'object' && usageMetadata !== null) {
      this.counts = { ...this.counts, ...usageMetadata };
    }
    if (promptFeedback?.blockReason) {
      this.ended(promptFeedback.blockReason, promptFeedback.blockReasonMessage);
    }
    for (const candidate of listOf(candidates) as (Candidate | null)[]) {
      if (!candidate || (candidate.index ?? 0) !== 0) continue;
      this.isAnswered = true;
      for (const part of listOf(candidate.content?.parts) as (WirePart | null)[]) {
        if (part) yield* this.parts.take(part);
      }
      const { groundingMetadata, citationMetadata, finishReason, finishMessage } = candidate;
      this.grounded = {
        groundingMetadata: groundingMetadata ?? this.grounded.groundingMetadata,
        citationMetadata: citationMetadata ?? this.grounded.citationMetadata,
      };
      // Google's own tools end an answer more than once; the last word counts.
      if (finishReason) this.ended(finishReason, finishMessage);
    }
  }

  *end(): Generator<Piece> {
    yield* this.parts.end();
    for (const citation of citationsIn(this.grounded)) yield { kind: 'citation', citation };
  }

  /** Why the answer ended, in the four words that the contract allows; null for anything else. */
  stop(): Stop {
    if (REFUSALS.test(String(this.finish))) {
      return filteredStop([this.finish, this.finishMessage].filter(Boolean).join(': '));
    }
    const reason = STOP_REASONS.get(this.finish) ?? null;
    const stop_reason = reason === 'end_turn' && this.parts.calls > 0 ? 'tool_use' : reason;
    return { stop_reason, stop_sequence: null };
  }

  /** Undefined when the provider reported nothing usable. */
  usage(): Usage | undefined {
    const { name, pricing } = this.call.model;
    const imagePrice = pricing.outputPerImageToken !== undefined;
    const usage = geminiUsage(this.counts, { imagePrice });
    return usage && { ...usage, webSearches: searchesIn(this.grounded, name) };
  }

  /** The usage as Anthropic names it. */
  neutralUsage(): NeutralUsage | undefined {
    const usage = this.usage();
    if (!usage) return undefined;
    const thinking_tokens = thoughtTokens(this.counts);
    const { outputTokens, imageOutputTokens } = usage;
    const details = {
      ...(thinking_tokens > 0 && { thinking_tokens }),
      // Priced apart, also when they are read back from the end of a stream.
      ...(imageOutputTokens > 0 && { image_tokens: imageOutputTokens }),
    };
    return {
      ...neutralUsage({ ...usage, outputTokens: outputTokens + imageOutputTokens }),
      ...(Object.keys(details).length > 0 && { output_tokens_details: details }),
    };
  }

  private ended(reason: unknown, message: unknown): void {
    this.isAnswered = true;
    this.isOver = true;
    this.finish = reason;
    this.finishMessage = message;
  }
}

/** https://ai.google.dev/api/generate-content#FinishReason */
const STOP_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['STOP', 'end_turn'],
  ['MAX_TOKENS', 'max_tokens'],
]);

/** Ends that a filter brought about, of the answer or of the prompt. */
export const REFUSALS = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|MODEL_ARMOR|JAILBREAK/;
