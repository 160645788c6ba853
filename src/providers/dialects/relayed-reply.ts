import { type Usage } from '../../contract/usage.js';
import { type Fields, isObject, parsedObject } from '../../json/values.js';
import { type Bill, type Relay } from '../provider.js';
import { bytesSaid } from './bytes-said.js';
import { errorIn } from './provider-error.js';
import { isSound } from './sound-usage.js';

/** What tells a format's whole reply. */
interface ReplyFormat {
  /** The member whose list is the answer. */
  readonly answer: string;
  /** How much that list holds at least; nothing unless said. */
  readonly fewest?: number;
  /** What holds the error of a reply that is one, where it may stand elsewhere than in `error`. */
  readonly failure?: (body: Fields) => object | undefined;
  /** Whether the answer has come to its end; always unless said. */
  readonly isFinished?: (body: Fields) => boolean;
  /** @param asked the request's body. */
  readonly usage: (body: Fields, asked: Fields) => Usage | undefined;
  /** What the provider's own tools did, for a reply without usage. */
  readonly tools?: (body: Fields, asked: Fields) => Partial<Usage>;
  /** Our own count as such a `usage`, for a reply without a sound one. */
  readonly usageOf: (usage: Usage) => object;
}

/** Reads whole replies, of which the model's name changes; undefined for what is no reply. */
export function replyReader(format: ReplyFormat): Relay['reply'] {
  const { answer, fewest = 0, failure = usualFailure } = format;
  const { isFinished = always, usage: read, usageOf, tools } = format;
  return (bytes, { model, body: asked }, parsed) => {
    const body = parsed === undefined ? parsedObject(bytes.toString()) : someObject(parsed);
    const splices = new Map([['model', JSON.stringify(model.id)]]);
    const error = body && errorIn(failure(body));
    if (error) return { usage: undefined, splices, outputBytes: 0, error };
    const said = body?.[answer];
    if (!body || !Array.isArray(said) || said.length < fewest) return undefined;
    if (!isFinished(body)) return undefined;
    const usage = read(body, asked);
    const outputBytes = usage ? 0 : bytesSaid(said);
    const isTold = usage !== undefined && isSound(body.usage);
    const seen = usage ? {} : { tools: tools?.(body, asked) };
    return { usage, ...seen, splices, outputBytes, ...(!isTold && { usageOf }) };
  };
}

function someObject(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

function usualFailure(body: Fields): object | undefined {
  return body.type === 'error' || body.error ? body : undefined;
}

const always = (): boolean => true;

/** `cost` and `provider`, which the last event of a stream carries. */
export function billEdits({ cost, provider }: Bill): Map<string, string> {
  return new Map([
    ['cost', cost],
    ['provider', JSON.stringify(provider)],
  ]);
}
