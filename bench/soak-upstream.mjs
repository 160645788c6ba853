import { createServer } from 'node:http';

/** Requests are told apart by a number, which stands in their texts: `soak 123.` */
const MARK = /soak (\d+)\./;
/** Of twenty requests one meets a fault, and one is left by its caller. */
const EVERY = 20;
const FAULTS = ['500', 'reset', 'hang', 'cut', '429'];
const TAKES_MS = 10;
const IMAGE = Buffer.alloc(20_000, 0x5a).toString('base64');

/** The fault that a request meets; undefined for most. */
export function faultOf(number) {
  return number % EVERY === 7 ? FAULTS[Math.floor(number / EVERY) % FAULTS.length] : undefined;
}

/** Whether the caller of a request leaves before its end. */
export function isLeft(number) {
  return number % EVERY === 13;
}

/** What the provider says that a request has used. */
export function usageOf(number) {
  return { input: 100 + (number % 53), output: 10 + (number % 31) };
}

/**
 * A provider of Anthropic's and OpenAI's formats; resolves with its address, and with how many streams
 * of callers who left were cut, of all that came.
 */
export function startUpstream() {
  const left = { streams: 0, cut: 0 };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.once('end', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const number = Number(MARK.exec(text)?.[1] ?? 0);
      const isStream = /"stream":\s*true/.test(text);
      if (isStream && isLeft(number)) {
        left.streams += 1;
        response.once('close', () => (left.cut += response.writableFinished ? 0 : 1));
      }
      setTimeout(answer, TAKES_MS, response, { path: request.url, number, isStream });
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${server.address().port}`, left }),
    );
  });
}

function answer(response, asked) {
  const fault = faultOf(asked.number);
  if (fault === 'hang') return;
  if (fault === 'reset') response.destroy();
  else if (fault === '500') send(response, 500, { error: { message: 'broken' } });
  else if (fault === '429') send(response, 429, { error: { message: 'slow down' } });
  else if (asked.isStream) stream(response, eventsFor(asked), fault === 'cut');
  else if (fault === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5_000 });
    response.write('{"id":');
    setTimeout(() => response.destroy(), TAKES_MS);
  } else send(response, 200, replyTo(asked));
}

function send(response, status, value) {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

/** Piece by piece, as models write. */
function stream(response, events, isCut) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const end = isCut ? 3 : events.length;
  let next = 0;
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer);
    else if (next < end) response.write(events[next++]);
    else {
      clearInterval(timer);
      if (isCut) response.destroy();
      else response.end();
    }
  }, 5);
}

function replyTo({ path, number }) {
  const { input, output } = usageOf(number);
  if (path.includes('count_tokens')) return { input_tokens: input };
  if (path.includes('embeddings')) {
    const embedding = Array.from({ length: 256 }, (_, at) => Math.sin(at + number));
    const usage = { prompt_tokens: input, total_tokens: input };
    return { object: 'list', data: [{ object: 'embedding', index: 0, embedding }], usage };
  }
  if (path.includes('images')) return { created: 1_790_000_000, data: [{ b64_json: IMAGE }] };
  if (path.includes('chat')) {
    const message = { role: 'assistant', content: `answer ${number}` };
    return {
      ...chat(number, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: chatUsage(number),
    };
  }
  return {
    ...message(number),
    content: [{ type: 'text', text: `answer ${number}` }],
    stop_reason: 'end_turn',
    usage: { input_tokens: input, output_tokens: output },
  };
}

function eventsFor({ path, number }) {
  return path.includes('chat') ? chatEvents(number) : messageEvents(number);
}

function messageEvents(number) {
  const { input, output } = usageOf(number);
  const delta = { type: 'text_delta', text: 'some words of an answer ' };
  return [
    {
      type: 'message_start',
      message: { ...message(number), usage: { input_tokens: input, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...Array.from({ length: 6 }, () => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function chatEvents(number) {
  const chunk = chat(number, 'chat.completion.chunk');
  const delta = (content, finish_reason = null) => ({
    ...chunk,
    choices: [{ index: 0, delta: content, finish_reason }],
  });
  const chunks = [
    delta({ role: 'assistant', content: '' }),
    ...Array.from({ length: 6 }, () => delta({ content: 'some words of an answer ' })),
    delta({}, 'stop'),
    { ...chunk, choices: [], usage: chatUsage(number) },
  ];
  return [...chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`), 'data: [DONE]\n\n'];
}

function message(number) {
  return { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'soak', content: [] };
}

function chat(number, object) {
  return { id: `chatcmpl-${number}`, object, created: 1_790_000_000, model: 'soak-chat' };
}

function chatUsage(number) {
  const { input, output } = usageOf(number);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
