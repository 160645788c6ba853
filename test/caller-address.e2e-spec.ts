import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Asked, startAskedOn } from './support/admin.js';

let gateway: Asked;
beforeAll(async () => {
  gateway = await startAskedOn({ TRUST_PROXY: '1', RATE_LIMIT: '5/h' });
});
afterAll(() => gateway.close());

const from = (address: string) => ({ headers: { 'x-forwarded-for': `9.9.9.9, ${address}` } });

it.each(['192.0.2.1:', '[2001:db8::1]:'])(
  'counts callers at %s together, whatever port a proxy says',
  async (address) => {
    const ask = async (port: number) =>
      (await gateway.ask('GET /v3/models', undefined, { key: '', ...from(`${address}${port}`) }))
        .status;
    const statuses = [];
    for (let port = 50_000; port < 50_006; port++) statuses.push(await ask(port));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  },
);

it('lets nobody try more keys from other ports of one address', async () => {
  const ask = async (index: number) => {
    const key = `cw_live_unknown-key-${String(index).padStart(20, '0')}`;
    const where = from(`192.0.2.2:${50_000 + index}`);
    return (await gateway.ask('GET /v3/me', undefined, { key, ...where })).status;
  };
  const statuses = [];
  for (let index = 0; index < 101; index++) statuses.push(await ask(index));
  expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([100, 429]);
});
