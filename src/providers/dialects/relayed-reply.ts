import { type Usage } from '../../contract/usage.js';
import { type Fields, parsedObject } from '../../json/values.js';
import { type Bill, type Relay } from '../provider.js';
import { errorIn } from './provider-error.js';

/** What tells a format's whole reply. */
export interface ReplyFormat {
  /** The member whose list is the answer. */
  readonly answer: string;
  readonly usage: (body: Fields) => Usage | undefined;
  /** Our own count as such a `usage`, for a reply without one. */
  readonly usageOf: (usage: Usage) => object;
}

/** Reads whole replies, of which the model's name changes; undefined for what is no reply. */
export function replyReader({ answer, usage: read, usageOf }: ReplyFormat): Relay['reply'] {
  return (bytes, { model }) => {
    const body = parsedObject(bytes.toString());
    const splices = new Map([['model', JSON.stringify(model.id)]]);
    const error = body?.type === 'error' || body?.error ? errorIn(body) : undefined;
    if (error) return { usage: undefined, splices, outputBytes: 0, error };
    const said = body?.[answer];
    if (!body || !Array.isArray(said)) return undefined;
    const usage = read(body);
    const outputBytes = usage ? 0 : JSON.stringify(said).length;
    return { usage, splices, outputBytes, ...(!body.usage && { usageOf }) };
  };
}

/** `cost` and `provider`, which the last event of a stream carries. */
export function billEdits({ cost, provider }: Bill): Map<string, string> {
  return new Map([
    ['cost', cost],
    ['provider', JSON.stringify(provider)],
  ]);
}
