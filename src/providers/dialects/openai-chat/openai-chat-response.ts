import { type NeutralBlock } from '../../../contract/neutral.js';
import { listOf } from '../../../json/values.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../../provider.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { neutralMessage } from '../neutral-answer.js';
import { citationsIn, pagesBeside, type Sources } from './openai-chat-annotations.js';
import { type MayFail, wholeFailureIn } from './openai-chat-error.js';
import { piecesIn } from './openai-chat-pieces.js';
import { type ChatQuirks } from './openai-chat-quirks.js';
import { callsIn, type WireCall, type WireMessage } from './openai-chat-reading.js';
import { type Ending, isFiltered, stopOf } from './openai-chat-stop.js';
import { isSameThought, joinedOrigin, type Origin, proofOf } from './openai-chat-thinking.js';
import { chatUsage, messageUsage } from './openai-chat-usage.js';
import { errorIn } from '../provider-error.js';
import { replyObject } from '../reply-object.js';
import { inItsTier } from '../service-tier.js';
import { toolUses } from '../tool-uses.js';

/**
 * A whole chat completion as a message; the first choice is the answer.
 * https://platform.openai.com/docs/api-reference/chat/object
 *
 * @throws GatewayError 502 when it is none.
 */
export function messageOfCompletion(
  reply: UpstreamReply | undefined,
  call: CallContext<'messages'>,
  quirks: ChatQuirks = {},
): Decoded<'messages'> {
  const body = replyObject(reply) as Completion;
  const choice = listOf(body.choices)[0] as Choice | null | undefined;
  // A filtered answer may come with its finish reason alone.
  const mayBeEmpty = isFiltered(choice?.finish_reason);
  if (!choice || !(mayBeEmpty || (choice.message && typeof choice.message === 'object'))) {
    throw brokenAnswer(errorIn(body)?.message ?? 'The provider did not answer with a message.');
  }
  const failure = wholeFailureIn(body);
  if (failure) throw brokenAnswer(errorIn(failure)?.message ?? BROKEN_OFF);
  const calls = callsIn(choice.message);
  const said = saidBlocks(choice.message, quirks.thinkingHistory && call.model.provider);
  const cited = [...citationsIn(choice.message?.annotations), ...pagesBeside(body)];
  const usage = inItsTier(chatUsage(body.usage), body);
  const sequences = call.request.stop_sequences;
  return {
    result: neutralMessage(call, {
      content: [...withCitations(said, cited), ...calls.map(usedIn(call))],
      stop: stopOf(choice, { calls: calls.length, sequences }),
      usage: usage && messageUsage(usage, body.usage),
    }),
    usage,
  };
}

interface Completion extends Sources, MayFail {
  readonly usage?: unknown;
  readonly service_tier?: unknown;
}

interface Choice extends Ending {
  readonly message?: WireMessage | null;
}

/** @param issuer the provider's name where it wants its thinking back. */
function saidBlocks(message: WireMessage | null | undefined, issuer?: string): NeutralBlock[] {
  const blocks: NeutralBlock[] = [];
  let open: { text: string; origin: Origin } | undefined;
  const close = (): void => {
    if (!open) return;
    // Thinking that is not wanted back carries no signature; SDKs want the field.
    const signature = issuer === undefined ? '' : proofOf(issuer, open.origin);
    blocks.push({ type: 'thinking', thinking: open.text, signature });
    open = undefined;
  };
  for (const piece of piecesIn(message, issuer)) {
    if (piece.kind === 'thinking') {
      if (open && (issuer === undefined || isSameThought(open.origin, piece.origin))) {
        open.text += piece.text;
        open.origin = joinedOrigin(open.origin, piece.origin);
        continue;
      }
      close();
      open = { text: piece.text, origin: piece.origin };
      continue;
    }
    close();
    blocks.push(piece.kind === 'whole' ? piece.block : { type: 'text', text: piece.text });
  }
  close();
  return blocks;
}

/** What the answer cites stands on the last of its text. */
function withCitations(blocks: NeutralBlock[], citations: readonly object[]): NeutralBlock[] {
  const last = blocks.findLastIndex(({ type }) => type === 'text');
  if (citations.length === 0 || last < 0) return blocks;
  return blocks.map((block, index) => (index === last ? { ...block, citations } : block));
}

function usedIn(call: CallContext<'messages'>): (wire: WireCall) => NeutralBlock {
  const toolUse = toolUses(call);
  return ({ id, function: called }) =>
    toolUse({ id, name: called?.name, input: called?.arguments });
}
