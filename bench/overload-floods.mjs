/** A part of `overload.mjs`: one account calls steadily, alone and beside each flood of another one. */
import { setTimeout as delay } from 'node:timers/promises';
import { newAccount } from './admin.mjs';
import { quantile } from './report.mjs';

const STEADY_PER_SECOND = 20;
/** How much longer their 99th latency may be because of a flood. */
const MOST_SLOWER = 1.2;
/** Of conversations, in turns. */
const [SHORT, LONG] = [2, 300];
/** Each of them: with what it comes, and how often. */
const FLOODS = {
  'a hundred times as many calls': { perSecond: 100 * STEADY_PER_SECOND, turns: SHORT },
  'a hundred connections without a pause': { connections: 100, turns: SHORT },
  'such connections, with a limit of 100 calls a second': {
    connections: 100,
    turns: SHORT,
    limited: true,
  },
  'fifty times as many calls of 45 kB': { perSecond: 50 * STEADY_PER_SECOND, turns: LONG },
};
/** Until the gateway has found its limit. */
const SETTLING_MS = 10_000;
/** Until a flood is forgotten. */
const PAUSE_MS = 6_000;

/** Tells `check` how much longer the 99th steady call takes beside each flood, of all rounds together. */
export async function compareFloods(setting, check) {
  const { gateway, rounds, forMs } = setting;
  const keys = {
    steady: (await newAccount(gateway, { name: 'steady' })).key,
    limited: (await newAccount(gateway, { name: 'limited', rate_limit: '100/s' })).key,
    flooding: gateway.key,
  };
  const alone = { [SHORT]: [], [LONG]: [] };
  const beside = Object.fromEntries(
    Object.keys(FLOODS).map((name) => [name, { seen: [], sent: 0 }]),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const turns of [SHORT, LONG]) {
      alone[turns].push(...(await steadyCalls(setting, keys, { turns })).seen);
      for (const [name, flood] of Object.entries(FLOODS)) {
        if (flood.turns !== turns) continue;
        const { seen, sent } = await steadyCalls(setting, keys, flood);
        beside[name].seen.push(...seen);
        beside[name].sent += sent;
      }
    }
  }
  for (const [name, { perSecond = 0, turns }] of Object.entries(FLOODS)) {
    const { seen, sent } = beside[name];
    const rate = (sent * 1_000) / (rounds * forMs);
    process.stdout.write(`${name}: ${Math.round(rate)} calls a second\n`);
    check(rate >= 0.95 * perSecond, 'they could all be sent');
    const lost = seen.filter(({ status }) => status !== 200).length;
    check(lost === 0, `${lost} of the ${seen.length} steady calls refused`);
    const [before, after] = [p99(alone[turns]), p99(seen)];
    const slower = after / before;
    check(
      slower <= MOST_SLOWER,
      `their p99 ${before.toFixed(0)} ms, beside the flood ${after.toFixed(0)} ms, ` +
        `× ${slower.toFixed(2)} (${MOST_SLOWER})`,
    );
  }
}

/** The steady calls beside a flood, or without a rate and connections alone, once the limit is found. */
async function steadyCalls({ steady, flooding, bodies, forMs }, keys, { turns, limited, ...how }) {
  await delay(PAUSE_MS);
  const body = bodies(turns);
  const all = { forMs: SETTLING_MS + forMs };
  const isFlooded = how.perSecond !== undefined || how.connections !== undefined;
  const key = limited ? keys.limited : keys.flooding;
  const [seen, flood] = await Promise.all([
    steady({ ...all, key: keys.steady, body: body.steady, perSecond: STEADY_PER_SECOND }),
    isFlooded ? flooding({ ...all, key, body: body.flood, ...how }) : [],
  ]);
  return { seen: seen.filter(isSettled), sent: flood.filter(isSettled).length };
}

function isSettled({ sentMs }) {
  return sentMs > SETTLING_MS;
}

function p99(seen) {
  return quantile(
    seen.map(({ ms }) => ms),
    0.99,
  );
}
