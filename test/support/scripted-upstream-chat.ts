import {
  callId,
  callsTool,
  chatExchanges,
  halves,
  type Said,
  sse,
  USED,
  type Wire,
} from './scripted-upstream-wire.js';

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export const chatWire: Wire = {
  mediaType: 'text/event-stream',

  read: ({ tools = [], messages }) => ({
    tools: tools.map(({ function: { name, parameters: schema } }: any) => ({
      name,
      schema: schema ?? {},
    })),
    ...chatExchanges(messages),
    proofs: messages.flatMap(({ reasoning_content: text }: any) => text ?? []),
  }),

  stream: (said, { messages }) => {
    const calls = said.filter((each) => 'tool' in each);
    const pieces = said.flatMap((each) =>
      delta(each, calls.indexOf(each as never), messages.length),
    );
    if (said.some((each) => 'error' in each)) return pieces;
    const usage = {
      prompt_tokens: USED.input,
      completion_tokens: USED.output,
      total_tokens: USED.input + USED.output,
    };
    return [
      chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
      ...pieces,
      chunk([{ index: 0, delta: {}, finish_reason: callsTool(said) ? 'tool_calls' : 'stop' }]),
      chunk([], { usage }),
      sse('[DONE]'),
    ];
  },
};

function delta(said: Said, index: number, turn: number): string[] {
  const piece = (fields: object) => chunk([{ index: 0, delta: fields, finish_reason: null }]);
  if ('error' in said) {
    return [sse({ error: { message: said.error, type: 'server_error', code: null, param: null } })];
  }
  if ('text' in said) return halves(said.text).map((content) => piece({ content }));
  if ('thinking' in said) {
    return halves(said.thinking).map((reasoning_content) => piece({ reasoning_content }));
  }
  const call = { id: callId('call_', turn, index), type: 'function' };
  return [
    piece({ tool_calls: [{ index, ...call, function: { name: said.tool, arguments: '' } }] }),
    ...halves(JSON.stringify(said.input)).map((json) =>
      piece({ tool_calls: [{ index, function: { arguments: json } }] }),
    ),
  ];
}

function chunk(choices: object[], more: object = {}): string {
  const head = { id: 'chatcmpl_up', object: 'chat.completion.chunk', created: 1, model: 'gpt' };
  return sse({ ...head, choices, ...more });
}
