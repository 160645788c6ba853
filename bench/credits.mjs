import { setTimeout as delay } from 'node:timers/promises';
import { newAccount } from './admin.mjs';
import { freshDatabase } from './fresh-database.mjs';
import { Client } from './load.mjs';
import { quantile } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { cpuMs } from './usage.mjs';

/** Among the scenarios of `--only`, the name of this measurement. */
export const CREDITS = 'credits';
/** Calls that are under way at the same time. */
export const CONNECTIONS = 64;
const SCENARIO = SCENARIOS.find(({ name }) => name === 'messages');
const UPSTREAM_TAKES_MS = 60;
/** What a server still does when its answers are out. */
const AFTERMATH_MS = 50;
const WARM_UP_MS = 4_000;
/** More credit than a run can spend. */
const LIMITED = { name: 'limited', credits: 1_000_000 };

/**
 * What holding and charging costs. Both halves of a pair are one and the same process, asked with
 * the key of an account that spends freely, and with that of an account whose every call needs a
 * hold. On PostgreSQL too where `postgresUrl` names a server; its own work is not counted.
 */
export class Credits {
  #pairs;
  #upstream;
  #databases = [];
  measured = [];

  static async start(workshop, upstream, { mains, postgresUrl }) {
    const credits = new Credits();
    credits.#upstream = upstream;
    credits.#pairs = [];
    for (const [build, main] of Object.entries(mains)) {
      const begin = async (engine, env) => {
        const name = build === 'gateway' ? engine : `${build} ${engine}`;
        const gateway = await workshop.gateway(`credits ${name}`, main, upstream, env);
        const keys = [gateway.key, (await newAccount(gateway, LIMITED)).key];
        const [off, on] = keys.map((key) => new Client(gateway.with(key)));
        credits.#pairs.push({ name, pid: gateway.pid, off, on });
      };
      await begin('sqlite', {});
      if (!postgresUrl) continue;
      const database = await freshDatabase(postgresUrl);
      credits.#databases.push(database);
      await begin('postgres', { DATABASE_URL: database.url });
    }
    await credits.#warmUp();
    return credits;
  }

  /** One measurement of every half of every pair, the halves alternating. */
  async round(round, ms) {
    for (const { name, pid, ...halves } of this.#pairs) {
      for (const half of round % 2 ? ['off', 'on'] : ['on', 'off']) {
        const figures = await this.#measure(pid, halves[half], ms);
        this.measured.push({ round, pair: name, half, ...figures });
      }
    }
  }

  async close() {
    for (const { drop } of this.#databases) await drop();
  }

  async #warmUp() {
    await this.#upstream.set(SCENARIO.name, 0);
    for (const { off, on } of this.#pairs) {
      for (const client of [off, on]) {
        await client.saturate({ ...SCENARIO, connections: CONNECTIONS }, WARM_UP_MS);
      }
    }
  }

  async #measure(pid, client, ms) {
    await this.#upstream.set(SCENARIO.name, 0);
    const full = await this.#cpu(pid, client, 2 * ms);
    const alone = await client.saturate({ ...SCENARIO, connections: 1 }, ms / 2);
    await this.#upstream.set(SCENARIO.name, UPSTREAM_TAKES_MS);
    const usual = await this.#cpu(pid, client, 2 * ms);
    const times = await client.atRate(SCENARIO, ms);
    return {
      cpuMs: full.cpuMs,
      requestsPerSecond: full.requestsPerSecond,
      usualCpuMs: usual.cpuMs,
      usualRequestsPerSecond: usual.requestsPerSecond,
      aloneMs: alone.tookMs / alone.count,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
    };
  }

  async #cpu(pid, client, ms) {
    const before = cpuMs(pid);
    const { count, tookMs } = await client.saturate({ ...SCENARIO, connections: CONNECTIONS }, ms);
    await delay(AFTERMATH_MS);
    return { cpuMs: (cpuMs(pid) - before) / count, requestsPerSecond: (count * 1_000) / tookMs };
  }
}
