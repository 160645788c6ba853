import { Pool } from 'undici';
import { faultOf, isLeft, usageOf } from './soak-upstream.mjs';

/** Prices in 10⁻¹² USD a token, and an image. */
const PRICES = { input: 3_000_000n, output: 15_000_000n, image: 40_000_000_000n };
const price = (units) => Number(units) / 1e12;

/** The models of the run, as `MODELS_FILE` has them. */
export const MODELS = `models:
  anthropic/soak:
    endpoints: [messages]
    context_length: 200000
    max_output_tokens: 8192
    pricing: { input_cost_per_token: ${price(PRICES.input)}, output_cost_per_token: ${price(PRICES.output)} }
  openai/soak-chat:
    endpoints: [messages]
    context_length: 200000
    max_output_tokens: 8192
    pricing: { input_cost_per_token: ${price(PRICES.input)}, output_cost_per_token: ${price(PRICES.output)} }
  openai/soak-embedding:
    endpoints: [embeddings]
    pricing: { input_cost_per_token: ${price(PRICES.input)} }
  openai/soak-image:
    endpoints: [images, image-edits]
    pricing: { output_cost_per_image: ${price(PRICES.image)} }
`;

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000004000000040008060000', 'hex'),
  Buffer.alloc(30_000, 0x5a),
]).toString('latin1');
const TYPES = { json: 'application/json', form: 'multipart/form-data; boundary=b' };

const text = (number) => `A question, soak ${number}. ${'It has some words more. '.repeat(20)}`;
const turn = (number) => ({ messages: [{ role: 'user', content: text(number) }] });
const json = (fields) => ({ type: 'json', body: JSON.stringify(fields) });
const tokens = (number) => {
  const { input, output } = usageOf(number);
  return BigInt(input) * PRICES.input + BigInt(output) * PRICES.output;
};

/** What is asked. `cost` is what a good answer costs, undefined where there is no record of it. */
const KINDS = [
  kind('/v3/v1/messages', (n) => json({ model: 'anthropic/soak', max_tokens: 99, ...turn(n) })),
  kind(
    '/v3/v1/messages',
    (n) => json({ model: 'anthropic/soak', max_tokens: 99, stream: true, ...turn(n) }),
    { end: 'message_stop' },
  ),
  kind('/v3/chat/completions', (n) => json({ model: 'openai/soak-chat', ...turn(n) })),
  kind(
    '/v3/chat/completions',
    (n) => json({ model: 'openai/soak-chat', stream: true, ...turn(n) }),
    { end: '[DONE]' },
  ),
  kind(
    '/v3/chat/completions',
    (n) => json({ model: 'anthropic/soak', max_tokens: 99, stream: true, ...turn(n) }),
    { end: '[DONE]' },
  ),
  kind('/v3/responses', (n) =>
    json({ model: 'anthropic/soak', max_output_tokens: 99, input: text(n) }),
  ),
  kind('/v3/embeddings', (n) => json({ model: 'openai/soak-embedding', input: text(n) }), {
    cost: (n) => BigInt(usageOf(n).input) * PRICES.input,
  }),
  kind('/v3/images/generations', (n) => json({ model: 'openai/soak-image', prompt: text(n) }), {
    cost: () => PRICES.image,
  }),
  kind('/v3/images/edits', (n) => form({ model: 'openai/soak-image', prompt: text(n) }, 'image'), {
    cost: () => PRICES.image,
  }),
  kind('/v3/v1/messages/count_tokens', (n) => json({ model: 'anthropic/soak', ...turn(n) }), {
    cost: undefined,
  }),
  kind('/v3/upload', () => form({ purpose: 'soak', expires_in_days: '1' }, 'file'), {
    cost: undefined,
  }),
];

/** The kind of a request by its number; faults and leaving meet all kinds alike. */
export function kindOf(number) {
  return KINDS[Math.floor(number / 3) % KINDS.length];
}

/** The id under which the gateway records a request. */
const idOf = (number) => `soak_${number}`;
export const numberOf = (id) => Number(id.slice('soak_'.length));

/** The provider takes ten: who is to leave does so before any answer is over. */
const LEFT_WITHIN_MS = 10;

/** Sends requests. */
export class Traffic {
  #pool;
  #key;
  /** How requests ended. */
  outcomes = { good: 0, left: 0, failed: 0 };
  /** Those that ended otherwise than they should. */
  unexpected = [];
  sent = 0;

  constructor(url, key) {
    this.#pool = new Pool(url, { connections: 256 });
    this.#key = key;
  }

  /** One request, and what becomes of it. */
  async send(number) {
    this.sent += 1;
    const asked = kindOf(number);
    const leaving = isLeft(number) ? new AbortController() : undefined;
    if (leaving) setTimeout(() => leaving.abort(), (number * 7) % LEFT_WITHIN_MS);
    const ended = await this.#ask(number, asked, leaving?.signal).catch((error) => ({
      status: 0,
      said: String(error.message),
    }));
    const isGood = ended.status === 200 && (!asked.end || ended.said.includes(asked.end));
    const fault = faultOf(number);
    if (isGood) this.outcomes.good += 1;
    else if (leaving) this.outcomes.left += 1;
    else this.outcomes.failed += 1;
    // Uploads do not meet the provider, and tokens may be estimated without it.
    if (leaving || isGood === !fault || (fault && !asked.cost)) return;
    const { status, said } = ended;
    this.unexpected.push(`${number} ${asked.path} ${fault ?? 'no fault'}: ${status} ${said}`);
  }

  close() {
    return this.#pool.destroy();
  }

  async #ask(number, { path, make }, signal) {
    const { type, body } = make(number);
    const response = await this.#pool.request({
      method: 'POST',
      path,
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': TYPES[type],
        'x-request-id': idOf(number),
      },
      body,
      signal,
    });
    const said = await response.body.text();
    if (path === '/v3/upload' && response.statusCode === 200) {
      await this.#delete(JSON.parse(said).file_id);
    }
    return { status: response.statusCode, said: said.slice(-300) };
  }

  async #delete(id) {
    const { body } = await this.#pool.request({
      method: 'DELETE',
      path: `/v3/upload/${id}`,
      headers: { authorization: `Bearer ${this.#key}` },
    });
    await body.dump();
  }
}

function kind(path, make, more) {
  return { path, make, cost: tokens, ...more };
}

function form(fields, file) {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const part = `--b\r\ncontent-disposition: form-data; name="${file}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  return {
    type: 'form',
    body: Buffer.from(`${texts.join('')}${part}${PNG}\r\n--b--\r\n`, 'latin1'),
  };
}
