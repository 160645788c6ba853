// Lets a plain Node process run the sources: node --import ./test/support/typescript.mjs file.ts
import swc from '@swc/core';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import jestConfig from '../../jest.config.mjs';

// Tests start many processes, and each would compile everything.
enableCompileCache('node_modules/.cache/compile');
const [[, options]] = Object.values(jestConfig.transform);

registerHooks({
  resolve: (specifier, context, next) => {
    const ours = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return next(ours ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
  load: (url, context, next) => {
    if (!url.endsWith('.ts')) return next(url, context);
    const { code } = swc.transformFileSync(fileURLToPath(url), options);
    return { format: 'module', source: code, shortCircuit: true };
  },
});
