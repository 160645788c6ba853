import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { MOST_CONNECTING_MS } from '../src/cluster/quiet.js';
import { ConfigError, readConfig, variablePrefix } from '../src/config/read-config.js';
import { PROVIDERS } from '../src/providers/providers.js';
import { CLOSING_MS, LAST_WORDS_MS, takingMs } from '../src/stop-times.js';

const read = (path: string) => readFileSync(path, 'utf8');

const ROWS = (read('docs/operations.md').split('\n## ')[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((row) => {
    const [, variables = '', unset = ''] = row.split('|').map((cell) => cell.trim());
    return { names: variables.split(', ').map(bare), unset: unset.split(', ') };
  });

it('has a row for every setting that is read, and no other', () => {
  const documented = ROWS.flatMap(({ names }) => names);
  const providers = PROVIDERS.map(({ name }) => variablePrefix(name));
  const isOfProvider = (name: string) =>
    providers.some((prefix) => [`${prefix}_API_KEY`, `${prefix}_BASE_URL`].includes(name));
  const names = [...namesRead()].filter((name) => !isOfProvider(name));
  expect(documented.filter((name) => !isOfProvider(name)).sort()).toEqual(names.sort());
});

// What a setting is by default is what it is when it is set to that.
it.each(
  ROWS.filter(({ unset }) => unset.some(isValue)).flatMap(({ names, unset }) =>
    names.map((name, index) => [name, unset[index] ?? 'nothing'] as const),
  ),
)('says rightly that %s is %s when it is unset', (name, unset) => {
  // Neither changes a default, and a region is wrong without them.
  const google = { VERTEX_PROJECT: 'a-project', VERTEX_API_KEY: 'a-token' };
  expect(isValue(unset)).toBe(true);
  expect(values({ ...google, [name]: bare(unset) })).toEqual(values(google));
});

it('gives a container the time that a stop may take', () => {
  const config = readConfig({});
  const endingMs = config.graceMs + LAST_WORDS_MS + CLOSING_MS;
  const longestMs = takingMs(config) + MOST_CONNECTING_MS + endingMs;
  const [, period] = /stop_grace_period: (\d+)s/.exec(read('docker-compose.yml')) ?? [];
  expect(1_000 * Number(period)).toBeGreaterThan(longestMs);
  expect(read('docs/operations.md')).toContain(`that is ${longestMs / 1_000} s`);
});

it('lets no .env move what the container is reached by and writes to', () => {
  const compose = read('docker-compose.yml');
  const [, pinned = ''] = /environment:\n([^]*?)\n {4}\w/.exec(compose) ?? [];
  const [, port] = /ports:\n +- '127\.0\.0\.1:3000:(\d+)'/.exec(compose) ?? [];
  const [, volume] = /- data:(\S+)/.exec(compose) ?? [];
  for (const line of ['HOST: 0.0.0.0', `PORT: ${port}`, `DATA_DIR: ${volume}`]) {
    expect(pinned).toContain(`      ${line}\n`);
  }
});

/** The names that the configuration asks for where nothing is set, and where everything is. */
function namesRead(): ReadonlySet<string> {
  const names = new Set<string>();
  const recording = (value: string | undefined): Record<string, string | undefined> =>
    new Proxy(
      {},
      {
        get: (_, name) => {
          names.add(String(name));
          return value;
        },
      },
    );
  // As the table calls any provider.
  readConfig(recording(undefined)).provider('<name>');
  // No value suits all of them, but each has been asked for by the time that it throws.
  expect(() => readConfig(recording('?'))).toThrow(ConfigError);
  return names;
}

function values(env: Record<string, string>): unknown {
  const isPlain = ([, value]: [string, unknown]) => typeof value !== 'function';
  return Object.fromEntries(Object.entries(readConfig(env)).filter(isPlain));
}

function isValue(cell: string): boolean {
  return /^`[^`]+`$/.test(cell);
}

function bare(cell: string): string {
  return cell.replaceAll('`', '');
}
