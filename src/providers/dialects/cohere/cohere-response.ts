import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText, listOf } from '../../../json/values.js';
import { type CallContext, type Decoded, type UpstreamReply } from '../../provider.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import {
  brokeOff,
  type CohereCall,
  type CohereCitation,
  cohereStop,
  neutralCitations,
} from './cohere-reading.js';
import { type Thought } from './cohere-messages.js';
import { cohereCallerNames } from './cohere-tools.js';
import { cohereUsage } from './cohere-usage.js';
import { neutralMessage, neutralUsage } from '../neutral-answer.js';
import { marked } from '../proof-marks.js';
import { replyObject } from '../reply-object.js';
import { toolUses } from '../tool-uses.js';

/**
 * A whole Cohere answer as a message; its plan before tool calls is thinking.
 * https://docs.cohere.com/reference/chat
 *
 * @throws GatewayError 502 when it is none.
 */
export function messageOfCohere(
  reply: UpstreamReply | undefined,
  call: CallContext<'messages'>,
): Decoded<'messages'> {
  const body = replyObject(reply) as CohereAnswer;
  const { message } = body;
  if (typeof message !== 'object' || message === null) {
    throw brokenAnswer('The provider did not answer with a message.');
  }
  const calls = (listOf(message.tool_calls) as (CohereCall | null)[]).filter((one) => one !== null);
  const content = [...spoken(message), ...calls.map(usedIn(call))];
  if (content.length === 0 && brokeOff(body.finish_reason)) throw brokenAnswer(BROKEN_OFF);
  const usage = cohereUsage(body.usage);
  return {
    result: neutralMessage(call, {
      content,
      stop: cohereStop(body.finish_reason, calls.length, call),
      usage: usage && neutralUsage(usage),
    }),
    usage,
  };
}

/** Thinking of Cohere, which goes back to it alone. */
export function cohereSignature(kind: Thought): string {
  return marked('cohere', kind);
}

function* spoken({ content, citations, tool_plan: plan }: Message): Generator<NeutralBlock> {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const firstText = parts.findIndex((part) => (part as Part | null)?.type === 'text');
  for (const [index, part] of (parts as (Part | null)[]).entries()) {
    if (part?.type === 'thinking' && isText(part.thinking))
      yield thought('thinking', part.thinking);
    if (part?.type !== 'text' || !isText(part.text)) continue;
    const cited = (listOf(citations) as (CohereCitation | null)[])
      .filter((citation) => (citation?.content_index ?? firstText) === index)
      .flatMap((citation) => neutralCitations(citation ?? {}));
    yield { type: 'text', text: part.text, ...(cited.length > 0 && { citations: cited }) };
  }
  if (isText(plan)) yield thought('plan', plan);
}

function thought(kind: Thought, thinking: string): NeutralBlock {
  return { type: 'thinking', thinking, signature: cohereSignature(kind) };
}

function usedIn(call: CallContext<'messages'>): (wire: CohereCall) => NeutralBlock {
  const toolUse = toolUses(call, cohereCallerNames(call.request));
  return ({ id, function: called }) =>
    toolUse({ id, name: called?.name, input: called?.arguments });
}

interface CohereAnswer {
  readonly message?: Message | null;
  readonly finish_reason?: unknown;
  readonly usage?: unknown;
}

interface Message {
  readonly content?: unknown;
  readonly citations?: unknown;
  readonly tool_plan?: unknown;
  readonly tool_calls?: unknown;
}

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
}
