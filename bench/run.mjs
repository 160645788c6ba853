/**
 * `npm run bench`: what the gateway costs, measured against calling the provider directly and against
 * a bare pass-through, side by side on this machine. See docs/performance.md.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { timeCommits } from './commit.mjs';
import { Credits, CREDITS } from './credits.mjs';
import { Client, STREAMS } from './load.mjs';
import { machine, quantile, report } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { Workshop } from './targets.mjs';
import { cpuMs, peakMemoryMb } from './usage.mjs';

const UPSTREAM_TAKES_MS = 60;
/** What a server still does when its answers are out: log lines, the event loop's last round. */
const AFTERMATH_MS = 50;
/** Until then the servers' code is still being compiled while it runs. */
const WARM_UP_MS = 6_000;
const HELP = `npm run bench -- [options]
  --rounds N         each round measures every target once (4)
  --seconds N        length of one measurement (0.6)
  --only a,b         of ${[...SCENARIOS.map(({ name }) => name), CREDITS].join(', ')}
  --main FILE        the gateway's main.js, where it is not this build's
  --against FILE     another build's main.js, measured in the same rounds
  --json FILE        every measurement of every round
  PORTKEY=path       an installed @portkey-ai/gateway, measured too
  TEST_DATABASE_URL=postgres://…   a server on which the cost of credits is measured too`;

try {
  await bench(options());
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
process.exit(0);

function options() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      rounds: { ...text, default: '4' },
      seconds: { ...text, default: '0.6' },
      only: text,
      main: text,
      against: text,
      json: text,
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    process.exit(0);
  }
  if (process.platform !== 'linux')
    throw new Error('The bench reads CPU time from /proc: Linux only.');
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be 1 or more');
  if (!(seconds > 0)) throw new Error('--seconds must be more than 0');
  const known = [...SCENARIOS.map(({ name }) => name), CREDITS];
  const wanted = values.only?.split(',') ?? known;
  if (!wanted.every((name) => known.includes(name))) {
    throw new Error(`--only: unknown scenario\n${HELP}`);
  }
  const scenarios = SCENARIOS.filter(({ name }) => wanted.includes(name));
  return { ...values, rounds, seconds, scenarios, credits: wanted.includes(CREDITS) };
}

async function bench(wanted) {
  const { rounds, seconds, scenarios, credits: withCredits, json } = wanted;
  const taken = machine();
  const workshop = new Workshop();
  const upstream = await workshop.upstream();
  const { PORTKEY, TEST_DATABASE_URL: postgresUrl } = process.env;
  const built = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const mains = {
    gateway: wanted.main ? resolve(wanted.main) : built,
    ...(wanted.against && { against: resolve(wanted.against) }),
  };
  const servers = [];
  if (scenarios.length > 0) {
    servers.push(await workshop.passThrough(upstream));
    for (const [name, build] of Object.entries(mains)) {
      servers.push(await workshop.gateway(name, build, upstream));
    }
    if (PORTKEY) servers.push(await workshop.portkey(resolve(PORTKEY), upstream));
  }
  const targets = [upstream, ...servers].map((target) => ({
    ...target,
    client: new Client(target),
  }));
  const measure = (scenario, target) =>
    scenario.events
      ? measureStreams(upstream, scenario, target)
      : measureWhole(upstream, scenario, target, seconds * 1_000);

  say('warming up');
  for (const scenario of scenarios) {
    for (const target of targets.slice(1)) {
      await warmUp(upstream, scenario, target, Math.max(1_000, WARM_UP_MS / scenarios.length));
    }
  }
  const credits = withCredits
    ? await Credits.start(workshop, upstream, { mains, postgresUrl })
    : undefined;
  const measured = [];
  const commitMs = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    commitMs.push(...timeCommits(workshop.directory));
    for (const scenario of scenarios) {
      for (const target of rotated(targets, round)) {
        const figures = await measure(scenario, target);
        measured.push({ round, scenario: scenario.name, target: target.name, ...figures });
      }
    }
    await credits?.round(round, seconds * 1_000);
  }
  await credits?.close();
  say('');
  const memoryMb = Object.fromEntries(servers.map(({ name, pid }) => [name, peakMemoryMb(pid)]));
  const costs = credits?.measured ?? [];
  const run = { machine: taken, rounds, seconds, measured, credits: costs, commitMs, memoryMb };
  process.stdout.write(`${report(run)}\n`);
  if (json) writeFileSync(json, JSON.stringify(run, null, 1));
}

async function warmUp(upstream, scenario, { client }, ms) {
  await upstream.set(scenario.name, 0);
  if (!scenario.events) await client.saturate(scenario, ms);
  else for (let spent = 0; spent < ms; spent += 3_000) await client.streams(scenario);
}

/** Full load for the CPU time, then a moderate rate and a slow provider for the latency. */
async function measureWhole(upstream, scenario, { client, pid }, ms) {
  await upstream.set(scenario.name, UPSTREAM_TAKES_MS);
  const times = await client.atRate(scenario, ms);
  const latency = { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  if (pid === undefined) return latency;
  await upstream.set(scenario.name, 0);
  const before = cpuMs(pid);
  const { count, tookMs } = await client.saturate(scenario, ms);
  await delay(AFTERMATH_MS);
  return {
    ...latency,
    cpuMs: (cpuMs(pid) - before) / count,
    requestsPerSecond: (count * 1_000) / tookMs,
  };
}

async function measureStreams(upstream, scenario, { client, pid }) {
  await upstream.set(scenario.name, 0);
  const before = pid === undefined ? 0 : cpuMs(pid);
  const times = await client.streams(scenario);
  await delay(AFTERMATH_MS);
  const thousands = (STREAMS * scenario.events.length) / 1_000;
  return {
    streams: STREAMS,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    ...(pid !== undefined && { cpuMs: (cpuMs(pid) - before) / thousands }),
  };
}

function rotated(targets, by) {
  const at = by % targets.length;
  return [...targets.slice(at), ...targets.slice(0, at)];
}

function say(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
