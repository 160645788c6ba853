import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextRound } from 'node:timers/promises';
import { type Dispatcher } from 'undici';
import { countRounds } from '../../test/support/rounds.js';
import { AnswerBody } from './answer-body.js';
import { TimeLimit } from './time-limit.js';

const IDLE_MS = 1_000;

describe('AnswerBody', () => {
  const abort = jest.fn();
  const silent = jest.fn();
  const controller = {
    abort,
    paused: false,
    pause: () => {
      controller.paused = true;
    },
    resume: () => {
      controller.paused = false;
    },
  };
  let body: AnswerBody;

  beforeEach(() => {
    // The reader's own time is real.
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'clearImmediate'] });
    abort.mockReset();
    silent.mockReset();
    controller.paused = false;
    const given = controller as Partial<Dispatcher.DispatchController>;
    body = new AnswerBody(given as Dispatcher.DispatchController, new TimeLimit(IDLE_MS, silent));
    body.push(Buffer.from('the last event'));
  });
  afterEach(() => {
    body.end();
    jest.useRealTimers();
  });

  async function pass(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms);
    await nextRound();
  }

  /** Takes one piece and has no use for more. */
  async function readOne(): Promise<void> {
    for await (const chunk of body) {
      expect(chunk.toString()).toBe('the last event');
      break;
    }
  }

  it('leaves the connection alone whose answer ends soon after its reader has left', async () => {
    await readOne();
    body.push(Buffer.from('\n'));
    body.end();
    jest.runAllTimers();
    expect(abort).not.toHaveBeenCalled();
  });

  it('cuts the connection when the answer does not end', async () => {
    await readOne();
    expect(abort).not.toHaveBeenCalled();
    jest.runAllTimers();
    expect(abort).toHaveBeenCalledTimes(1);
  });

  it('cuts the connection when much more comes', async () => {
    await readOne();
    body.push(Buffer.alloc(65_537));
    expect(abort).toHaveBeenCalledTimes(1);
  });

  it('is silent from its last piece on, or from when its reader goes on', async () => {
    jest.advanceTimersByTime(IDLE_MS - 1);
    body.push(Buffer.alloc(65_537));
    expect(controller.paused).toBe(true);
    await pass(IDLE_MS - 1);
    expect(silent).not.toHaveBeenCalled();
    await body.next();
    await body.next();
    expect(controller.paused).toBe(false);
    await pass(IDLE_MS - 1);
    expect(silent).not.toHaveBeenCalled();
    await pass(1);
    expect(silent).toHaveBeenCalledTimes(1);
  });

  it('does not keep the event loop while its reader works on what is there', async () => {
    const rounds = countRounds();
    for (let piece = 1; piece < 100; piece += 1) body.push(Buffer.from('x'));
    body.end();
    let read = '';
    for await (const piece of body) {
      read += piece.toString();
      const until = performance.now() + 1;
      while (performance.now() < until);
    }
    const came = rounds();
    expect(read).toBe(`the last event${'x'.repeat(99)}`);
    expect(came).toBeGreaterThanOrEqual(5);
  });

  it('has its end ready, however long its reader has worked', async () => {
    await body.next();
    body.end();
    for (const until = performance.now() + 20; performance.now() < until;);
    const round = nextRound('another round');
    expect(await Promise.race([body.next(), round])).toEqual({ done: true, value: undefined });
  });

  it('has nothing to cut when the answer failed or had ended', async () => {
    await readOne();
    body.fail(new Error('reset'));
    jest.runAllTimers();
    expect(abort).not.toHaveBeenCalled();
  });
});
