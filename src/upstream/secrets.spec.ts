import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { type ProviderConnection } from '../providers/provider.js';
import { Secrets } from './secrets.js';

const first = { baseUrl: new URL('http://10.0.0.5:8000/v1'), apiKey: 'sk-first-key' };
const second = { baseUrl: new URL('https://second.internal'), apiKey: 'sk-second-key' };
const connection = {
  ...first,
  place: {},
  deployments: [first, second],
} as unknown as ProviderConnection;
const secrets = new Secrets(connection);

describe('Secrets', () => {
  it('are not in an error, whichever deployment served', () => {
    const cause = new Error('sk-first-key');
    const details = {
      param: 'model',
      upstream: { status: 400, details: ['sk-second-key'] },
      cause,
    };
    const message = 'Wrong key sk-first-key at http://10.0.0.5:8000/v1 or second.internal';
    const told = secrets.hiddenInError(new GatewayError(400, 'invalid_request', message, details));
    expect(told).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: 'Wrong key [key] at http://[host]/v1 or [host]',
      details: { param: 'model', upstream: { status: 400, details: ['[key]'] }, cause },
    });
    expect(told).toBeInstanceOf(GatewayError);
  });

  it('are the project of a cloud, too, where its path is told', () => {
    const inCloud = { ...first, place: { project: 'status' } } as unknown as ProviderConnection;
    const message = 'Publisher Model `projects/status/locations/us` was not found, status 404';
    const details = { upstream: { status: 404 } };
    const error = new GatewayError(404, 'model_not_found', message, details);
    expect(new Secrets(inCloud).hiddenInError(error)).toMatchObject({
      message: 'Publisher Model `projects/[project]/locations/us` was not found, status 404',
      details,
    });
  });

  it('leave every other error as it is', () => {
    const other = new Error('sk-first-key');
    const harmless = new GatewayError(400, 'invalid_request', 'Wrong key');
    expect(secrets.hiddenInError(other)).toBe(other);
    expect(secrets.hiddenInError(harmless)).toBe(harmless);
  });

  it('are not in an event that tells of an error', () => {
    const inMember = { name: undefined, data: '{"error":\n{"message":"sk-first-key"}}' };
    expect(secrets.hiddenInEvent(inMember)).toEqual({
      name: undefined,
      data: '{"error": {"message":"[key]"}}',
    });
    const byName = { name: 'throttlingException', data: '{"message":"second.internal"}' };
    expect(secrets.hiddenInEvent(byName)?.data).toBe('{"message":"[host]"}');
  });

  it('leave no key in a good answer, or in any event', () => {
    const text = '{"you sent":"Bearer sk-second-key","to":"second.internal","é":1}';
    const told = '{"you sent":"Bearer [key]","to":"second.internal","é":1}';
    expect(secrets.hiddenInAnswer(Buffer.from(text)).toString()).toBe(told);
    expect(secrets.hiddenInEvent({ name: 'some', data: text })?.data).toBe(told);
    const harmless = Buffer.from(told);
    expect(secrets.hiddenInAnswer(harmless)).toBe(harmless);
  });

  it('leave every other event as it is', () => {
    for (const said of ['second.internal', '{"error": {"x": "second.internal"}}']) {
      const data = JSON.stringify({ delta: { text: said } });
      expect(secrets.hiddenInEvent({ name: 'content_block_delta', data })).toBeUndefined();
    }
  });

  it('are no short keys, which may be words', () => {
    const short = { ...first, place: {}, apiKey: 'none' } as unknown as ProviderConnection;
    const error = new GatewayError(400, 'invalid_request', 'There is none');
    expect(new Secrets(short).hiddenInError(error)).toBe(error);
  });
});
