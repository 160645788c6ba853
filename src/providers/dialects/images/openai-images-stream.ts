import { addedImagesUsage, type ImagesUsage } from '../../../contract/images.js';
import { parsedObject } from '../../../json/values.js';
import { type ProviderError } from '../../provider.js';

/** Whether an image answer came as a stream of events, although a whole one was asked for. */
export function isEventStream(bytes: Buffer): boolean {
  return /^\s*(event|data|id|retry)?:/.test(bytes.toString('latin1', 0, 64));
}

/**
 * The last event of an image stream as a normal reply; partial images before it are left out.
 * https://platform.openai.com/docs/api-reference/images-streaming
 *
 * @returns undefined when the stream has no such event, or one that is broken.
 */
export function completedReply(bytes: Buffer): Buffer | undefined {
  const events = dataIn(bytes).map((data) => parsedObject(data) as CompletedEvent | undefined);
  if (!events.every((event) => event !== undefined)) return undefined;
  const failure = events.find((event) => event.error || event.type === 'error');
  if (failure) return Buffer.from(JSON.stringify({ error: failure.error ?? failure }));
  const done = events.filter((event) => String(event.type).endsWith('.completed'));
  const [event] = done;
  if (!event) return undefined;
  const { type, b64_json, created_at: created, ...rest } = event;
  const data = done.map((image) => ({ b64_json: image.b64_json }));
  // Each image reports its own.
  const usages = done.flatMap((image) => image.usage ?? []);
  const usage = usages.length < done.length ? undefined : usages.reduce(addedImagesUsage);
  return Buffer.from(JSON.stringify({ created, data, ...rest, usage }));
}

/** The data of every event that has any, whichever way its lines end. */
function dataIn(bytes: Buffer): string[] {
  const events = bytes.toString().replace(/\r\n?/g, '\n').split('\n\n');
  const texts = events.map((event) => {
    const lines = event.split('\n').filter((line) => line.startsWith('data:'));
    return lines
      .map((line) => line.slice('data:'.length))
      .join('\n')
      .trim();
  });
  return texts.filter((text) => text !== '' && text !== '[DONE]');
}

/**
 * Whether an error that came inside a stream is the caller's to mend, as the status 400 says that it
 * has outside of one. https://platform.openai.com/docs/guides/image-generation#content-moderation
 */
export function isCallersFault({ type, code }: ProviderError): boolean {
  return CALLERS_TYPES.has(type ?? '') || CALLERS_CODES.has(code ?? '');
}

const CALLERS_TYPES = new Set(['image_generation_user_error', 'invalid_request_error']);
const CALLERS_CODES = new Set(['moderation_blocked', 'content_policy_violation']);

interface CompletedEvent {
  type?: string;
  b64_json?: string;
  created_at?: number;
  usage?: ImagesUsage | null;
  error?: unknown;
}
