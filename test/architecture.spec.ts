import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import ts from 'typescript';

/** Which folder of src/ may import which; its own files and `json` are open to every folder. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  json: [],
  contract: [],
  config: [],
  telemetry: ['contract', 'config'],
  cluster: [],
  schedule: [],
  threads: [],
  files: [],
  openapi: [],
  database: ['contract', 'config', 'threads', 'files'],
  redis: ['contract', 'config'],
  shared: ['cluster', 'redis'],
  tokens: ['contract', 'threads'],
  validation: ['contract', 'config'],
  http: ['contract', 'config', 'telemetry', 'validation'],
  overload: ['contract', 'config', 'http', 'telemetry'],
  providers: ['contract'],
  sandbox: ['contract', 'providers'],
  upstream: ['contract', 'config', 'providers', 'sandbox', 'redis', 'shared'],
  accounts: ['contract', 'config', 'http', 'cluster', 'database', 'redis', 'schedule'],
  billing: ['contract', 'config', 'http', 'accounts', 'database', 'tokens', 'schedule', 'files'],
  models: ['contract', 'config', 'http', 'cluster', 'providers', 'database'],
  routing: [
    'contract',
    'config',
    'validation',
    'http',
    'models',
    'providers',
    'upstream',
    'tokens',
    'database',
    'redis',
    'shared',
    'billing',
    'schedule',
  ],
  dispatch: ['contract', 'accounts', 'billing', 'providers', 'upstream', 'tokens', 'telemetry'],
  messages: feature('tokens'),
  chat: feature(),
  responses: feature('providers'),
  plans: ['contract', 'config', 'validation', 'http', 'messages', 'chat', 'responses', 'routing'],
  embeddings: feature('tokens'),
  images: feature('config', 'accounts', 'uploads', 'upstream', 'schedule', 'files'),
  uploads: ['contract', 'config', 'validation', 'http', 'database', 'schedule', 'files'],
  admin: [
    'contract',
    'config',
    'validation',
    'http',
    'accounts',
    'billing',
    'models',
    'upstream',
    'database',
  ],
  health: [
    'contract',
    'config',
    'http',
    'cluster',
    'database',
    'redis',
    'telemetry',
    'billing',
    'models',
    'upstream',
    'schedule',
  ],
  // Whatever it reports on.
  cli: [
    'contract',
    'config',
    'http',
    'accounts',
    'billing',
    'models',
    'providers',
    'upstream',
    'database',
    'redis',
    'admin',
    'routing',
  ],
};

function feature(...more: string[]): string[] {
  return ['contract', 'validation', 'http', 'routing', 'dispatch', ...more];
}

function rows(folder: string, others: readonly string[]): string[] {
  return others.map((other) => `${folder} -> ${other}`);
}

const IMPORT = /(?:from\s+|import\s+|import\(\s*)['"]([^'"]+)['"]/g;
const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map((match) => match[1]!);
const target = (file: string, specifier: string) =>
  normalize(join(dirname(file), specifier.replace(/\.js$/, '.ts')));

const isExported = (node: ts.HasModifiers) =>
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

describe('architecture', () => {
  it('imports what the table allows, all of that and nothing else', () => {
    const broken: string[] = [];
    const unused = new Set(Object.entries(MAY_IMPORT).flatMap(([one, all]) => rows(one, all)));
    for (const file of files) {
      const [, folder, inner] = file.split(sep);
      if (folder === undefined || inner === undefined) continue; // the composition root
      if (!(folder in MAY_IMPORT)) broken.push(`${folder} has no row`);
      const allowed = [folder, 'json', ...(MAY_IMPORT[folder] ?? [])];
      for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
        const [, other = ''] = target(file, specifier).split(sep);
        if (!allowed.includes(other)) broken.push(`${file} -> ${specifier}`);
        unused.delete(`${folder} -> ${other}`);
      }
    }
    expect([...new Set(broken), ...[...unused].map((row) => `${row} is unused`)]).toEqual([]);
  });

  it('keeps providers pure: no packages, no node: modules, no environment, clock or network', () => {
    const broken = files
      .filter((file) => file.startsWith(join('src', 'providers') + sep))
      // Nest's own module file, which only lists them.
      .filter((file) => !file.endsWith('providers.module.ts'))
      .flatMap((file) => [
        ...importsOf(file)
          .filter((name) => !name.startsWith('.'))
          .map((name) => `${file} imports ${name}`),
        ...(/\bprocess\.|\bfetch\(|Date\.now|new Date\(\)|performance\./.test(
          readFileSync(file, 'utf8'),
        )
          ? [`${file} reads the environment, the clock or the network`]
          : []),
      ]);
    expect(broken).toEqual([]);
  });

  it('has no import cycles', () => {
    const edges = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter((name) => name.startsWith('.'))
          .map((name) => target(file, name)),
      ]),
    );
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): string | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' -> ');
      if (done.has(file)) return undefined;
      for (const next of edges.get(file) ?? []) {
        const cycle = visit(next, [...path, file]);
        if (cycle) return cycle;
      }
      done.add(file);
      return undefined;
    };
    expect(files.map((file) => visit(file, [])).filter(Boolean)).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')));
    expect(readers.filter((file) => file !== join('src', 'main.ts'))).toEqual([]);
  });

  it('says of every export what it is', () => {
    const silent = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return ts
        .createSourceFile(file, text, ts.ScriptTarget.Latest)
        .statements.filter((node) => ts.canHaveModifiers(node) && isExported(node))
        .filter(({ pos }) => {
          const comments = ts.getLeadingCommentRanges(text, pos) ?? [];
          return !comments.some((comment) => text.startsWith('/**', comment.pos));
        })
        .map((node) => `${file}: ${text.slice(node.pos, node.end).trim().split('\n', 1)[0]}`);
    });
    expect(silent).toEqual([]);
  });

  it('keeps types honest', () => {
    const broken = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [
        ...(/:\s*any\b|\bas any\b|@ts-ignore/.test(text) ? [`${file}: any`] : []),
        ...(/export default|forwardRef\(/.test(text) ? [`${file}: default export or cycle`] : []),
      ];
    });
    expect(broken).toEqual([]);
  });
});
