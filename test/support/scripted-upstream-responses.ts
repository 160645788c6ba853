import {
  callId,
  halves,
  plain,
  type Said,
  sse,
  USED,
  type Wire,
} from './scripted-upstream-wire.js';

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responsesWire: Wire = {
  mediaType: 'text/event-stream',

  read: ({ tools = [], input }) => {
    const items: any[] = typeof input === 'string' ? [] : input;
    const isCall = ({ type }: any) => type === 'function_call' || type === 'custom_tool_call';
    const isResult = ({ type }: any) => /^(function|custom_tool)_call_output$/.test(type);
    return {
      tools: tools
        .flatMap((tool: any) => (tool.type === 'namespace' ? tool.tools : [tool]))
        .filter(({ type }: any) => type === 'function')
        .map(({ name, parameters: schema }: any) => ({ name, schema: schema ?? {} })),
      calls: items.filter(isCall).map(({ call_id: id, name }) => ({ id, text: name })),
      results: items
        .filter(isResult)
        .map(({ call_id: id, output }) => ({ id, text: plain(output) })),
      proofs: items.flatMap(({ encrypted_content: proof }) => proof ?? []),
    };
  },

  stream: (said, { input }) => {
    const head = { id: 'resp_up', object: 'response', created_at: 1, model: 'gpt' };
    const failed = said.find((each) => 'error' in each);
    const made = said.flatMap((each, index) =>
      'error' in each ? [] : [item(each, index, input.length)],
    );
    const usage = {
      input_tokens: USED.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: USED.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: USED.input + USED.output,
    };
    const output = made.map(({ done }) => done);
    const response = { ...head, status: 'completed', output, usage, error: null };
    const error = { code: 'server_error', message: failed?.error };
    const events = [
      { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
      ...made.flatMap(({ events: each }) => each),
      failed
        ? { type: 'response.failed', response: { ...response, status: 'failed', error } }
        : { type: 'response.completed', response },
    ];
    return events.map((each, sequence_number) => sse({ ...each, sequence_number }, each.type));
  },
};

interface Item {
  readonly done: object;
  readonly events: readonly { readonly type: string }[];
}

function item(said: Exclude<Said, { error: string }>, output_index: number, turn: number): Item {
  const item_id = `item_${turn}_${output_index}`;
  const at = { item_id, output_index };
  const added = (fields: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { id: item_id, ...fields },
  });
  const done = (fields: object) => ({
    type: 'response.output_item.done',
    output_index,
    item: { id: item_id, ...fields },
  });
  if ('text' in said) {
    const message = { type: 'message', role: 'assistant' };
    const part = { type: 'output_text', text: said.text, annotations: [] };
    const whole = { ...message, status: 'completed', content: [part] };
    const within = { ...at, content_index: 0 };
    return {
      done: { id: item_id, ...whole },
      events: [
        added({ ...message, status: 'in_progress', content: [] }),
        { type: 'response.content_part.added', ...within, part: { ...part, text: '' } } as never,
        ...halves(said.text).map((delta) => ({
          type: 'response.output_text.delta',
          ...within,
          delta,
        })),
        { type: 'response.output_text.done', ...within, text: said.text } as never,
        { type: 'response.content_part.done', ...within, part } as never,
        done(whole),
      ],
    };
  }
  if ('thinking' in said) {
    const summary = [{ type: 'summary_text', text: said.thinking }];
    const whole = { type: 'reasoning', summary, encrypted_content: 'sealed' };
    const within = { ...at, summary_index: 0 };
    const empty = { type: 'summary_text', text: '' };
    return {
      done: { id: item_id, ...whole },
      events: [
        added({ ...whole, summary: [] }),
        { type: 'response.reasoning_summary_part.added', ...within, part: empty } as never,
        ...halves(said.thinking).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          ...within,
          delta,
        })),
        { type: 'response.reasoning_summary_text.done', ...within, text: said.thinking } as never,
        { type: 'response.reasoning_summary_part.done', ...within, part: summary[0] } as never,
        done(whole),
      ],
    };
  }
  const json = JSON.stringify(said.input);
  const call = {
    type: 'function_call',
    call_id: callId('call_', turn, output_index),
    name: said.tool,
  };
  const whole = { ...call, arguments: json, status: 'completed' };
  return {
    done: { id: item_id, ...whole },
    events: [
      added({ ...call, arguments: '', status: 'in_progress' }),
      ...halves(json).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...at,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...at, arguments: json } as never,
      done(whole),
    ],
  };
}
