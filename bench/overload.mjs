/**
 * `node bench/overload.mjs`: what becomes of calls when there are more than the gateway can serve.
 * First twice as many as it can, of one account, and callers that come again at once; then one
 * account that calls steadily, alone and beside floods of another one; `--takes 500` has a provider for
 * them that takes half a second. Whoever floods has the lowest priority, so that on shared cores the
 * gateway's part is measured. Exits with 1 when a figure misses its goal, as it will where other work
 * takes its time.
 */
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { quantile } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { loopWatch, Workshop } from './targets.mjs';

const UPSTREAM_TAKES_MS = 60;
const PATH = '/v3/chat/completions';
/** A conversation that is translated, so that the gateway has far more to do than who asks it. */
const LONG = conversation(300);
const SHORT = conversation(2);
/** Enough to keep the gateway busy while the upstream takes its time. */
const CONNECTIONS = 150;
/** Of callers that come again at once when they are refused. */
const IMPATIENT_CONNECTIONS = 500;
const STEADY_PER_SECOND = 20;
/** How much longer their 99th latency may be because of a flood. */
const MOST_SLOWER = 1.2;
/** Each of them: who asks, with what, and how often. */
const FLOODS = {
  'a hundred times as many calls': { perSecond: 100 * STEADY_PER_SECOND, body: SHORT },
  'a hundred connections without a pause': { connections: 100, body: SHORT },
  'such connections, with a limit of 100 calls a second': {
    connections: 100,
    body: SHORT,
    limited: true,
  },
  'fifty times as many calls of 45 kB': { perSecond: 50 * STEADY_PER_SECOND, body: LONG },
};
/** Until the gateway has found its limit. */
const SETTLING_MS = 10_000;
/** Until a flood is forgotten. */
const PAUSE_MS = 6_000;

const { values } = parseArgs({
  options: {
    main: { type: 'string', default: fileURLToPath(new URL('../dist/main.js', import.meta.url)) },
    seconds: { type: 'string', default: '20' },
    takes: { type: 'string', default: String(UPSTREAM_TAKES_MS) },
  },
});
const measureMs = Number(values.seconds) * 1_000;
const workshop = new Workshop();
const upstream = await workshop.upstream();
await upstream.set('messages', UPSTREAM_TAKES_MS);
const loop = await loopWatch();
const gateway = await workshop.gateway('gateway', values.main, upstream, loop.env);
const pool = new Pool(gateway.url, { connections: 4_000 });
const steady = await caller();
// Callers of a gateway have machines of their own: here they get the time that it leaves.
setPriority(constants.priority.PRIORITY_LOW);
const flooding = await caller();
let failed = false;

await saturate(CONNECTIONS, 4_000);
const peak = await saturate(CONNECTIONS, 5_000);
say(`peak: ${Math.round(peak)} calls a second\n`);

const rate = 2 * peak;
const watch = watching();
const flood = await atRate(rate, SETTLING_MS + measureMs);
const seen = await watch();
const [early, late] = [flood.filter(isEarly), settled(flood)];
const good = late.filter(({ status }) => status === 200);
const refused = late.filter(({ status }) => status === 503);
const goodput = (good.length * 1_000) / measureMs / peak;
const tally = Object.entries(Object.groupBy(late, ({ status }) => status)).map(
  ([status, calls]) => `${status}: ${calls.length}`,
);
const refusalMs = quantile(
  refused.map(({ ms }) => ms),
  0.5,
);
say(`twice as many: ${Math.round((late.length * 1_000) / measureMs)} sent a second\n`);
say(`${tally.join(', ')}\n`);
const earlyMs = quantile(
  early.filter(({ status }) => status === 200).map(({ ms }) => ms),
  0.5,
);
check(
  earlyMs < 1_000,
  `at first, half of the answers take less than ${Math.round(earlyMs)} ms (1000)`,
);
check(goodput >= 0.9, `goodput ${percent(goodput)} of the peak (at least 90 %)`);
check(
  good.length + refused.length === late.length,
  `${refused.length} refused, ${late.length - good.length - refused.length} failed`,
);
check(refusalMs < 50, `half of the refusals take less than ${Math.round(refusalMs)} ms (50)`);
check(seen.probeMs < 200, `health and metrics answer within ${seen.probeMs.toFixed(0)} ms (200)`);
check(seen.lagMs < 100, `event loop late by ${seen.lagMs.toFixed(0)} ms at p99 (less than 100)`);

const impatient = (await saturate(IMPATIENT_CONNECTIONS, 8_000)) / peak;
check(impatient >= 0.5, `callers that come again at once: ${percent(impatient)} of it (50 %)`);

await compareFloods();
process.exit(failed ? 1 : 0);

function check(holds, what) {
  failed ||= !holds;
  say(`${holds ? 'ok  ' : 'FAIL'} ${what}\n`);
}

/** A steady caller beside each flood: its 99th latency against that of the same caller alone. */
async function compareFloods() {
  const steadyKey = await keyOf({ name: 'steady' });
  const limitedKey = await keyOf({ name: 'limited', rate_limit: '100/s' });
  const job = { url: gateway.url, key: steadyKey, perSecond: STEADY_PER_SECOND };
  await upstream.set('messages', Number(values.takes));
  for (const [name, { limited, ...how }] of Object.entries(FLOODS)) {
    const beside = async (key) => {
      await delay(PAUSE_MS);
      const forMs = SETTLING_MS + measureMs;
      const [seen, flood] = await Promise.all([
        steady({ ...job, body: how.body, forMs }),
        key && flooding({ url: gateway.url, key, ...how, forMs }),
      ]);
      return { seen: settled(seen), flood: settled(flood ?? []) };
    };
    const alone = p99((await beside()).seen);
    const { seen, flood } = await beside(limited ? limitedKey : gateway.key);
    const lost = seen.filter(({ status }) => status !== 200).length;
    const rate = (flood.length * 1_000) / measureMs;
    say(`${name}: ${Math.round(rate)} calls a second\n`);
    check(rate >= 0.95 * (how.perSecond ?? 0), 'they could all be sent');
    check(lost === 0, `${lost} of the ${seen.length} steady calls refused`);
    const slower = p99(seen) / alone;
    check(
      slower <= MOST_SLOWER,
      `their p99 ${alone.toFixed(0)} ms, beside the flood ${p99(seen).toFixed(0)} ms, ` +
        `× ${slower.toFixed(2)} (${MOST_SLOWER})`,
    );
  }
}

/** Makes calls in a process of its own; see there. */
async function caller() {
  const child = fork(fileURLToPath(new URL('caller.mjs', import.meta.url)));
  process.once('exit', () => child.kill('SIGKILL'));
  const message = () => new Promise((resolve) => child.once('message', resolve));
  await message();
  return (job) => {
    child.send({ path: PATH, ...job });
    return message();
  };
}

function isEarly({ sentMs }) {
  return sentMs <= SETTLING_MS;
}

function settled(calls) {
  return calls.filter((call) => !isEarly(call));
}

function p99(calls) {
  return quantile(
    calls.map(({ ms }) => ms),
    0.99,
  );
}

async function saturate(connections, ms) {
  const until = performance.now() + ms;
  let count = 0;
  const connection = async () => {
    while (performance.now() < until) {
      if ((await call(0)).status === 200) count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return (count * 1_000) / ms;
}

/** Calls at a rate, whether answers come or not. */
async function atRate(perSecond, ms) {
  const startedAt = performance.now();
  const sent = [];
  for (;;) {
    const at = performance.now() - startedAt;
    if (at > ms) break;
    while (sent.length < (perSecond * at) / 1_000) sent.push(call(at));
    await delay(2);
  }
  return Promise.all(sent);
}

async function call(sentMs) {
  const startedAt = performance.now();
  const status = await pool
    .request({
      method: 'POST',
      path: PATH,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: LONG,
    })
    .then(async (response) => {
      await response.body.dump();
      return response.statusCode;
    })
    .catch(() => 0);
  return { sentMs, status, ms: performance.now() - startedAt };
}

/** Looks at health and metrics twice a second; gives the slowest look and the 99th lag of the loop. */
function watching() {
  let running = true;
  let probeMs = 0;
  const done = (async () => {
    await delay(SETTLING_MS);
    await loop.look();
    while (running) {
      for (const path of ['/health/live', '/health/ready', '/metrics']) {
        const askedAt = performance.now();
        await (await fetch(gateway.url + path)).text();
        probeMs = Math.max(probeMs, performance.now() - askedAt);
      }
      await delay(500);
    }
    return { probeMs, lagMs: (await loop.look()).p99 };
  })();
  return () => {
    running = false;
    return done;
  };
}

/** A key of a new account. */
async function keyOf(account) {
  const ask = async (path, asked) => {
    const response = await fetch(`${gateway.url}/v3/admin/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.adminKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(asked),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const { id } = await ask('accounts', account);
  return (await ask(`accounts/${id}/keys`, { name: account.name })).key;
}

function conversation(turns) {
  const messages = Array.from({ length: turns }, (_, turn) => ({
    role: turn % 2 ? 'assistant' : 'user',
    content: `Turn ${turn}. ${'The quick brown fox jumps over the lazy dog. '.repeat(3)}`,
  }));
  const { model } = SCENARIOS.find(({ name }) => name === 'messages').body;
  return JSON.stringify({ model, messages });
}

function percent(part) {
  return `${Math.round(part * 100)} %`;
}

function say(text) {
  process.stdout.write(text);
}
