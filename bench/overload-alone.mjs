/**
 * A part of `overload.mjs`: one account asks for twice as many calls as can be served, and with callers
 * that come again at once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { quantile } from './report.mjs';
import { timedCall } from './timed-call.mjs';

/** Enough to keep the gateway busy while the upstream takes its time. */
const CONNECTIONS = 150;
const WARMING_MS = 4_000;
const PEAK_MS = 5_000;
/** Of callers that come again at once when they are refused. */
const IMPATIENT_CONNECTIONS = 500;
const IMPATIENT_MS = 8_000;
/** Until the gateway has found its limit. */
const SETTLING_MS = 10_000;
/** Until it has none any more. */
const PAUSE_MS = 6_000;

/** Tells `check` of each figure, of all rounds together. */
export async function overloaded({ gateway, loop, body, rounds, forMs }, check) {
  const pool = new Pool(gateway.url, { connections: 4_000 });
  const call = (sentMs) => timedCall(pool, { key: gateway.key, body }, sentMs);
  const seen = { peaks: [], goods: [], impatient: [], early: [], late: [], probes: [], lags: [] };
  await saturate(call, CONNECTIONS, WARMING_MS);
  for (let round = 0; round < rounds; round += 1) {
    seen.peaks.push(await saturate(call, CONNECTIONS, PEAK_MS));
    const watch = watching(gateway, loop);
    const sent = await atRate(call, 2 * mean(seen.peaks), SETTLING_MS + forMs);
    const { probeMs, lagMs } = await watch();
    const late = sent.filter(({ sentMs }) => sentMs > SETTLING_MS);
    seen.goods.push((1_000 * late.filter(isGood).length) / forMs);
    seen.late.push(...late);
    seen.early.push(...sent.filter(({ sentMs }) => sentMs <= SETTLING_MS));
    seen.probes.push(probeMs);
    seen.lags.push(lagMs);
    await delay(PAUSE_MS);
    seen.impatient.push(await saturate(call, IMPATIENT_CONNECTIONS, IMPATIENT_MS));
    await delay(PAUSE_MS);
  }
  tell({ ...seen, forMs: rounds * forMs }, check);
}

function tell({ peaks, goods, impatient, early, late, probes, lags, forMs }, check) {
  const refused = late.filter(({ status }) => status === 503);
  const failed = late.length - late.filter(isGood).length - refused.length;
  const earlyMs = median(early.filter(isGood));
  const refusalMs = median(refused);
  const [goodput, again] = [goods, impatient].map((rates) => mean(rates) / mean(peaks));
  const [probeMs, lagMs] = [probes, lags].map((all) => Math.max(...all));
  say(`peak: ${all(peaks)} calls a second\n`);
  say(`twice as many: ${Math.round((1_000 * late.length) / forMs)} sent, ${all(goods)} served\n`);
  check(earlyMs < 1_000, `at first, half of the answers take less than ${ms(earlyMs)} (1000)`);
  check(goodput >= 0.9, `goodput ${percent(goodput)} of the peak (at least 90 %)`);
  check(failed === 0, `${refused.length} refused, ${failed} failed`);
  check(refusalMs < 50, `half of the refusals take less than ${ms(refusalMs)} (50)`);
  check(probeMs < 200, `health and metrics answer within ${ms(probeMs)} (200)`);
  check(lagMs < 100, `event loop late by ${ms(lagMs)} at p99 (less than 100)`);
  check(again >= 0.5, `callers that come again at once: ${percent(again)} of it (50 %)`);
}

async function saturate(call, connections, forMs) {
  const until = performance.now() + forMs;
  let count = 0;
  const connection = async () => {
    while (performance.now() < until) if (isGood(await call(0))) count += 1;
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return (count * 1_000) / forMs;
}

/** Calls at a rate, whether answers come or not. */
async function atRate(call, perSecond, forMs) {
  const startedAt = performance.now();
  const sent = [];
  for (;;) {
    const at = performance.now() - startedAt;
    if (at > forMs) break;
    while (sent.length < (perSecond * at) / 1_000) sent.push(call(at));
    await delay(2);
  }
  return Promise.all(sent);
}

/** Looks at health and metrics twice a second; gives the slowest look and the 99th lag of the loop. */
function watching(gateway, loop) {
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

function isGood({ status }) {
  return status === 200;
}

function median(calls) {
  return quantile(
    calls.map(({ ms }) => ms),
    0.5,
  );
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function all(rates) {
  return rates.map((rate) => Math.round(rate)).join(', ');
}

function ms(number) {
  return `${Math.round(number)} ms`;
}

function percent(part) {
  return `${Math.round(part * 100)} %`;
}

function say(text) {
  process.stdout.write(text);
}
