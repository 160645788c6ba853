import { describe, expect, it } from '@jest/globals';
import { type ConfigError, parseRateLimit, readConfig } from './read-config.js';

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

describe('readConfig', () => {
  it('has a default for everything, and takes an empty value for none', () => {
    expect(readConfig({ PORT: '', HOST: ' ' })).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      databaseUrl: undefined,
      sandbox: true,
      rateLimit: { limit: 100, windowMs: 1000 },
      timeouts: { connectMs: 5000, firstByteMs: 120_000, idleMs: 60_000, totalMs: 600_000 },
      streamPingMs: 10_000,
      graceMs: 30_000,
      logLevel: 'info',
      trustProxy: false,
    });
  });

  it('reports every problem at once, by the variable’s name', () => {
    const problems = problemsOf({
      PORT: '70000',
      SANDBOX: 'maybe',
      RATE_LIMIT: '0/s',
      LOG_LEVEL: 'loud',
      GRACE_MS: '1.5',
      DATABASE_URL: 'mysql://user:password@host/db',
      CAUSEWAY_API_KEY: 'short',
    });
    for (const name of [
      'PORT',
      'SANDBOX',
      'RATE_LIMIT',
      'LOG_LEVEL',
      'GRACE_MS',
      'DATABASE_URL',
      'CAUSEWAY_API_KEY',
    ]) {
      expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
    }
    expect(problems).toHaveLength(7);
    expect(problems.join()).not.toContain('password');
    expect(problems.join()).not.toContain('"short"');
  });

  it('refuses one key for two purposes', () => {
    const key = 'x'.repeat(24);
    expect(problemsOf({ CAUSEWAY_API_KEY: key, CAUSEWAY_ADMIN_KEY: key })).toHaveLength(1);
  });

  it('finds a provider’s variables by its name, and never takes the gateway’s key for one', () => {
    const config = readConfig({
      MY_VLLM_BASE_URL: 'http://10.0.0.1/v1',
      MY_VLLM_API_KEY: ' k ',
      CAUSEWAY_API_KEY: 'x'.repeat(24),
    });
    expect(config.provider('my-vllm')).toEqual({ apiKey: 'k', baseUrl: 'http://10.0.0.1/v1' });
    expect(config.provider('causeway')).toEqual({});
    expect(config.provider('openai')).toEqual({});
  });

  it.each([
    ['2', 2],
    ['on', true],
    ['false', false],
    ['10.0.0.0/8, loopback', '10.0.0.0/8, loopback'],
  ])('reads TRUST_PROXY=%s as %j', (text, value) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toBe(value);
  });
});

describe('parseRateLimit', () => {
  it.each([
    ['5/s', { limit: 5, windowMs: 1000 }],
    ['600/m', { limit: 600, windowMs: 60_000 }],
    ['1/h', { limit: 1, windowMs: 3_600_000 }],
    ['0/s', undefined],
    ['5', undefined],
    ['5/d', undefined],
    ['-1/s', undefined],
  ])('reads %s', (text, limit) => {
    expect(parseRateLimit(text)).toEqual(limit);
  });
});
