#!/usr/bin/env node
// The command `causeway`. It may be started by any Node that npm runs on, so it does only what all
// of them can: find the Node that the gateway needs, build a checkout that was never built, go on.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist', 'main.js');
const builder = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
const wanted = Number(
  /\d+/.exec(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node)[0],
);

// Without a command `dist/main.js` is the gateway itself.
const args = process.argv.length > 2 ? process.argv.slice(2) : ['--help'];
const node =
  Number(process.versions.node.split('.')[0]) < wanted ? bundled(root) : process.execPath;
if (node === undefined) {
  fail(`causeway: needs Node ${wanted}; this is ${process.version}. "npm ci" brings it along.\n`);
}
if (!existsSync(join(root, 'dist', 'cli'))) build();
if (node === process.execPath) {
  process.argv.splice(1, Infinity, main, ...args);
  await import(pathToFileURL(main).href);
} else {
  handOver();
}

/** The Node that `npm ci` has installed, next to the gateway or above it. */
function bundled(directory) {
  const candidate = join(directory, 'node_modules', '.bin', 'node');
  if (existsSync(candidate)) return candidate;
  const above = dirname(directory);
  return above === directory ? undefined : bundled(above);
}

function build() {
  if (!existsSync(builder)) fail('causeway: is not built and cannot be: run "npm ci" first.\n');
  const { status, stdout, stderr } = spawnSync(node, [builder, 'build'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) fail(`causeway: cannot be built:\n${stdout}${stderr}`);
}

/** The other Node gets what this process gets, and its end is the end of this one. */
function handOver() {
  const child = spawn(node, [main, ...args], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`causeway: ${error.message}\n`));
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

function fail(message) {
  process.stderr.write(message);
  process.exit(1);
}
