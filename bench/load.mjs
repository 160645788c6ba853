import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

/** Answers this many streams at a time. */
export const STREAMS = 100;
/** The streams of a round begin one after the other within this time. */
const STREAMS_BEGIN_WITHIN_MS = 400;

/** A caller of one target; the connections are kept from one measurement to the next. */
export class Client {
  #target;
  #pool;

  constructor(target) {
    this.#target = target;
    this.#pool = new Pool(target.url);
  }

  /** As many requests as go through on the scenario's connections. @returns how many, in what time. */
  async saturate(scenario, ms) {
    const request = this.#request(scenario);
    const startedAt = performance.now();
    const until = startedAt + ms;
    let count = 0;
    const connection = async () => {
      while (performance.now() < until) {
        await this.#send(request);
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: scenario.connections }, connection));
    return { count, tookMs: performance.now() - startedAt };
  }

  /** Requests at the scenario's rate, whether answers come or not. @returns their times in ms. */
  async atRate(scenario, ms) {
    const count = Math.max(1, Math.round((scenario.rate * ms) / 1_000));
    const sent = await this.#spread(this.#request(scenario), count, ms);
    return sent.map(({ totalMs }) => totalMs);
  }

  /** Many streams side by side. @returns the times in ms to their first bytes. */
  async streams(scenario) {
    const sent = await this.#spread(this.#request(scenario), STREAMS, STREAMS_BEGIN_WITHIN_MS);
    return sent.map(({ firstByteMs }) => firstByteMs);
  }

  close() {
    return this.#pool.destroy();
  }

  async #spread(request, count, ms) {
    const startedAt = performance.now();
    const running = [];
    for (let index = 0; index < count; index++) {
      const wait = startedAt + (index * ms) / count - performance.now();
      if (wait > 0) await delay(wait);
      running.push(this.#send(request));
      // A failure is thrown by the wait for all of them.
      running.at(-1).catch(() => undefined);
    }
    return Promise.all(running);
  }

  #request(scenario) {
    const { path, headers } = this.#target.request(scenario);
    return {
      scenario,
      dispatch: {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(scenario.body),
      },
    };
  }

  #send({ scenario, dispatch }) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const startedAt = performance.now();
    const fail = (said) =>
      reject(new Error(`${this.#target.name} answered ${scenario.name} with ${said}`));
    let status;
    let firstByteMs;
    let last = Buffer.alloc(0);
    this.#pool.dispatch(dispatch, {
      onRequestStart() {},
      onResponseStart(_controller, code) {
        status = code;
      },
      onResponseData(_controller, chunk) {
        firstByteMs ??= performance.now() - startedAt;
        last = chunk;
      },
      onResponseEnd() {
        if (status !== 200) fail(`${status}: ${last.toString().slice(0, 500)}`);
        else if (scenario.end && !last.includes(scenario.end)) fail('a stream that breaks off');
        else resolve({ firstByteMs, totalMs: performance.now() - startedAt });
      },
      onResponseError(_controller, error) {
        fail(`a broken connection: ${error.message}`);
      },
    });
    return promise;
  }
}
