import { describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { requestRow } from './support/request-rows.js';
import { API_KEY } from './support/gateway.js';
import { SURFACES } from './support/surfaces.js';
import { useGatewayBefore } from './support/use-gateway.js';

const gateway = useGatewayBefore((url) => ({
  DEEPSEEK_API_KEY: 'upstream-deepseek-key',
  DEEPSEEK_BASE_URL: `${url}/deepseek`,
  GOOGLE_API_KEY: 'upstream-google-key',
  GOOGLE_BASE_URL: `${url}/google`,
}));

const line = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
/** Streams in which each piece says what has been used so far. */
const FORMATS = {
  'deepseek/deepseek-v4-flash': {
    piece: line({
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }],
      usage: { prompt_tokens: 1_000, completion_tokens: 40, total_tokens: 1_040 },
    }),
    error: line({ error: { message: 'Broken.', type: 'server_error' } }),
  },
  'google/gemini-2.5-flash': {
    piece: line({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }],
      usageMetadata: {
        promptTokenCount: 1_000,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 30,
        totalTokenCount: 1_040,
      },
    }),
    error: line({ error: { code: 500, message: 'Broken.', status: 'INTERNAL' } }),
  },
};

const CASES = Object.entries(FORMATS).flatMap(([model, format]) =>
  SURFACES.map(([path, body]) => [model, path, body, format] as const),
);

describe.each(CASES)('A stream of %s on %s that has reported its usage', (model, ...rest) => {
  const [path, body, { piece, error }] = rest;
  /** Begins the stream, and what becomes of it once the caller has seen the first piece. */
  const streamed = async (then: (response: ServerResponse, leave: () => void) => void) => {
    const opened = gateway.upstream.opens(piece);
    const leaving = new AbortController();
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, ...body }),
      signal: leaving.signal,
    });
    const id = answer.headers.get('request-id') ?? answer.headers.get('x-request-id') ?? '';
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    for (let isOver = false; !isOver && !seen.includes('Hello');) {
      const { value = '', done } = await reader.read();
      seen += value;
      isOver = done;
    }
    expect(seen).toContain('Hello');
    then(await opened, () => {
      leaving.abort();
    });
    const row = await requestRow(gateway, id);
    await reader.cancel().catch(() => undefined);
    return row;
  };
  const used = { input_tokens: 1_000, output_tokens: 40 };

  it('is paid so when the caller leaves', async () => {
    const row = await streamed((_, leave) => {
      leave();
    });
    expect(row).toMatchObject({ outcome: 'client_closed', ...used });
  });

  it('is paid so when the provider breaks it off', async () => {
    const row = await streamed((response) => response.destroy());
    expect(row).toMatchObject({ outcome: 'error', ...used });
    expect(row.cost_units).toBeGreaterThan(0n);
  });

  it('is paid so when the provider ends it with an error', async () => {
    const row = await streamed((response) => response.end(error));
    expect(row).toMatchObject({ outcome: 'error', ...used });
  });
});
