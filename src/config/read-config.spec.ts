import { describe, expect, it } from '@jest/globals';
import { availableParallelism } from 'node:os';
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
      redisUrl: undefined,
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
      REDIS_URL: 'http://user:password@host',
      CAUSEWAY_API_KEY: 'short',
    });
    for (const name of [
      'PORT',
      'SANDBOX',
      'RATE_LIMIT',
      'LOG_LEVEL',
      'GRACE_MS',
      'DATABASE_URL',
      'REDIS_URL',
      'CAUSEWAY_API_KEY',
    ]) {
      expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
    }
    expect(problems).toHaveLength(8);
    expect(problems.join()).not.toContain('password');
    expect(problems.join()).not.toContain('"short"');
  });

  it.each([
    ['redis://10.0.0.1', true],
    ['rediss://user:p%40ss@redis.internal:6380/2', true],
    ['redis://host:port', false],
    ['redis://host/name', false],
    ['redis:///0', false],
  ])('judges REDIS_URL=%s', (url, good) => {
    expect(problemsOf({ REDIS_URL: url })).toHaveLength(good ? 0 : 1);
  });

  it('reads when an answer is too slow, which none is unless that is set', () => {
    expect(readConfig({}).breakerSlowMs).toBeUndefined();
    expect(readConfig({ BREAKER_SLOW_MS: '8000' }).breakerSlowMs).toBe(8_000);
    for (const wrong of ['0', '1.5', '10s', '-1', '2147483648']) {
      expect(problemsOf({ BREAKER_SLOW_MS: wrong })).toEqual([
        expect.stringContaining('BREAKER_SLOW_MS must be a whole number from 1 to 2147483647'),
      ]);
    }
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

  it('takes an encryption key of 32 bytes only, and does not repeat another', () => {
    const key = Buffer.alloc(32, 1);
    expect(readConfig({ ENCRYPTION_KEY: key.toString('base64') }).encryptionKey).toEqual(key);
    for (const wrong of [key.toString('hex'), Buffer.alloc(31).toString('base64'), 'secret!']) {
      expect(problemsOf({ ENCRYPTION_KEY: wrong })).toEqual([
        'ENCRYPTION_KEY must be 32 bytes in base64: openssl rand -base64 32',
      ]);
    }
  });

  it('keeps usage for good unless it is told for how many days', () => {
    expect(readConfig({}).usageRetentionDays).toBeUndefined();
    expect(readConfig({ USAGE_RETENTION_DAYS: '90' }).usageRetentionDays).toBe(90);
    expect(problemsOf({ USAGE_RETENTION_DAYS: '0' })).toHaveLength(1);
  });

  it('runs one process, as many as it is told, or one for each core', () => {
    expect(readConfig({}).workers).toBe(1);
    expect(readConfig({ WORKERS: '64' }).workers).toBe(64);
    expect(readConfig({ WORKERS: 'auto' }).workers).toBe(Math.min(availableParallelism(), 64));
  });

  it.each(['0', '65', '1.5', '-1', 'all'])(
    'refuses WORKERS=%s beside other problems',
    (WORKERS) => {
      const problems = problemsOf({ WORKERS, PORT: 'x' });
      expect(problems).toEqual([
        expect.stringContaining('PORT'),
        `WORKERS must be auto or a whole number from 1 to 64, not "${WORKERS}"`,
      ]);
    },
  );

  it.each([
    ['2', 2],
    ['on', true],
    ['false', false],
    ['10.0.0.0/8, loopback', '10.0.0.0/8, loopback'],
    ['10.0.0.0/255.255.0.0,fd00::/8', '10.0.0.0/255.255.0.0,fd00::/8'],
  ])('reads TRUST_PROXY=%s as %j', (text, value) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toBe(value);
  });

  it.each([
    'foo',
    '999.1.1.1',
    '10.0.0.0/99',
    '10.0.0.0/0',
    'fd00::/129',
    '10.0.0.0/255.0.255.0',
    '10.0.0.1,',
    'loopback/8',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
  ])('refuses TRUST_PROXY=%s', (text) => {
    expect(problemsOf({ TRUST_PROXY: text })).toEqual([
      `TRUST_PROXY must be on, off, a number of proxies or their addresses, not "${text}"`,
    ]);
  });

  it.each(['101', '99999999999999999999'])('refuses TRUST_PROXY=%s', (text) => {
    expect(problemsOf({ TRUST_PROXY: text })).toEqual([
      `TRUST_PROXY must be a whole number from 0 to 100, not "${text}"`,
    ]);
  });

  it.each([
    ['DATABASE_URL', 'postgres://host:5432/db', true],
    ['DATABASE_URL', 'postgres://user:password@/db?host=/run/postgresql', true],
    ['DATABASE_URL', 'postgres:///db', true],
    ['DATABASE_URL', 'postgres://user:password@host:99999/db', false],
    ['DATABASE_URL', 'mysql://user:password@host/db', false],
    ['REDIS_URL', 'redis://:password@host:6379/1', true],
    ['REDIS_URL', 'host:6379', false],
    ['PUBLIC_URL', 'https://gateway.example:8443', true],
    ['PUBLIC_URL', 'https://gateway.example/', true],
    ['PUBLIC_URL', 'https://gateway.example/causeway', false],
    ['PUBLIC_URL', 'https://[', false],
    ['PUBLIC_URL', 'https://host:99999', false],
  ])('judges %s=%s', (name, address, good) => {
    const problems = problemsOf({ [name]: address });
    const wanted = expect.stringMatching(`^${name} must be an address such as [a-z]+://.+`);
    expect(problems).toEqual(good ? [] : [wanted]);
    expect(problems.join()).not.toContain('password');
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

describe('MAX_BUFFERED_BYTES', () => {
  it('is a part of the memory unless it is set', () => {
    expect(readConfig({}).maxBufferedBytes).toBeUndefined();
    expect(readConfig({ MAX_BUFFERED_BYTES: '300000000' }).maxBufferedBytes).toBe(300_000_000);
  });

  it('must leave room for the longest body', () => {
    const problems = problemsOf({ MAX_BUFFERED_BYTES: '5000', BODY_LIMIT_BYTES: '2048' });
    expect(problems).toEqual([expect.stringContaining('MAX_BUFFERED_BYTES')]);
    const both = { MAX_BUFFERED_BYTES: '100000000', BODY_LIMIT_BYTES: '50000000' };
    expect(problemsOf(both)).toEqual([expect.stringContaining('BODY_LIMIT_BYTES')]);
  });

  it('must leave it in each worker', () => {
    const MAX_BUFFERED_BYTES = `${160 * 1024 ** 2}`;
    expect(problemsOf({ MAX_BUFFERED_BYTES })).toEqual([]);
    expect(problemsOf({ MAX_BUFFERED_BYTES, WORKERS: '4' })).toEqual([
      `MAX_BUFFERED_BYTES must be at least five times BODY_LIMIT_BYTES for each of WORKERS: ${640 * 1024 ** 2}`,
    ]);
    expect(problemsOf({ MAX_BUFFERED_BYTES: `${640 * 1024 ** 2}`, WORKERS: '4' })).toEqual([]);
  });
});

describe('the object store', () => {
  const all = {
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://127.0.0.1:9000',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret-of-the-store',
  };

  it('is there with all of its settings, and not without any', () => {
    expect(readConfig({}).objectStore).toBeUndefined();
    expect(readConfig(all).objectStore).toEqual({
      bucket: 'files',
      endpoint: new URL('http://127.0.0.1:9000'),
      region: 'eu-central-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret-of-the-store',
    });
  });

  it.each(Object.keys(all))('misses %s where the others are set', (name) => {
    const problems = problemsOf({ ...all, [name]: '' });
    expect(problems).toEqual([expect.stringContaining(name)]);
  });

  it.each(['files.example', 'ftp://host', 'https://user:secret@host', 'https://host?x=1'])(
    'does not take %s for an address, nor repeats it',
    (address) => {
      const problems = problemsOf({ ...all, S3_ENDPOINT: address });
      expect(problems).toEqual([expect.stringContaining('S3_ENDPOINT')]);
      expect(problems.join()).not.toContain(address);
    },
  );

  it('does not take a path for a bucket', () => {
    expect(problemsOf({ ...all, S3_BUCKET: 'files/../others' })).toHaveLength(1);
  });
});
