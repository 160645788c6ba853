import { thinkingTokens } from '../contract/neutral.js';
import { type Surface } from '../dispatch/surface.js';
import { responsesUsageOf } from '../providers/dialects/responses/responses-usage.js';
import { OutputItems } from './output-items.js';
import { readRequest } from './read-request.js';
import { ResponseEvents } from './response-events.js';
import { responseBegun } from './response-object.js';
import { responsesNames } from './responses-names.js';

/** OpenAI's Responses API. https://platform.openai.com/docs/api-reference/responses */
export const responsesSurface: Surface = {
  format: 'responses',
  names: responsesNames,
  read: readRequest,
  render(message, usage, call) {
    const output = new OutputItems(call, () => undefined);
    for (const block of message.content) {
      output.begin(block);
      output.endBlock();
    }
    const ending = output.finish(message);
    return {
      ...responseBegun(call),
      ...ending,
      output: output.done,
      usage: responsesUsageOf(usage, thinkingTokens(message.usage)),
    };
  },
  writer: (call) => new ResponseEvents(call),
};
