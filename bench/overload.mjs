/**
 * `node bench/overload.mjs`: what becomes of calls when there are more than the gateway can serve.
 * First twice as many as it can, of one account; then one account that calls steadily, alone and
 * beside another with a hundred times as many calls. Exits with 1 when a figure misses its goal, as
 * it will where other work takes the machine's time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { quantile } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { Workshop } from './targets.mjs';

const UPSTREAM_TAKES_MS = 60;
const PATH = '/v3/chat/completions';
/** A conversation that is translated, so that the gateway has far more to do than who asks it. */
const BODY = {
  model: SCENARIOS.find(({ name }) => name === 'messages').body.model,
  messages: Array.from({ length: 300 }, (_, turn) => ({
    role: turn % 2 ? 'assistant' : 'user',
    content: `Turn ${turn}. ${'The quick brown fox jumps over the lazy dog. '.repeat(3)}`,
  })),
};
/** Enough to keep the gateway busy while the upstream takes its time. */
const CONNECTIONS = 200;
const STEADY_PER_SECOND = 10;
const TIMES = 100;
/** Until the gateway has found its limit. */
const SETTLING_MS = 10_000;

const { values } = parseArgs({
  options: {
    main: { type: 'string', default: fileURLToPath(new URL('../dist/main.js', import.meta.url)) },
    seconds: { type: 'string', default: '10' },
  },
});
const measureMs = Number(values.seconds) * 1_000;
const workshop = new Workshop();
const upstream = await workshop.upstream();
await upstream.set('messages', UPSTREAM_TAKES_MS);
const gateway = await workshop.gateway('gateway', values.main, upstream);
const body = JSON.stringify(BODY);
const other = await keyOfAnotherAccount();
/** Two callers share no connections. */
const pools = {
  [gateway.key]: new Pool(gateway.url, { connections: 4_000 }),
  [other]: new Pool(gateway.url, { connections: 100 }),
};
let failed = false;

await saturate(CONNECTIONS, 4_000);
const peak = await saturate(CONNECTIONS, 5_000);
say(`peak: ${Math.round(peak)} calls a second\n`);

const rate = 2 * peak;
const watch = watching();
const flood = await atRate({ [gateway.key]: rate }, SETTLING_MS + measureMs);
const seen = await watch();
const late = flood.filter(({ sentMs }) => sentMs > SETTLING_MS);
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
check(goodput >= 0.9, `goodput ${percent(goodput)} of the peak (at least 90 %)`);
check(
  good.length + refused.length === late.length,
  `${refused.length} refused, ${late.length - good.length - refused.length} failed`,
);
check(refusalMs < 50, `half of the refusals take less than ${Math.round(refusalMs)} ms (50)`);
check(seen.probeMs < 200, `health and metrics answer within ${seen.probeMs.toFixed(0)} ms (200)`);
check(seen.lagMs < 100, `event loop late by ${seen.lagMs.toFixed(0)} ms at p99 (less than 100)`);

await delay(6_000);
const alone = p99(await atRate({ [other]: STEADY_PER_SECOND }, SETTLING_MS + measureMs), other);
const beside = await atRate(
  { [other]: STEADY_PER_SECOND, [gateway.key]: TIMES * STEADY_PER_SECOND },
  SETTLING_MS + measureMs,
);
const ratio = p99(beside, other) / alone;
const lost = beside.filter(
  ({ key, status, sentMs }) => key === other && status !== 200 && sentMs > SETTLING_MS,
).length;
say(`${STEADY_PER_SECOND} calls a second, and ${TIMES} times as many of another account\n`);
check(lost === 0, `${lost} of them refused`);
check(
  ratio <= 1.2,
  `p99 ${alone.toFixed(0)} ms alone, ${(alone * ratio).toFixed(0)} ms beside it: × ${ratio.toFixed(2)} (1.20)`,
);
process.exit(failed ? 1 : 0);

function check(holds, what) {
  failed ||= !holds;
  say(`${holds ? 'ok  ' : 'FAIL'} ${what}\n`);
}

function p99(calls, key) {
  const times = calls.filter((call) => call.key === key && call.sentMs > SETTLING_MS);
  return quantile(
    times.map(({ ms }) => ms),
    0.99,
  );
}

async function saturate(connections, ms) {
  const until = performance.now() + ms;
  let count = 0;
  const connection = async () => {
    while (performance.now() < until) {
      if ((await call(gateway.key, 0)).status === 200) count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return (count * 1_000) / ms;
}

/** Calls of each key at its rate, whether answers come or not. */
async function atRate(rates, ms) {
  const startedAt = performance.now();
  const sent = [];
  const counts = Object.fromEntries(Object.keys(rates).map((key) => [key, 0]));
  for (;;) {
    const at = performance.now() - startedAt;
    if (at > ms) break;
    for (const [key, rate] of Object.entries(rates)) {
      for (; counts[key] < (rate * at) / 1_000; counts[key]++) sent.push(call(key, at));
    }
    await delay(2);
  }
  return Promise.all(sent);
}

async function call(key, sentMs) {
  const startedAt = performance.now();
  const status = await pools[key]
    .request({
      method: 'POST',
      path: PATH,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    })
    .then(async (response) => {
      await response.body.dump();
      return response.statusCode;
    })
    .catch(() => 0);
  return { key, sentMs, status, ms: performance.now() - startedAt };
}

/** Looks at health and metrics twice a second; gives the slowest look and the 99th lag of the loop. */
function watching() {
  let running = true;
  let probeMs = 0;
  let lagMs = 0;
  const startedAt = performance.now();
  const done = (async () => {
    while (running) {
      for (const path of ['/health/live', '/health/ready', '/metrics']) {
        const askedAt = performance.now();
        const text = await (await fetch(gateway.url + path)).text();
        if (askedAt - startedAt < SETTLING_MS) continue;
        probeMs = Math.max(probeMs, performance.now() - askedAt);
        const [, lag] = /^causeway_event_loop_lag_seconds ([\d.e-]+)/m.exec(text) ?? [];
        if (lag) lagMs = Math.max(lagMs, Number(lag) * 1_000);
      }
      await delay(500);
    }
  })();
  return async () => {
    running = false;
    await done;
    return { probeMs, lagMs };
  };
}

async function keyOfAnotherAccount() {
  const ask = async (path, asked) => {
    const response = await fetch(`${gateway.url}/v3/admin/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.adminKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(asked),
    });
    return response.json();
  };
  const { id } = await ask('accounts', { name: 'steady' });
  return (await ask(`accounts/${id}/keys`, { name: 'steady' })).key;
}

function percent(part) {
  return `${Math.round(part * 100)} %`;
}

function say(text) {
  process.stdout.write(text);
}
