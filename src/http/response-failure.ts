import { isObject, parsedObject } from '../json/values.js';

/** What went wrong, in OpenAI's words. */
export interface ResponseError {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
  readonly param: string | null;
}

/** A response that was on its way, and the number of its next event. */
interface StartedResponse {
  /** As its last event told it; undefined where that is not known. */
  readonly response: object | undefined;
  readonly sequence: number;
}

/** An event of OpenAI's Responses API. */
export function responseEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/**
 * The events that end a response which broke off. Some clients look for the one and some for the
 * other; and of the error some read the inner form, which OpenAI sends, and some the outer one,
 * which it documents. https://platform.openai.com/docs/api-reference/responses-streaming/error
 */
export function failedResponse(
  error: ResponseError,
  { response, sequence }: StartedResponse,
): string {
  const { code, message, param } = error;
  const said = responseEvent('error', {
    code,
    message,
    param,
    error,
    sequence_number: sequence,
  });
  if (!response) return said;
  const failed = {
    ...response,
    status: 'failed',
    error: { code: code ?? 'server_error', message },
  };
  const fields = { response: failed, sequence_number: sequence + 1 };
  return said + responseEvent('response.failed', fields);
}

/** The response that a stream has told of so far, by the first and the last piece of it. */
export function startedResponse(
  first: Buffer | undefined,
  last: Buffer | undefined,
): StartedResponse {
  const begun = dataIn(first).find(({ response }) => isObject(response));
  const told = dataIn(last).at(-1)?.sequence_number;
  return {
    response: begun?.response as object | undefined,
    sequence: typeof told === 'number' ? told + 1 : 0,
  };
}

/** What the events of a piece carry; a piece ends at the end of an event. */
function dataIn(piece: Buffer | undefined): Readonly<Record<string, unknown>>[] {
  const lines = piece?.toString().split(/\r?\n/) ?? [];
  return lines.flatMap((line) => {
    const value = line.startsWith('data:') ? parsedObject(line.slice('data:'.length)) : undefined;
    return value ? [value] : [];
  });
}
