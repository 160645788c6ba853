/**
 * `node bench/overload.mjs`: what becomes of calls when there are more than the gateway can serve.
 * First twice as many as it can, of one account, and callers that come again at once; then one
 * account that calls steadily, alone and beside floods of another one; `--takes 500` has a provider for
 * them that takes half a second. What is compared takes turns, `--rounds` times, since a machine that
 * others use as well is at one time half as fast as at another. Whoever floods, and the provider that
 * answers him, have the lowest priority, so that on shared cores the gateway's part is measured. Exits
 * with 1 when a figure misses its goal, as it will where other work takes its time.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { overloaded } from './overload-alone.mjs';
import { compareFloods } from './overload-floods.mjs';
import { loopWatch, Workshop } from './targets.mjs';

const UPSTREAM_TAKES_MS = 60;
const STEADY_MODEL = 'steady/model';
const FLOOD_MODEL = 'flood/model';

const { values } = parseArgs({
  options: {
    main: { type: 'string', default: fileURLToPath(new URL('../dist/main.js', import.meta.url)) },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    takes: { type: 'string', default: String(UPSTREAM_TAKES_MS) },
    only: { type: 'string', default: '' },
  },
});
const workshop = new Workshop();
// What a flood asks for must not make the provider slower for the others: providers are elsewhere.
const [upstream, floodUpstream] = [await workshop.upstream(), await workshop.upstream()];
setPriority(floodUpstream.pid, constants.priority.PRIORITY_LOW);
const loop = await loopWatch();
const gateway = await workshop.gateway('gateway', values.main, upstream, {
  ...loop.env,
  MODELS_FILE: modelsFile({ steady: upstream, flood: floodUpstream }),
});
const steady = await caller();
// Callers of a gateway have machines of their own: here they get the time that it leaves.
setPriority(constants.priority.PRIORITY_LOW);
const flooding = await caller();
const measure = { rounds: Number(values.rounds), forMs: 1_000 * Number(values.seconds) };
let failed = false;

if (values.only !== 'floods') {
  await answersAfter(UPSTREAM_TAKES_MS);
  await overloaded({ gateway, loop, body: conversation(FLOOD_MODEL, 300), ...measure }, check);
}
if (values.only !== 'overload') {
  await answersAfter(Number(values.takes));
  const bodies = (turns) => ({
    steady: conversation(STEADY_MODEL, turns),
    flood: conversation(FLOOD_MODEL, turns),
  });
  await compareFloods({ gateway, steady, flooding, bodies, ...measure }, check);
}
process.exit(failed ? 1 : 0);

function check(holds, what) {
  failed ||= !holds;
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${what}\n`);
}

async function answersAfter(ms) {
  for (const one of [upstream, floodUpstream]) await one.set('messages', ms);
  await delay(100);
}

/** A model of each provider; they speak another format than who asks, so that there is more to do. */
function modelsFile(upstreams) {
  const pricing = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 };
  const row = { endpoints: ['messages'], context_length: 1e6, max_output_tokens: 1e4, pricing };
  const providers = Object.entries(upstreams).map(([name, { url }]) => {
    return [name, { format: 'anthropic', base_url: url, api_key_env: 'OPENAI_API_KEY' }];
  });
  const models = providers.map(([name]) => [`${name}/model`, row]);
  const file = join(workshop.directory, 'models.yaml');
  const all = {
    providers: Object.fromEntries(providers),
    models: Object.fromEntries(models),
  };
  writeFileSync(file, JSON.stringify(all));
  return file;
}

/** Makes calls in a process of its own; see there. */
async function caller() {
  const child = fork(fileURLToPath(new URL('caller.mjs', import.meta.url)));
  process.once('exit', () => child.kill('SIGKILL'));
  const message = () => new Promise((resolve) => child.once('message', resolve));
  await message();
  return (job) => {
    child.send({ url: gateway.url, ...job });
    return message();
  };
}

function conversation(model, turns) {
  const messages = Array.from({ length: turns }, (_, turn) => ({
    role: turn % 2 ? 'assistant' : 'user',
    content: `Turn ${turn}. ${'The quick brown fox jumps over the lazy dog. '.repeat(3)}`,
  }));
  return JSON.stringify({ model, messages });
}
