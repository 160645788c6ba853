import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './support/databases.js';
import { useGateway } from './support/use-gateway.js';

const UNDATED = 'openai/gpt-4o';
const DATED = 'openai/gpt-4o-2024-08-06';
const body = { model: '@router', messages: [{ role: 'user', content: 'Hello' }] };

describe('@router, of a model with an undated and a dated name', () => {
  const { post, get } = useGateway();
  const candidates = async (more: object = {}): Promise<string[]> => {
    const { body: route } = await post('/v3/route', { ...body, ...more }).expect(200);
    return route.candidates.map(({ model }: { model: string }) => model);
  };

  it('knows one candidate, by the undated name', async () => {
    const { body: listed } = await get('/v3/models').expect(200);
    const names = listed.data.map(({ id }: { id: string }) => id);
    expect(names).toEqual(expect.arrayContaining([UNDATED, DATED]));
    const ranked = await candidates();
    expect(ranked).toContain(UNDATED);
    expect(ranked).not.toContain(DATED);
  });

  it('takes either where it is named', async () => {
    const both = [DATED, UNDATED];
    expect((await candidates({ router_candidates: both })).sort()).toEqual(both.sort());
    expect(await candidates({ router_candidates: [DATED] })).toEqual([DATED]);
  });
});

describe('@router, where the undated name is switched off', () => {
  const file = join(temporaryDirectory(), 'models.yaml');
  writeFileSync(file, `models: { ${UNDATED}: { enabled: false } }`);
  const { post } = useGateway({ MODELS_FILE: file });

  it('has the dated one', async () => {
    const { body: route } = await post('/v3/route', body).expect(200);
    const models = route.candidates.map(({ model, dropped }: Record<string, string>) => [
      model,
      dropped,
    ]);
    expect(models).toContainEqual([DATED, undefined]);
    expect(models).toContainEqual([UNDATED, 'disabled']);
  });
});
