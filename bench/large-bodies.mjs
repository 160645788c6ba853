/**
 * `node bench/large-bodies.mjs`: for how long at most one call keeps the event loop from everybody
 * else, when its body or its answer is large. Exits with 1 when a median misses its goal, as it will
 * where other work takes the machine's time; what an idle gateway shows is the machine's own part.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from './report.mjs';
import { loopWatch, Workshop } from './targets.mjs';

const GOAL_MS = 20;
const MB = 1_000_000;
const CLAUDE = 'anthropic/claude-haiku-4-5';
const GPT = 'openai/gpt-5.4-mini';
const EMBEDDER = 'openai/text-embedding-3-small';

const { values } = parseArgs({
  options: {
    main: { type: 'string', default: fileURLToPath(new URL('../dist/main.js', import.meta.url)) },
    runs: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
  },
});

/** Path, body, and for embeddings the vectors of the answer. */
const CASES = {
  'messages, 8 images, 30 MB': () => ['/v3/v1/messages', withImages(CLAUDE, 8)],
  'messages, 1 image, 30 MB': () => ['/v3/v1/messages', withImages(CLAUDE, 1)],
  'messages, 20 texts, 20 MB': () => ['/v3/v1/messages', withTexts(CLAUDE, 20)],
  'messages, 20,000 texts, 20 MB': () => ['/v3/v1/messages', withTexts(CLAUDE, 20_000)],
  'messages, 60,000 texts': () => ['/v3/v1/messages', withTexts(CLAUDE, 60_000, 5 * MB)],
  'messages, translated, 8 images, 30 MB': () => ['/v3/v1/messages', withImages(GPT, 8)],
  'messages, translated, 20,000 texts, 20 MB': () => ['/v3/v1/messages', withTexts(GPT, 20_000)],
  'chat, translated, 20,000 texts, 20 MB': () => [
    '/v3/chat/completions',
    withTexts(CLAUDE, 20_000),
  ],
  'edit in JSON, 1 image, 20 MB': () => ['/v3/images/edits', edit(1)],
  'edit in JSON, 4 images, 20 MB': () => ['/v3/images/edits', edit(4)],
  'image of 20 MB': () => generation('openai/gpt-image-2.5-flare'),
  'image of 20 MB, translated': () => generation('google/gemini-2.5-flash-image'),
  'embeddings of 100,000 texts': () => embeddings(100_000, 8, 'float', 'float'),
  'embeddings of 100,000 lists of tokens': () => embeddings(100_000, 8, 'float', 'float', tokens),
  '8 MB of floats': () => embeddings(450, 1_536, 'float', 'float'),
  '8 MB of base64': () => embeddings(1_000, 1_536, 'base64', 'base64'),
  '8 MB of floats, wanted as base64': () => embeddings(450, 1_536, 'base64', 'float'),
  '8 MB of base64, wanted as floats': () => embeddings(1_000, 1_536, 'float', 'base64'),
};

const LARGE_IMAGE = noise(20 * MB);
/** What the upstream answers embeddings with. */
let vectors = { length: 8, encoding: 'float' };
const workshop = new Workshop();
const upstream = createServer(answer).listen(0, '127.0.0.1');
await once(upstream, 'listening');
const watch = await loopWatch();
const gateway = await workshop.gateway(
  'gateway',
  values.main,
  { url: `http://127.0.0.1:${upstream.address().port}` },
  {
    EMBEDDINGS_MAX_INPUTS: '100000',
    GOOGLE_API_KEY: 'key-of-the-bench-for-google',
    GOOGLE_BASE_URL: `http://127.0.0.1:${upstream.address().port}/v1beta`,
    ...watch.env,
  },
);
let failed = false;

for (let round = 0; round < 50; round++) {
  await send(['/v3/v1/messages', withTexts(CLAUDE, 2, 10_000)]);
  await send(embeddings(3, 8, 'base64', 'float'));
}
say('idle'.padEnd(40), await measured(() => delay(200)), '');
for (const [name, make] of Object.entries(CASES)) {
  if (!name.includes(values.only)) continue;
  const call = make();
  await send(call);
  const times = await measured(() => send(call));
  failed ||= times.median > GOAL_MS;
  say(name.padEnd(40), times, times.median > GOAL_MS ? 'FAIL' : 'ok');
}
process.exit(failed ? 1 : 0);

/** Of several runs, for how long each has kept the loop. */
async function measured(work) {
  const times = [];
  for (let run = 0; run < Number(values.runs); run++) {
    await delay(100);
    await longest();
    await work();
    await delay(20);
    times.push(await longest());
  }
  return { median: quantile(times, 0.5), least: Math.min(...times), most: Math.max(...times) };
}

async function longest() {
  return (await watch.look()).max;
}

async function send([path, body, wanted]) {
  if (wanted) vectors = wanted;
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 500)}`);
}

function withImages(model, count) {
  const data = noise((30 * MB) / count);
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const content = [...Array(count).fill(image), { type: 'text', text: 'What is that?' }];
  return JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content }] });
}

function withTexts(model, count, bytes = 20 * MB) {
  const content = 'She said "yes".\nThe quick brown fox jumps over the lazy dog. '
    .repeat(bytes / 60)
    .slice(0, bytes / count);
  const messages = Array.from({ length: count }, (_, turn) => ({
    role: turn % 2 ? 'assistant' : 'user',
    content,
  }));
  messages.push({ role: 'user', content: 'And?' });
  return JSON.stringify({ model, max_tokens: 16, messages });
}

function edit(count) {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000010000000100008060000', 'hex');
  const image = header.toString('base64').slice(0, 36) + noise((20 * MB) / count);
  const images = Array(count).fill({ image_url: `data:image/png;base64,${image}` });
  return JSON.stringify({ model: 'openai/gpt-image-1', prompt: 'night', images });
}

function embeddings(count, length, wanted, encoding, itemOf = (index) => `text number ${index}`) {
  const input = Array.from({ length: count }, (_, index) => itemOf(index));
  const body = JSON.stringify({ model: EMBEDDER, input, encoding_format: wanted });
  return ['/v3/embeddings', body, { length, encoding }];
}

function tokens(index) {
  return [index, 2 * index];
}

function generation(model) {
  return ['/v3/images/generations', JSON.stringify({ model, prompt: 'night' })];
}

/** So many characters of base64. */
function noise(length) {
  const bytes = Uint8Array.from({ length: (length * 3) / 4 }, (_, at) => (at * at * 31) >> 7);
  return Buffer.from(bytes).toString('base64');
}

/** The provider's part. */
function answer(request, response) {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .once('end', () => {
      const reply = replyTo(request.url, chunks);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(reply),
      });
      response.end(reply);
    });
}

function replyTo(path, chunks) {
  if (path.endsWith('/messages')) {
    const usage = { input_tokens: 5, output_tokens: 5 };
    const content = [{ type: 'text', text: 'ok' }];
    return JSON.stringify({ type: 'message', role: 'assistant', content, usage });
  }
  if (path.endsWith('/generations')) return JSON.stringify({ data: [{ b64_json: LARGE_IMAGE }] });
  if (path.endsWith(':generateContent')) {
    const parts = [{ inlineData: { mimeType: 'image/png', data: LARGE_IMAGE } }];
    return JSON.stringify({ candidates: [{ content: { parts }, finishReason: 'STOP' }] });
  }
  if (path.endsWith('/edits')) return JSON.stringify({ data: [{ b64_json: 'AAAA' }] });
  if (path.endsWith('/completions')) {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' } }];
    return JSON.stringify({ choices, usage: { prompt_tokens: 5, completion_tokens: 5 } });
  }
  const { input } = JSON.parse(Buffer.concat(chunks).toString());
  const vector = Array.from({ length: vectors.length }, (_, at) => Math.sin(at) / 30);
  const embedding =
    vectors.encoding === 'base64'
      ? Buffer.from(new Float32Array(vector).buffer).toString('base64')
      : vector.map((component) => Number(component.toFixed(9)));
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding }));
  return JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 5, total_tokens: 5 } });
}

function say(name, { median, least, most }, verdict) {
  const [middle, ...ends] = [median, least, most].map((ms) => ms.toFixed(1).padStart(6));
  process.stdout.write(`${name} ${middle} ms (${ends.join(' to ')}) ${verdict}\n`);
}
