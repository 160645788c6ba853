import { isObject, isText, listOf, membersOf, someText } from '../../json/values.js';
import { type ProviderError, type UpstreamReply } from '../provider.js';
import { retryInfoIn } from './retry-info.js';

/**
 * What a provider's error body says, in whichever of the usual shapes: `{error: {message, …}}`
 * (OpenAI, Anthropic), `{error: "…"}` or a list of texts, `{message}`, `{detail}` also as FastAPI's list or
 * an object, MiniMax's `{base_resp}`, or text alone. Undefined when it says nothing.
 */
export function decodeError(reply: UpstreamReply): ProviderError | undefined {
  try {
    const body = reply.json();
    return errorIn(body) ?? (reply.status >= 400 ? elsewhereIn(body) : undefined);
  } catch {
    return plainError(reply);
  }
}

/**
 * What stands in places that good answers have as well: a list of texts, an object in `detail`,
 * MiniMax's own. https://platform.minimax.io/docs/api-reference/errorcode
 */
function elsewhereIn(body: unknown): ProviderError | undefined {
  const { error, detail, base_resp: told } = membersOf(body);
  const { error: inner, message } = membersOf(detail);
  const words = listOf(error).filter(isText).join('; ');
  return errorIn({ message: [words, inner, message, membersOf(told).status_msg].find(someText) });
}

/** Some servers' frameworks refuse a request in plain words; a page of HTML says nothing. */
function plainError({ status, headers, bytes }: UpstreamReply): ProviderError | undefined {
  if (status < 400 || !headers['content-type']?.startsWith('text/plain')) return undefined;
  return errorIn(bytes.toString('utf8', 0, LONGEST_PLAIN_ERROR).trim());
}

const LONGEST_PLAIN_ERROR = 1_000;

/** The error inside a JSON body that was read already; undefined when there is none. */
export function errorIn(body: unknown): ProviderError | undefined {
  const outer = (Array.isArray(body) ? body[0] : body) as ErrorBody | string | null | undefined;
  if (typeof outer === 'string') return outer === '' ? undefined : { message: outer };
  if (typeof outer !== 'object' || outer === null) return undefined;
  const inner = outer.error;
  if (isObject(inner)) {
    const message = someText(inner.message) ?? someText(outer.message);
    return message === undefined ? undefined : { ...named(inner), message };
  }
  const message = someText(inner) ?? someText(outer.message) ?? detailed(outer);
  return message === undefined ? undefined : { ...named(outer), message };
}

/** https://fastapi.tiangolo.com/tutorial/handling-errors/#override-request-validation-exceptions */
function detailed({ message, detail }: ErrorBody): string | undefined {
  const told = detail ?? (message as { detail?: unknown } | null | undefined)?.detail;
  if (!Array.isArray(told)) return someText(told);
  const entries = told as ({ msg?: unknown } | null)[];
  return someText(entries.flatMap((entry) => someText(entry?.msg) ?? []).join('; '));
}

interface ErrorBody {
  error?: unknown;
  message?: unknown;
  detail?: unknown;
  type?: unknown;
  code?: unknown;
  param?: unknown;
  details?: unknown;
}

/**
 * OpenRouter and vLLM give the status as the code.
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
function isErrorStatus(code: unknown): code is number {
  return typeof code === 'number' && code >= 400 && code < 600;
}

/**
 * OpenAI says with the status of a rate limit that there is no money, Alibaba with that of a bad request.
 * https://platform.openai.com/docs/guides/error-codes
 * https://www.alibabacloud.com/help/en/model-studio/error-code
 */
const WITHOUT_MONEY: readonly unknown[] = ['insufficient_quota', 'Arrearage'];

/**
 * A server of MCP that the request names has failed, and not the model: the caller's to change, whatever its
 * status. https://github.com/microsoft/agent-framework/issues/1210
 */
const OF_A_CALLERS_SERVER = 'external_connector_error';

/**
 * What OpenAI stops for what its caller or the model is about, also in the middle of an answer, or with the
 * status of a key without the right: no word against either.
 * https://developers.openai.com/api/docs/guides/safety-checks/misalignment-monitoring, …/cybersecurity
 */
const STOPPED: readonly unknown[] = ['misalignment_policy_violation', 'cyber_policy'];

function named(body: ErrorBody): Omit<ProviderError, 'message'> {
  const type = someText(body.type);
  const code = someText(body.code);
  const param = someText(body.param);
  return {
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(WITHOUT_MONEY.includes(code) && { refusesKey: true }),
    ...((type === OF_A_CALLERS_SERVER || STOPPED.includes(code)) && { isRefusal: true }),
    ...(isErrorStatus(body.code) && { status: body.code }),
    ...(param !== undefined && { param }),
    ...(body.details !== undefined && { details: body.details }),
    // Google speaks OpenAI's format as well, and says the time to wait in its own.
    ...retryInfoIn(body.details),
  };
}
