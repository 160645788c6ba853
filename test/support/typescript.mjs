// Lets a plain Node process run the sources: node --import ./test/support/typescript.mjs file.ts
import swc from '@swc/core';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import jestConfig from '../../jest.config.mjs';

// Tests start many processes, and each would compile everything.
const CACHES = join(import.meta.dirname, '../../node_modules/.cache');
enableCompileCache(join(CACHES, 'compile'));
const [[, options]] = Object.values(jestConfig.transform);
const CACHE = join(CACHES, 'typescript');
mkdirSync(CACHE, { recursive: true });
const WAY = swc.version + JSON.stringify(options);

registerHooks({
  resolve: (specifier, context, next) => {
    const ours = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return next(ours ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
  load: (url, context, next) => {
    if (!url.endsWith('.ts')) return next(url, context);
    return { format: 'module', source: transformed(fileURLToPath(url)), shortCircuit: true };
  },
});

/** The file as JavaScript, kept by what it says and how that is transformed. */
function transformed(filename) {
  const text = readFileSync(filename, 'utf8');
  const kept = join(CACHE, hash('sha256', `${WAY}${filename}${text}`));
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = swc.transformSync(text, { ...options, filename });
    // Several processes may write it at the same time.
    const own = `${kept}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, kept);
    return code;
  }
}
