/** What providers answer in many tests: a short text, as a whole and as a stream. */

/** A chat completion of OpenAI's. */
export const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
};

/** The chunks of the same. */
export const CHUNKS = [
  { id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] },
  { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { id: 'c1', choices: [], usage: COMPLETION.usage },
]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join('');

/** An event of a Messages stream of Anthropic's. */
export function messageEvent(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** A message of Anthropic's that says nothing yet. */
export const MESSAGE = { id: 'm', type: 'message', role: 'assistant', content: [] };

/** The first events of a stream: 100 input tokens, and `Hi`. */
export const BEGINNING =
  messageEvent('message_start', {
    message: { ...MESSAGE, usage: { input_tokens: 100, output_tokens: 1 } },
  }) +
  messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
  messageEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hi' } });

/** Its last events: 50 output tokens. */
export const END =
  messageEvent('content_block_stop', { index: 0 }) +
  messageEvent('message_delta', {
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: 50 },
  }) +
  messageEvent('message_stop');
