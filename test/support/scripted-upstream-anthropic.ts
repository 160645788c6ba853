import {
  callId,
  callsTool,
  halves,
  plain,
  PROOF,
  type Said,
  sse,
  USED,
  type Wire,
} from './scripted-upstream-wire.js';

const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type);

/** https://docs.anthropic.com/en/api/messages-streaming */
export const anthropicWire: Wire = {
  mediaType: 'text/event-stream',

  read: ({ tools = [], messages, thread }) => {
    const blocks: any[] = messages.flatMap(({ content }: any) =>
      typeof content === 'string' ? [] : content,
    );
    const results = blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id, content }) => ({ id, text: plain(content) }));
    return {
      tools: tools.map(({ name, input_schema: schema }: any) => ({ name, schema: schema ?? {} })),
      // Earlier turns of a thread are not in the request.
      calls: thread?.previous_message_id
        ? results
        : blocks
            .filter(({ type }) => type === 'tool_use')
            .map(({ id, name }) => ({ id, text: name })),
      results,
      proofs: blocks.flatMap(({ type, signature }) => (type === 'thinking' ? [signature] : [])),
    };
  },

  stream: (said, { messages }) => [
    event('message_start', {
      message: {
        ...{ id: `msg_${messages.length}`, type: 'message', role: 'assistant', model: 'claude' },
        content: [],
        ...{ stop_reason: null, stop_sequence: null },
        usage: { input_tokens: USED.input, output_tokens: 1 },
      },
    }),
    event('ping'),
    ...said.flatMap((each, index) => block(each, index, messages.length)),
    ...(said.some((each) => 'error' in each)
      ? []
      : [
          event('message_delta', {
            delta: { stop_reason: callsTool(said) ? 'tool_use' : 'end_turn', stop_sequence: null },
            usage: { output_tokens: USED.output },
          }),
          event('message_stop'),
        ]),
  ],
};

function block(said: Said, index: number, turn: number): string[] {
  if ('error' in said) {
    return [event('error', { error: { type: 'overloaded_error', message: said.error } })];
  }
  const [content_block, deltas] = opened(said, callId('toolu_', turn, index));
  return [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

function opened(said: Exclude<Said, { error: string }>, id: string): [object, object[]] {
  if ('text' in said) {
    const deltas = halves(said.text).map((text) => ({ type: 'text_delta', text }));
    return [{ type: 'text', text: '' }, deltas];
  }
  if ('thinking' in said) {
    const deltas = halves(said.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
    const signed = { type: 'signature_delta', signature: PROOF };
    return [{ type: 'thinking', thinking: '', signature: '' }, [...deltas, signed]];
  }
  const json = halves(JSON.stringify(said.input));
  return [
    { type: 'tool_use', id, name: said.tool, input: {} },
    json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ];
}
