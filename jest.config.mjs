import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  testEnvironment: '<rootDir>/test/environment.mjs',
  testMatch: ['<rootDir>/test/**/*spec.ts', '<rootDir>/src/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  // Source imports end in .js, as Node resolves them; the files under test are .ts.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2024',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
          },
        },
      },
    ],
  },
  setupFiles: ['<rootDir>/test/setup-esm.mjs'],
  setupFilesAfterEnv: ['<rootDir>/test/setup-retries.mjs'],
  reporters: ['default', '<rootDir>/test/retries-reporter.mjs'],
  // Most suites wait for servers and timers more than they compute.
  maxWorkers: 2 * availableParallelism(),
  // Some of what a suite has loaded stays in memory, and collecting garbage takes longer and longer; but a
  // new process loads everything anew. Of the machine's memory, which each worker takes such a part of.
  workerIdleMemoryLimit: '4%',
  // A hang, not a slow machine.
  testTimeout: 60000,
};
