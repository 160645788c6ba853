import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';

const WANTED_NODE = 26;

// Everything else is imported after this check: an older Node would fail on it with a riddle.
if (Number(process.versions.node.split('.')[0]) < WANTED_NODE) {
  process.stderr.write(
    `Causeway needs Node ${WANTED_NODE}; this is ${process.version}. "npm ci" brings it along and ` +
      `"npm start" uses it: start the gateway that way.\n`,
  );
  process.exit(1);
}
// Without it V8 goes through the whole heap for every 64 MB of buffers, which is what a few answers
// with embeddings or images are; with it, only when memory is in fact short.
setFlagsFromString('--external-memory-accounted-in-global-limit');
// Workers have it from the first process: what stands there by now may be something else.
if (!cluster.isWorker) {
  const { readEnvFile } = await import('./config/env-file.js');
  try {
    Object.assign(process.env, { ...readEnvFile('.env'), ...process.env });
  } catch (error) {
    process.stderr.write(`Causeway cannot read .env: ${(error as Error).message}\n`);
    process.exit(1);
  }
}
const serving = async (): Promise<void> => {
  const { StopSignals } = await import('./signals.js');
  // Before everything else, which takes a while to load. A terminal and systemd tell the workers, too,
  // which only listen to the primary.
  const signals = new StopSignals(() => cluster.isWorker || process.exit(0));
  const { serve } = await import('./serve.js');
  await serve(process.env, signals);
};
const args = process.argv.slice(2);
if (args.length === 0) {
  await serving();
} else {
  const { runCommandLine } = await import('./cli/command-line.js');
  process.exitCode = await runCommandLine(args, {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    serve: serving,
  });
}
