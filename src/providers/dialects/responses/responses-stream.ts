import { parsedObject } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { messageEnd, messageError, messageStart } from '../message-events.js';
import { errorIn } from '../provider-error.js';
import { ResponseBlocks, type ResponseEvent } from './responses-blocks.js';
import { responsesStop } from './responses-reading.js';
import { responsesThinking, responsesUsage } from './responses-usage.js';

/**
 * The events of a Responses stream as Anthropic's. `message_start` carries our estimate of the input;
 * `message_delta` the provider's own counts.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 *
 * @throws GatewayError 502 when the stream ends without its last event or is not JSON.
 */
export async function* eventsOfResponse(
  events: AsyncIterable<ServerEvent>,
  call: CallContext<'messages'>,
): AsyncGenerator<ServerEvent> {
  const blocks = new ResponseBlocks(call);
  let isStarted = false;
  for await (const { name, data } of events) {
    if (data.trim() === '[DONE]') break;
    const event = parsedObject(data) as ResponseEvent | undefined;
    if (!event) throw brokenAnswer('The provider sent an event that is no JSON object.');
    const type = event.type ?? name;
    // Some servers, and proxies before them, say an error without a type.
    const isError = type === 'error' || (type === undefined && errorIn(event) !== undefined);
    if (isError || type === 'response.failed') {
      const { response } = event;
      const said = errorIn(isError ? event : response);
      yield messageError(said, responsesUsage(response ?? undefined));
      return;
    }
    // What is sent while the provider is at work begins nothing.
    if (!type?.startsWith('response.')) continue;
    if (!isStarted) yield messageStart(call);
    isStarted = true;
    if (type !== 'response.completed' && type !== 'response.incomplete') {
      yield* blocks.take(event, type);
      continue;
    }
    const response = event.response ?? {};
    yield* blocks.end(response);
    const stop = responsesStop(response, blocks.calls);
    yield* messageEnd(stop, responsesUsage(response), responsesThinking(response));
    return;
  }
  throw brokenAnswer(BROKEN_OFF);
}
