import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Primary } from '../cluster/primary.service.js';
import { ConfigError, readConfig } from '../config/read-config.js';
import { ownProvider } from '../providers/own-provider.js';
import { PROVIDERS } from '../providers/providers.js';
import { CatalogueService } from './catalogue.service.js';
import { UNTOUCHED } from './model-override.js';
import { WorkersText } from './workers-text.js';

const withModel = (name: string) =>
  `models: { openai/${name}: { endpoints: [embeddings], pricing: { input_cost_per_token: 1e-6 } } }`;

describe('CatalogueService', () => {
  let folder: string;
  let path: string;
  let service: CatalogueService | undefined;
  let alone: WorkersText;
  const logged: string[] = [];

  beforeEach(async () => {
    alone = await WorkersText.of(new Primary(undefined));
    folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
    path = join(folder, 'models.yaml');
    logged.length = 0;
    for (const level of ['log', 'warn', 'error'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((message: unknown) => {
        logged.push(`${level}: ${String(message)}`);
      });
    }
  });

  afterEach(() => {
    service?.onModuleDestroy();
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const start = (env: Record<string, string> = { OPENAI_API_KEY: 'sk', MODELS_FILE: path }) => {
    service = new CatalogueService(readConfig(env), { providers: PROVIDERS, ownProvider }, alone);
    service.onModuleInit();
    return service;
  };

  const until = async (condition: () => boolean) => {
    for (let waited = 0; !condition(); waited += 50) {
      if (waited > 5_000) throw new Error(`not within 5 s; logged: ${logged.join('\n')}`);
      await sleep(50);
    }
  };

  const has = (name: string) => service?.snapshot.find(`openai/${name}`) !== undefined;

  it('needs no file', () => {
    start({ OPENAI_API_KEY: 'sk' });
    expect(has('gpt-4o')).toBe(true);
    expect(logged).toEqual([]);
  });

  it('warns once of what the same text says, however often administrators change something', () => {
    const pricing = '{ input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 }';
    writeFileSync(path, `models: { openai/gpt-4o: { pricing: ${pricing} } }`);
    start().administer({ ...UNTOUCHED, keys: new Map([['mistral', 'a-key']]) });
    expect(logged).toEqual([expect.stringMatching(/^warn: .*list price: openai\/gpt-4o/)]);
  });

  it('sees the file written anew, and replaced by a rename', async () => {
    writeFileSync(path, withModel('one'));
    start();
    const first = service!.snapshot;
    expect(has('one')).toBe(true);

    writeFileSync(path, withModel('two'));
    await until(() => has('two'));
    expect([has('one'), first.find('openai/one') !== undefined]).toEqual([false, true]);

    const next = join(folder, 'next.yaml');
    writeFileSync(next, withModel('ten'));
    renameSync(next, path);
    await until(() => has('ten'));
    expect(logged).toEqual([
      expect.stringMatching(/^log: MODELS_FILE was read again: \d+ models$/),
      expect.stringMatching(/^log: MODELS_FILE was read again/),
    ]);
  });

  it('has the prices of each day', () => {
    jest.useFakeTimers({ now: new Date('2026-11-30T23:59:58Z') });
    try {
      const { snapshot } = start({ GOOGLE_API_KEY: 'key' });
      const price = () => service?.snapshot.find('google/gemini-4-argon')?.pricing.inputPerToken;
      jest.advanceTimersByTime(1_000);
      expect([price(), service?.snapshot === snapshot]).toEqual([2_000_000n, true]);
      jest.advanceTimersByTime(2_000);
      expect(price()).toBe(4_000_000n);
    } finally {
      jest.useRealTimers();
    }
  });

  it('keeps what it has while the file is broken, empty or gone, and says so in one line', async () => {
    writeFileSync(path, withModel('one'));
    const { snapshot } = start();
    const breaks = [
      'models: { openai/x: { endpoints: [embeddings], colour: red } }\nmodles: {}',
      '',
      undefined,
    ];
    for (const [index, text] of breaks.entries()) {
      if (text === undefined) rmSync(path);
      else writeFileSync(path, text);
      await until(() => logged.length > index);
    }
    expect(service!.snapshot).toBe(snapshot);
    expect(logged).toEqual([
      expect.stringMatching(/^error: MODELS_FILE has changed but the models stay.*modles.*colour/),
      expect.stringMatching(/^error: .*MODELS_FILE is empty$/),
      expect.stringMatching(/^error: .*MODELS_FILE cannot be read: .*ENOENT/),
    ]);
    for (const line of logged) expect(line).not.toMatch(/\n/);

    writeFileSync(path, withModel('two'));
    await until(() => has('two'));
  });

  it('says that a broken file is right again, also where it is what it was before', async () => {
    writeFileSync(path, withModel('one'));
    start();
    for (const text of ['modles: {}', withModel('one'), withModel('one')]) {
      const { length } = logged;
      writeFileSync(path, text);
      if (length < 2) await until(() => logged.length > length);
      else await sleep(1_500);
    }
    expect(logged).toEqual([
      expect.stringMatching(/^error: MODELS_FILE has changed but the models stay/),
      expect.stringMatching(/^log: MODELS_FILE was read again: \d+ models$/),
    ]);
  });

  it('takes no file that needs a key from the database, which may be removed', async () => {
    writeFileSync(path, 'models: {}');
    const stored = { ...UNTOUCHED, keys: new Map([['openai', 'a-key']]) };
    start({ MODELS_FILE: path }).administer(stored);
    const addresses =
      '[{ base_url: "http://127.0.0.1:1/v1" }, { base_url: "http://127.0.0.1:2/v1" }]';
    writeFileSync(path, `providers: { openai: { deployments: ${addresses} } }`);
    await until(() => logged.length > 0);
    expect(logged).toEqual([
      expect.stringMatching(/^error: .*stay as they were: .*deployments needs OPENAI_API_KEY, or/),
    ]);
    expect(service!.snapshot.connection('openai')?.apiKey).toBe('a-key');
    service!.administer(UNTOUCHED);
    expect(service!.snapshot.connection('openai')).toBeUndefined();
  });

  it('catches up with a change made while it was starting', async () => {
    writeFileSync(path, withModel('one'));
    const config = readConfig({ OPENAI_API_KEY: 'sk', MODELS_FILE: path });
    service = new CatalogueService(config, { providers: PROVIDERS, ownProvider }, alone);
    writeFileSync(path, withModel('two'));
    service.onModuleInit();
    await until(() => has('two'));
  });

  it('stops looking when the gateway stops', async () => {
    writeFileSync(path, withModel('one'));
    start().onModuleDestroy();
    writeFileSync(path, withModel('two'));
    await sleep(1_500);
    expect(has('two')).toBe(false);
  });

  it('does not start with a broken, missing, huge or odd file', () => {
    const problems = () => {
      try {
        start();
      } catch (error) {
        if (error instanceof ConfigError) return error.problems;
        throw error;
      }
      return [];
    };
    expect(problems()).toEqual([expect.stringMatching(/^MODELS_FILE cannot be read: .*ENOENT/)]);
    writeFileSync(path, 'modles: {}\nprovders: {}');
    expect(problems()).toEqual([
      expect.stringMatching(/^MODELS_FILE line 1: modles/),
      expect.stringMatching(/^MODELS_FILE line 2: provders/),
    ]);
    writeFileSync(path, `# ${'x'.repeat(1024 * 1024)}`);
    expect(problems()).toEqual([expect.stringMatching(/larger than 1048576 bytes/)]);
    rmSync(path);
    mkdirSync(path);
    expect(problems()).toEqual([expect.stringMatching(/it is not a file/)]);
  });
});
