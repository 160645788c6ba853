import { type Fields, isObject, isText, membersOf, present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { isIdle } from '../extra-fields.js';
import { suitedTier } from '../service-tier.js';
import { fitsStrict } from '../strict-schema.js';
import { wireToolName, wireUser } from '../wire-names.js';

/**
 * What a chat says that Responses have under the same or another name, and the neutral shape has not.
 * https://developers.openai.com/api/docs/guides/migrate-to-responses
 */
export interface ChatWords {
  /** Fields of the request. */
  readonly fields: Fields;
  /** The form of the answer; undefined where none is asked for. */
  readonly format: Fields | undefined;
  /** It asks to see what is thought: `reasoning_effort` alone does not, and Chat Completions never show it. */
  readonly showsThinking: boolean;
}

/** Undefined for the request of a caller of another format. */
export function chatWords({
  chat,
  model,
}: Pick<CallContext<'messages'>, 'chat' | 'model'>): ChatWords | undefined {
  if (!chat) return undefined;
  const { moderation, safety_identifier, user, thinking, reasoning } = chat;
  return {
    fields: {
      service_tier: suitedTier(chat, model),
      moderation,
      ...(isText(safety_identifier) && {
        safety_identifier: wireUser(safety_identifier),
        user: wireUser(user),
      }),
    },
    format: answerFormat(chat.response_format),
    showsThinking: isObject(thinking) || isObject(reasoning),
  };
}

/**
 * Of a chat's own fields those that Responses take. They refuse these, of which `seed` promises nothing, and
 * the others say what is so without them.
 */
export function withoutIdle(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(
    ([name, value]) => name !== 'seed' && !isIdle(name, value),
  );
  return Object.fromEntries(kept);
}

/** A schema lies flat, and binds strictly only where that is asked for. */
function answerFormat(asked: unknown): Fields | undefined {
  const { type, json_schema } = membersOf(asked);
  if (type === 'json_object') return { type };
  if (type !== 'json_schema') return undefined;
  const { name, description, schema, strict } = membersOf(json_schema);
  const isStrict = strict === true && fitsStrict(schema);
  const known = isText(name) ? wireToolName(name) : 'response';
  return present({ type, name: known, description, schema, strict: isStrict });
}
