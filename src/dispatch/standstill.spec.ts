import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawEvent } from '../providers/provider.js';
import { Standstill } from './standstill.js';

const MS = 20;

const event = (data: string, name?: string): RawEvent => {
  return { name, data, bytes: Buffer.from(`data: ${data}\n\n`) };
};

/** Batches that come at once, and then nothing until the stream is over. */
async function* coming(batches: readonly RawEvent[][], over: Promise<unknown>) {
  yield* batches;
  await over;
}

describe('Standstill', () => {
  it('is over when nothing has come in time', async () => {
    const over = Promise.withResolvers<undefined>();
    const still = new Standstill(coming([[event('{}')]], over.promise), MS, () => {
      over.reject(new Error('still'));
    });
    expect(await still.next()).toMatchObject({ done: false });
    await expect(still.next()).rejects.toThrow('still');
  });

  it('is none where nobody was ready to read', async () => {
    let isOver = false;
    const batches = [[event('{}')], [event('{}', 'ping')], [event('{}')]];
    const still = new Standstill(coming(batches, Promise.resolve()), MS, () => (isOver = true));
    for (let index = 0; index < batches.length; index++) {
      expect(await still.next()).toEqual({ done: false, value: batches[index] });
      await delay(3 * MS);
    }
    expect(await still.next()).toMatchObject({ done: true });
    await delay(3 * MS);
    expect(isOver).toBe(false);
  });

  it('is nothing more once its reader has left', async () => {
    let isOver = false;
    const never = new Promise(() => undefined);
    const still = new Standstill(coming([[event('{}')]], never), MS, () => (isOver = true));
    await still.next();
    await still.return();
    await delay(3 * MS);
    expect(isOver).toBe(false);
  });
});
