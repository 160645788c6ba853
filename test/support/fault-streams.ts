import { GOOD_STREAM, streamEnd, streamStart, textBlock } from './fault-answers.js';
import { type Ending } from './fault-modes.js';
import { messageEvent } from './provider-answers.js';

/** A stream of Anthropic's events with something wrong in it, and what the caller gets. */
export interface StreamFault {
  readonly name: string;
  readonly bytes: Buffer;
  readonly ending: Ending;
}

const overloaded = { error: { type: 'overloaded_error', message: 'Overloaded' } };
const ping = messageEvent('ping');
/** Something was said before the cut: what has said nothing yet may still be left to another model. */
const SAID = Buffer.from(streamStart() + textBlock('a', 'héllo') + streamEnd());
/** How long it is up to the half of the second letter of its second delta. */
const HALF_LETTER = SAID.indexOf('é') + 1;

/** The faults of streams whose events arrive; those of the connection are modes. */
export const STREAM_FAULTS: readonly StreamFault[] = [
  stream('has nothing wrong', GOOD_STREAM, 'answer'),
  stream('ends its lines with CRLF', GOOD_STREAM.replaceAll('\n', '\r\n'), 'answer'),
  stream('names no events', GOOD_STREAM.replace(/^event: .*\n/gm, ''), 'answer'),
  stream('pings a lot', GOOD_STREAM.replace(/^event:/gm, `${ping.repeat(5)}event:`), 'answer'),
  stream(
    'has events that nobody knows',
    streamStart() + messageEvent('of_the_future', { x: 1 }) + textBlock('a') + streamEnd(),
    'answer',
  ),
  stream('begins twice', streamStart() + streamStart() + textBlock('a') + streamEnd(), 'answer'),
  stream(
    'has a delta that is broken',
    streamStart() + textBlock('a', 'b', 'c').replace('"text":"b"}}', '"te') + streamEnd(),
    'api_error',
  ),
  stream('has noise in it', GOOD_STREAM.replace(/^event:/gm, 'data: alive\n\nevent:'), 'answer'),
  stream('reports no usage', streamStart({}) + textBlock('a') + streamEnd(undefined), 'answer'),
  stream(
    'reports less than nothing',
    streamStart({ input_tokens: 10, output_tokens: -5 }) +
      textBlock('a') +
      streamEnd({ output_tokens: -12 }),
    'answer',
  ),
  stream(
    'reports more than there is',
    (streamStart() + textBlock('a') + streamEnd()).replace(':12}', ':9007199254740993}'),
    'answer',
  ),
  stream(
    'has no message_stop',
    streamStart() + textBlock('a') + streamEnd().replace(messageEvent('message_stop'), ''),
    'api_error',
  ),
  stream('is cut in an event', SAID.subarray(0, HALF_LETTER - 40), 'api_error'),
  stream('is cut in a character', SAID.subarray(0, HALF_LETTER), 'api_error'),
  stream(
    'fails in the middle',
    streamStart() + textBlock('a') + messageEvent('error', overloaded),
    'overloaded_error',
  ),
  stream('fails at once', messageEvent('error', overloaded), 529),
  stream('is an end without a beginning', messageEvent('message_stop'), 502),
  stream(
    'begins without a message',
    messageEvent('message_start') + textBlock('a') + streamEnd(),
    502,
  ),
  stream('is a page', '<html><body>Bad Gateway</body></html>', 502),
  stream('is empty', '', 502),
];

function stream(name: string, text: string | Buffer, ending: Ending): StreamFault {
  return { name, bytes: Buffer.from(text), ending };
}
