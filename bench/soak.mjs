/**
 * `npm run soak -- 60`: calls of every kind for so many minutes, some of which meet faults or are left
 * by their callers; then whether memory grew, handles were left open, and the books agree with what
 * the provider said. Exits with 1 when something is wrong. See docs/operations.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freshDatabase } from './fresh-database.mjs';
import { Books } from './soak-books.mjs';
import { growth, grown } from './soak-memory.mjs';
import { MODELS, Traffic } from './soak-traffic.mjs';
import { startUpstream } from './soak-upstream.mjs';
import { Workshop } from './targets.mjs';

/** Growth that is allowed in 100,000 requests, judged when there were enough of them. */
const MOST_GROWTH_MB = 1;
const JUDGED_FROM = 500_000;
/** Files and sockets that may be open more than at the beginning, when everything is idle again. */
const MOST_LEFT = 8;
/** Of streams that were left, the part that is cut at the provider; a late loop may miss some. */
const LEAST_CUT = 0.9;
/** Connections that nobody uses are closed by then. */
const IDLE_MS = 15_000;

const USAGE = 'npm run soak -- [MINUTES, else 10] [--concurrency CALLERS] [--main FILE]\n';

const { minutes, concurrency, main } = settings();
const workshop = new Workshop();
const { url: upstream, left } = await startUpstream();
const { TEST_DATABASE_URL: serverUrl } = process.env;
const database = serverUrl ? await freshDatabase(serverUrl) : undefined;
if (database) {
  // In place of the workshop's, which ends the process before a server can be asked for anything.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.once(signal, () => void database.drop().finally(() => process.exit(1)));
  }
}
const modelsFile = join(workshop.directory, 'models.yaml');
writeFileSync(modelsFile, MODELS);
const gateway = await workshop.gateway(
  'gateway',
  main,
  { url: upstream },
  {
    MODELS_FILE: modelsFile,
    LOG_LEVEL: 'error',
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '1000',
    ...(database && { DATABASE_URL: database.url }),
  },
);
void gateway.ended.then(async (how) => {
  check(false, how);
  await database?.drop();
  process.exit();
});
const books = await Books.open(gateway);
const traffic = new Traffic(gateway.url, books.key);
const samples = [];
const wrong = [];
let lagMs = 0;
const openAtFirst = openHandles();
const startedAt = performance.now();
const endsAt = startedAt + minutes * 60_000;

const looking = setInterval(look, 1_000);
const reporting = setInterval(() => void report(), 60_000);
await Promise.all(Array.from({ length: concurrency }, caller));
clearInterval(looking);
clearInterval(reporting);
await traffic.close();
await delay(IDLE_MS);
await finish();

/** What the command line says; what it says wrongly ends the process. */
function settings() {
  const options = {
    minutes: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '32' },
    main: { type: 'string', default: fileURLToPath(new URL('../dist/main.js', import.meta.url)) },
    help: { type: 'boolean' },
  };
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const minutes = Number(positionals[0] ?? values.minutes);
    const concurrency = Number(values.concurrency);
    if (!(minutes > 0 && Number.isFinite(minutes)) || positionals.length > 1) {
      throw new Error('MINUTES is a number above 0');
    }
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new Error('CALLERS is a whole number from 1 on');
    }
    return { minutes, concurrency, main: values.main };
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}`);
    return process.exit(2);
  }
}

async function caller() {
  while (performance.now() < endsAt) await traffic.send(traffic.sent + 1);
}

function look() {
  // That it has ended is told by itself.
  if (isThere()) samples.push({ requests: traffic.sent, mb: residentMb() });
}

async function report() {
  const { good, left, failed } = traffic.outcomes;
  const { balance, held, spent, agrees } = await books.balance();
  if (!agrees) wrong.push('balance, held and spent were not what was granted');
  const lag = await lagOfLoop();
  lagMs = Math.max(lagMs, lag);
  say(
    // What is looked at when all is idle again belongs to the minutes that were asked for.
    `${((Math.min(performance.now(), endsAt) - startedAt) / 60_000).toFixed(1)} min: ${traffic.sent} requests, ` +
      `${good} good, ${failed} failed, ${left} left, ${traffic.unexpected.length} unexpected; ` +
      `${residentMb().toFixed(0)} MB, ${grown(samples)}; ` +
      `${openHandles()} handles; loop late by ${lag.toFixed(0)} ms at p99; ` +
      `balance ${balance}, held ${held}, spent ${spent}`,
  );
}

async function finish() {
  await report();
  say(`largest lateness of the loop: ${lagMs.toFixed(0)} ms`);
  for (const line of traffic.unexpected.slice(0, 10)) say(`  ${line}`);
  const isGood = traffic.sent > 0 && traffic.unexpected.length === 0;
  check(isGood, `every one of ${traffic.sent} requests ended as it should`);
  const { streams, cut } = left;
  check(cut >= LEAST_CUT * streams, `${cut} of ${streams} streams that callers left were cut`);
  const open = openHandles();
  const most = openAtFirst + MOST_LEFT;
  check(
    open <= most,
    `${open} handles open, ${openAtFirst} at the beginning, at most ${most} allowed`,
  );
  const isJudged = traffic.sent >= JUDGED_FROM;
  const grew = `growth of memory: ${grown(samples)}`;
  if (isJudged) check(growth(samples) < MOST_GROWTH_MB, grew);
  else say(`     ${grew}; judged from ${JUDGED_FROM} requests on`);
  wrong.push(...(await books.audit(traffic.sent)));
  for (const line of wrong.slice(0, 10)) say(`  ${line}`);
  check(wrong.length === 0, `the books agree with the provider: ${wrong.length} differences`);
  await database?.drop();
  process.exit(process.exitCode ?? 0);
}

function check(holds, what) {
  if (!holds) process.exitCode = 1;
  say(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
}

async function lagOfLoop() {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return 1_000 * Number(/^causeway_event_loop_lag_seconds ([\d.e-]+)/m.exec(text)?.[1] ?? 0);
}

function isThere() {
  return existsSync(`/proc/${gateway.pid}`);
}

/** Linux only, like the rest of the bench. */
function residentMb() {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1_024;
}

function openHandles() {
  return readdirSync(`/proc/${gateway.pid}/fd`).length;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
