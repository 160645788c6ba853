/**
 * What is measured. `path` and `body` are the request as a provider takes it, and with `gatewayPath`
 * as the gateway does; `reply` is what the upstream answers: one JSON text, or the events of a
 * stream. `rate` (requests a second) is moderate for that size of answer.
 */
export const SCENARIOS = [
  {
    name: 'messages',
    ...messages({ messages: [{ role: 'user', content: words(800) }] }),
    reply: message(words(700)),
    connections: 32,
    rate: 200,
  },
  {
    name: 'messages-200k',
    ...messages({ messages: conversation(100, 2_000) }),
    reply: message(words(700)),
    connections: 16,
    rate: 50,
  },
  {
    name: 'messages-stream',
    ...messages({ messages: [{ role: 'user', content: words(800) }], stream: true }),
    events: messageEvents(60),
    end: 'message_stop',
  },
  {
    name: 'chat',
    ...chat({}),
    reply: {
      id: 'chatcmpl-bench',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'gpt-5.4-mini',
      choices: [
        { index: 0, message: { role: 'assistant', content: words(700) }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 200, completion_tokens: 150, total_tokens: 350 },
    },
    connections: 32,
    rate: 200,
  },
  {
    name: 'chat-stream',
    ...chat({ stream: true }),
    events: chatEvents(60),
    end: '[DONE]',
  },
  {
    name: 'embeddings',
    ...embeddings({}),
    reply: vectors((_, index) => vector(index)),
    connections: 4,
    rate: 10,
  },
  {
    name: 'embeddings-base64',
    ...embeddings({ encoding_format: 'base64' }),
    reply: vectors((_, index) =>
      Buffer.from(new Float32Array(vector(index)).buffer).toString('base64'),
    ),
    connections: 4,
    rate: 20,
  },
  {
    name: 'image',
    path: '/v1/images/generations',
    gatewayPath: '/v3/images/generations',
    body: { model: 'openai/gpt-image-2', prompt: words(200) },
    reply: {
      created: 1_790_000_000,
      data: [{ b64_json: noise(1_500_000).toString('base64') }],
      size: '1024x1024',
      quality: 'high',
      output_format: 'png',
      usage: {
        input_tokens: 50,
        output_tokens: 4_160,
        total_tokens: 4_210,
        input_tokens_details: { text_tokens: 50, image_tokens: 0 },
      },
    },
    connections: 4,
    rate: 20,
  },
];

function messages(fields) {
  return {
    path: '/v1/messages',
    gatewayPath: '/v3/v1/messages',
    body: { model: 'anthropic/claude-sonnet-5-5', max_tokens: 1_024, ...fields },
  };
}

function chat(fields) {
  return {
    path: '/v1/chat/completions',
    gatewayPath: '/v3/chat/completions',
    body: {
      model: 'openai/gpt-5.4-mini',
      messages: [{ role: 'user', content: words(800) }],
      ...fields,
    },
  };
}

function embeddings(fields) {
  return {
    path: '/v1/embeddings',
    gatewayPath: '/v3/embeddings',
    body: {
      model: 'openai/text-embedding-3-small',
      input: Array.from({ length: 256 }, () => words(100)),
      ...fields,
    },
  };
}

function conversation(turns, length) {
  return Array.from({ length: turns }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: words(length) }],
  }));
}

function message(text) {
  return {
    id: 'msg_bench',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5-5',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 200,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 150,
    },
  };
}

function messageEvents(count) {
  const delta = {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: words(20) },
  };
  const events = [
    { type: 'message_start', message: { ...message(''), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...Array.from({ length: count - 5 }, () => delta),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 150 },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function chatEvents(count) {
  const chunk = (fields) => ({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'gpt-5.4-mini',
    system_fingerprint: 'fp_bench',
    ...fields,
  });
  const choice = (delta, finish_reason = null) =>
    chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null });
  const events = [
    choice({ role: 'assistant', content: '' }),
    ...Array.from({ length: count - 4 }, () => choice({ content: words(20) })),
    choice({}, 'stop'),
    chunk({
      choices: [],
      usage: { prompt_tokens: 200, completion_tokens: 150, total_tokens: 350 },
    }),
  ];
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
}

function vectors(make) {
  return {
    object: 'list',
    data: Array.from({ length: 256 }, (_, index) => ({
      object: 'embedding',
      index,
      embedding: make(_, index),
    })),
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 6_400, total_tokens: 6_400 },
  };
}

/** As OpenAI writes them: up to ten digits behind the point, about 20 kB a vector. */
function vector(seed) {
  return Array.from({ length: 1_536 }, (_, at) => Number(Math.sin(seed * 1_536 + at).toFixed(10)));
}

/** Bytes that look random and are the same in every run. */
function noise(length) {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Text of that many characters, with the quotes and line ends that real text has. */
function words(length) {
  return 'The quick brown fox said "jump" and\nthe lazy dog did not. '
    .repeat(Math.ceil(length / 58))
    .slice(0, length);
}
