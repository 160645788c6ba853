import { describe, expect, it } from '@jest/globals';
import { Health } from '../src/upstream/health.service.js';
import { MODELS, useScriptedGateway } from './support/scripted-upstream.js';
import { requestRow } from './support/request-rows.js';

const { anthropic, openai } = MODELS;
const UPLOADED = { type: 'container_upload', file_id: 'file_1' };

describe('a request that cannot be said in the format of a model', () => {
  const gateway = useScriptedGateway();
  const { scripted, upstream } = gateway;
  const ask = (id: string, more: object) =>
    gateway
      .post('/v3/v1/messages', {
        model: openai,
        max_tokens: 10,
        messages: [{ role: 'user', content: [UPLOADED, { type: 'text', text: 'Hello' }] }],
        ...more,
      })
      .set('x-request-id', id);
  const rowOf = async (id: string) => {
    const { status, outcome, attempts } = await requestRow(gateway, id);
    return { status, outcome, attempts };
  };

  it.each([false, true])('is refused before a try is made (stream: %s)', async (stream) => {
    const before = upstream.received.length;
    const id = `refused-${stream}`;
    const { headers } = await ask(id, { stream }).expect(400);
    expect(headers['x-causeway-attempts']).toBeUndefined();
    expect(await rowOf(id)).toEqual({ status: 400, outcome: 'rejected', attempts: '[]' });
    expect(upstream.received.length).toBe(before);
  });

  it('goes on to a fallback that can take it', async () => {
    scripted.plays([{ text: 'Hi' }]);
    const { headers } = await ask('moved', { stream: true, fallbacks: [anthropic] }).expect(200);
    expect(headers['x-causeway-attempts']).toBe(`${anthropic}:ok`);
  });

  it('leaves the word to the model that was asked before it', async () => {
    scripted.fails(500, 'Down');
    const { body, headers } = await ask('hidden', {
      model: anthropic,
      fallbacks: [openai],
    }).expect(502);
    expect(body.error).toEqual({
      type: 'api_error',
      message: 'The provider anthropic failed with status 500.',
    });
    expect(headers['x-causeway-attempts']).toBe(`${anthropic}:500`);
    expect(await rowOf('hidden')).toMatchObject({ status: 502, outcome: 'error' });
  });

  it.each([false, true])(
    'leaves its retries to the model before it (stream: %s)',
    async (stream) => {
      scripted.fails(503, 'Busy');
      const { headers } = await ask(`retried-${stream}`, {
        ...{ model: anthropic, fallbacks: [openai], stream },
      }).expect(502);
      expect(headers['x-causeway-attempts']).toBe(
        Array.from({ length: 3 }, () => `${anthropic}:503`).join(', '),
      );
      scripted.fails(undefined);
    },
  );

  it("says nothing of the model's health", async () => {
    const health = gateway.app.get(Health, { strict: false });
    await ask('unsaid', {}).expect(400);
    expect(health.models().filter(({ model }) => model === openai)).toEqual([]);
  });
});
