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

/** https://docs.cohere.com/docs/streaming */
export const cohereWire: Wire = {
  mediaType: 'text/event-stream',

  read: ({ tools = [], messages }) => ({
    tools: tools.map(({ function: { name, parameters: schema } }: any) => ({ name, schema })),
    ...chatExchanges(messages),
    proofs: [],
  }),

  stream: (said, { messages }) => {
    const counts = { input_tokens: USED.input, output_tokens: USED.output };
    const failed = said.find((each) => 'error' in each);
    return [
      event('message-start', { id: 'up', delta: { message: { role: 'assistant' } } }),
      ...said.flatMap((each, index) => content(each, index, messages.length)),
      event('message-end', {
        delta: failed
          ? { finish_reason: 'ERROR', error: failed.error }
          : {
              finish_reason: callsTool(said) ? 'TOOL_CALL' : 'COMPLETE',
              usage: { billed_units: counts, tokens: counts },
            },
      }),
    ];
  },
};

function content(said: Said, index: number, turn: number): string[] {
  if ('error' in said) return [];
  if ('tool' in said) {
    const piece = (type: string, tool_calls: object) =>
      event(type, { index, delta: { message: { tool_calls } } });
    const named = { name: said.tool, arguments: '' };
    return [
      piece('tool-call-start', {
        id: callId('call_', turn, index),
        type: 'function',
        function: named,
      }),
      ...halves(JSON.stringify(said.input)).map((json) =>
        piece('tool-call-delta', { function: { arguments: json } }),
      ),
      event('tool-call-end', { index }),
    ];
  }
  const [type, text] = 'text' in said ? ['text', said.text] : ['thinking', said.thinking];
  const piece = (kind: string, fields: object) =>
    event(kind, { index, delta: { message: { content: fields } } });
  return [
    piece('content-start', { type, [type]: '' }),
    ...halves(text).map((half) => piece('content-delta', { [type]: half })),
    event('content-end', { index }),
  ];
}

function event(type: string, fields: object): string {
  return sse({ type, ...fields }, type);
}
