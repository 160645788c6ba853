import { type Surface } from '../dispatch/surface.js';
import { ChatChunks } from './chat-chunks.js';
import { chatCompletion } from './chat-completion.js';
import { neutralRequest } from './chat-request.js';
import { chatNames } from './chat-names.js';

/** OpenAI's chat completions. https://platform.openai.com/docs/api-reference/chat */
export const chatSurface: Surface = {
  format: 'openai',
  names: chatNames,
  read: neutralRequest,
  render: chatCompletion,
  writer: (call) => new ChatChunks(call),
};
