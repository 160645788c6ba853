import { parsedObject } from '../../../json/values.js';
import { type ProviderError, type ServerEvent, type UpstreamReply } from '../../provider.js';
import { BROKEN_OFF } from '../broken-answer.js';
import { messageEvent } from '../message-events.js';
import { errorIn } from '../provider-error.js';

/**
 * What AWS says went wrong: the message in the body, `message` or `Message`, and the exception's
 * name in a header or in the body's `__type`. Undefined when it says nothing.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
export function decodeBedrockError(reply: UpstreamReply): ProviderError | undefined {
  const body = parsedObject(reply.bytes.toString()) as AwsError | undefined;
  const said = errorIn(body) ?? errorIn({ message: body?.Message });
  if (!said) return undefined;
  const code = exceptionName(reply.headers['x-amzn-errortype'] ?? body?.__type);
  const isRefusal = REFUSALS.has(body?.originalStatusCode);
  return {
    ...said,
    ...(code !== undefined && { type: errorType(code), code }),
    ...(isRefusal && { isRefusal }),
  };
}

/** By these the model that AWS asked has refused what it was asked; AWS tells of it as of a failure. */
const REFUSALS = new Set<unknown>([400, 413, 422]);

/**
 * Anthropic's error event for a failure in a stream; undefined for an ordinary event.
 *
 * @param to the caller who gets it as it is, and so not what AWS says of itself.
 */
export function claudeError(
  event: ServerEvent,
  to?: { readonly requestId: string | undefined },
): ServerEvent | undefined {
  const failure = streamFailure(event);
  if (!failure) return undefined;
  // A Claude's own.
  if ((parsedObject(event.data) as { type?: unknown } | undefined)?.type === 'error') return event;
  const { type, message, code = event.name ?? '' } = failure;
  const told = to && OF_AWS.test(code) ? BROKEN_OFF : message;
  return messageEvent('error', { error: { type, message: told }, request_id: to?.requestId });
}

/**
 * The failure that an event of a stream is; undefined for an ordinary event.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
 */
function streamFailure({ name, data }: ServerEvent): ProviderError | undefined {
  if (name === undefined || !(name === 'error' || name.endsWith('Exception'))) return undefined;
  const said = errorIn(parsedObject(data));
  const type = said?.type ?? errorType(said?.code ?? name);
  return { message: BROKEN_OFF, ...said, type };
}

/** AWS's own failures; of the rest the model's maker or the request is the reason. */
const OF_AWS = /^(?:internalServer|serviceUnavailable|modelTimeout)/i;

interface AwsError {
  readonly Message?: unknown;
  readonly __type?: unknown;
  readonly originalStatusCode?: unknown;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['validation', 'invalid_request_error'],
  ['resourcenotfound', 'not_found_error'],
  ['throttling', 'rate_limit_error'],
  ['servicequotaexceeded', 'rate_limit_error'],
  ['serviceunavailable', 'overloaded_error'],
  ['modelnotready', 'overloaded_error'],
  ['modeltimeout', 'timeout_error'],
]);

/** An exception's name in Anthropic's words; streams begin it with a small letter. */
function errorType(exception: string): string {
  return TYPES.get(exception.toLowerCase().replace(/exception$/, '')) ?? 'api_error';
}

/** `ValidationException:http://internal…/` or `com.amazon.coral#ValidationException`. */
function exceptionName(told: unknown): string | undefined {
  return typeof told === 'string' ? /(?:^|#)(\w+)(?::|$)/.exec(told)?.[1] : undefined;
}
