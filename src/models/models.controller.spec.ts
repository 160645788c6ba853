import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type NextFunction, type Response } from 'express';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { ConfigModule } from '../config/config.module.js';
import { readConfig } from '../config/read-config.js';
import { type Caller } from '../contract/caller.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { HttpModule } from '../http/http.module.js';
import { ModelsModule } from './models.module.js';

const FILE = `
models:
  openai/gpt-4o: { regions: [us] }
  openai/gpt-image-2: { regions: [us, eu] }
  openai/text-embedding-3-small: { regions: [us] }
  anthropic/gpt-4o:
    endpoints: [messages]
    pricing: { input_cost_per_token: 0.00000015, output_cost_per_token: 0.0000006 }
  openai/with/slash:1.0:
    endpoints: [messages]
    pricing: { input_cost_per_token: 0, output_cost_per_token: 0 }
`;

const FIELDS = [
  'id',
  'object',
  'created',
  'owned_by',
  'model_name',
  'context_length',
  'description',
  'source',
  'capabilities',
  'pricing',
  'list_pricing',
  'discount',
  'regions',
];

describe('the model lists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-'));
  let app: INestApplication<Server>;
  let caller: Partial<Caller> | undefined;

  beforeAll(async () => {
    const file = join(folder, 'models.yaml');
    writeFileSync(file, FILE);
    const config = readConfig({
      OPENAI_API_KEY: 'sk-1',
      ANTHROPIC_API_KEY: 'sk-2',
      MODELS_FILE: file,
    });
    const module = await Test.createTestingModule({
      imports: [ConfigModule.with(config), HttpModule, ModelsModule],
    }).compile();
    app = module.createNestApplication<INestApplication<Server>>();
    app.useLogger(false);
    // Stands in for the guard, which has its own tests: it says who is asking.
    app.use((incoming: GatewayRequest, _: Response, next: NextFunction) => {
      incoming.id = 'req_test';
      if (caller) incoming.caller = { region: null, accountModels: null, ...caller } as Caller;
      next();
    });
    await app.init();
  });

  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  async function get(path: string, status = 200, as?: Partial<Caller>) {
    caller = as;
    const reply = await request(app.getHttpServer()).get(path);
    expect([path, reply.status]).toEqual([path, status]);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    return reply;
  }

  const ids = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);

  describe('GET /v3/models', () => {
    it('lists chat and image models with exactly the agreed fields', async () => {
      const { body } = await get('/v3/models');
      expect(Object.keys(body)).toEqual(['object', 'data']);
      expect(body.object).toBe('list');
      expect(ids({ body })).toEqual(
        expect.arrayContaining(['openai/gpt-4o', 'openai/gpt-image-1', 'sandbox/echo']),
      );
      expect(ids({ body }).filter((id) => id.includes('embedding'))).toEqual([]);
      for (const model of body.data) {
        expect(Object.keys(model).filter((key) => key !== 'alias_of')).toEqual(FIELDS);
        expect(model).toMatchObject({
          object: 'model',
          created: expect.any(Number),
          owned_by: model.id.split('/')[0],
          model_name: String(model.id).replace(/^[^/]+\//, ''),
          capabilities: expect.any(Object),
          regions: expect.any(Array),
          list_pricing: model.pricing,
        });
        expect(Object.keys(model.pricing).length).toBeGreaterThan(0);
      }
    });

    it('shows prices free of float dust, and what a name points to', async () => {
      const { body } = await get('/v3/models/openai/gpt-4o-mini');
      expect(body).toMatchObject({
        id: 'openai/gpt-4o-mini',
        context_length: 128_000,
        alias_of: 'openai/gpt-4o-mini-2024-07-18',
        pricing: {
          input_cost_per_token: 0.00000015,
          output_cost_per_token: 0.0000006,
          cache_read_input_token_cost: 0.000000075,
        },
        discount: null,
        regions: [],
      });
      const haiku = await get('/v3/models/anthropic/claude-haiku-4-5');
      expect(haiku.body.pricing).toEqual({
        input_cost_per_token: 0.000001,
        output_cost_per_token: 0.000005,
        cache_read_input_token_cost: 0.0000001,
        cache_creation_input_token_cost: 0.00000125,
      });
    });

    it('groups the providers of one model', async () => {
      const { body } = await get('/v3/models?view=models');
      const group = body.data.find(({ id }: { id: string }) => id === 'gpt-4o');
      expect(group).toMatchObject({
        id: 'gpt-4o',
        object: 'model',
        created: 0,
        owned_by: 'openai',
        mode: 'chat',
        endpoint_count: 2,
        endpoints: [{ id: 'openai/gpt-4o' }, { id: 'anthropic/gpt-4o' }],
      });
      expect(body.data).toContainEqual(
        expect.objectContaining({ id: 'gpt-image-1', mode: 'image_generation', endpoint_count: 1 }),
      );
      expect(Object.keys(group)).toHaveLength(7);
    });

    it('takes the account and the region of a caller into account', async () => {
      const eu = { region: 'eu' };
      expect(ids(await get('/v3/models', 200, eu))).not.toContain('openai/gpt-4o');
      expect(ids(await get('/v3/models', 200, eu))).toContain('openai/gpt-image-2');
      expect(ids(await get('/v3/models', 200, { region: 'us' }))).toContain('openai/gpt-4o');
      const limited = { accountModels: ['sandbox/*'], keyModels: ['openai/*'] };
      expect(ids(await get('/v3/models', 200, limited))).toEqual(['sandbox/echo', 'sandbox/image']);
      expect(ids(await get('/v3/models?view=models', 200, limited))).toEqual(['echo', 'image']);
      expect(ids(await get('/v3/models'))).toContain('openai/gpt-4o');
    });
  });

  describe('GET /v3/models/{id}', () => {
    it.each([
      'openai%2Fgpt-4o',
      'openai/gpt-4o',
      'openai%2fwith%2Fslash%3A1.0',
      'openai/with/slash:1.0',
      'openai/text-embedding-3-large',
      'sandbox%2Ferror-503',
    ])('finds %s', async (path) => {
      const { body } = await get(`/v3/models/${path}`);
      expect(body.id).toBe(decodeURIComponent(path));
    });

    it.each(['openai%2Fnope', 'gpt-4o', 'openai', 'openai/gpt-4o/x', '__proto__'])(
      'does not find %s',
      async (path) => {
        const { body } = await get(`/v3/models/${path}`, 404);
        expect(body.error).toEqual({
          message: `The model '${decodeURIComponent(path)}' does not exist or is not enabled on your account.`,
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        });
      },
    );

    it('does not find what the caller may not see', async () => {
      await get('/v3/models/openai/gpt-4o', 451, { region: 'eu' });
      await get('/v3/models/openai/gpt-4o', 404, { accountModels: ['anthropic/*'] });
      await get('/v3/models/openai/gpt-4o', 404, { accountModels: ['anthropic/*'], region: 'eu' });
    });
  });

  it('GET /v3/images/models lists image models in the region, with a price for each image', async () => {
    const { body } = await get('/v3/images/models', 200, { region: 'eu' });
    expect(ids({ body })).toEqual(
      expect.arrayContaining(['openai/gpt-image-2', 'openai/dall-e-3']),
    );
    const { pricing } = body.data.find(({ id }: { id: string }) => id === 'openai/dall-e-3');
    expect(pricing).toEqual({ output_cost_per_image: 0.04 });
    for (const model of body.data) {
      expect(model.capabilities.output_modalities).toEqual(['image']);
      expect(model.pricing.output_cost_per_image).toBeGreaterThan(0);
    }
  });

  it('GET /v3/embeddings/models lists embedding models', async () => {
    const { body } = await get('/v3/embeddings/models');
    expect(ids({ body }).sort()).toEqual([
      'openai/text-embedding-3-large',
      'openai/text-embedding-3-small',
      'openai/text-embedding-ada-002',
      'sandbox/embedding',
    ]);
    expect(body.data[0]).toMatchObject({
      id: 'openai/text-embedding-3-large',
      context_length: 8_192,
      pricing: { input_cost_per_token: 0.00000013 },
      capabilities: { supports_dimensions: true, max_input_items: 2_048, dimensions: 3_072 },
    });
    const eu = await get('/v3/embeddings/models', 200, { region: 'eu' });
    expect(ids(eu)).not.toContain('openai/text-embedding-3-small');
  });

  describe('GET /v3/v1/models', () => {
    it('lists chat models as Anthropic does, newest first', async () => {
      const { body } = await get('/v3/v1/models?limit=1000');
      expect(Object.keys(body)).toEqual(['data', 'has_more', 'first_id', 'last_id']);
      expect(body.has_more).toBe(false);
      expect(body.data).toContainEqual({
        type: 'model',
        id: 'anthropic/claude-opus-4-5',
        display_name: 'Claude Opus 4.5',
        created_at: '2025-11-24T00:00:00Z',
      });
      expect(ids({ body })).not.toContain('openai/gpt-image-1');
      expect([body.first_id, body.last_id]).toEqual([ids({ body })[0], ids({ body }).at(-1)]);
      const created = body.data.map((model: { created_at: string }) =>
        Date.parse(model.created_at),
      );
      expect(created).toEqual(created.toSorted((one: number, other: number) => other - one));
    });

    it('goes from page to page, forth and back', async () => {
      const all = ids(await get('/v3/v1/models?limit=1000'));
      const page = await get('/v3/v1/models');
      expect(ids(page)).toEqual(all.slice(0, 20));
      expect(page.body.has_more).toBe(true);
      const after = encodeURIComponent(all[2]!);
      const second = await get(`/v3/v1/models?limit=2&after_id=${after}`);
      expect(ids(second)).toEqual(all.slice(3, 5));
      expect(second.body).toMatchObject({ has_more: true, first_id: all[3], last_id: all[4] });
      const before = encodeURIComponent(all[3]!);
      const back = await get(`/v3/v1/models?limit=2&before_id=${before}`);
      expect(ids(back)).toEqual(all.slice(1, 3));
      expect(back.body.has_more).toBe(true);
      expect((await get(`/v3/v1/models?limit=5&before_id=${before}`)).body).toMatchObject({
        data: [{ id: all[0] }, { id: all[1] }, { id: all[2] }],
        has_more: false,
      });
      const last = encodeURIComponent(all.at(-1)!);
      expect((await get(`/v3/v1/models?after_id=${last}`)).body).toEqual({
        data: [],
        has_more: false,
        first_id: null,
        last_id: null,
      });
    });

    it.each([
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit=1.5',
      'limit=ten',
      'limit=',
      'limit=5&limit=6',
      'after_id=nobody/nothing',
      'before_id=nobody/nothing',
      'after_id=openai/gpt-4o&before_id=openai/gpt-4o',
    ])('refuses ?%s', async (query) => {
      expect((await get(`/v3/v1/models?${query}`, 400)).body).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error' },
        request_id: 'req_test',
      });
    });

    it('takes the account and the region of the caller into account', async () => {
      const page = await get('/v3/v1/models', 200, { accountModels: ['sandbox/*'], region: 'eu' });
      expect(ids(page)).toEqual(['sandbox/echo']);
    });

    it('gets one model', async () => {
      for (const path of ['anthropic%2Fclaude-opus-4-5', 'anthropic/claude-opus-4-5']) {
        expect((await get(`/v3/v1/models/${path}`)).body).toEqual({
          type: 'model',
          id: 'anthropic/claude-opus-4-5',
          display_name: 'Claude Opus 4.5',
          created_at: '2025-11-24T00:00:00Z',
        });
      }
      expect((await get('/v3/v1/models/claude-opus-4-5', 404)).body).toMatchObject({
        type: 'error',
        error: { type: 'not_found_error' },
      });
    });
  });
});
