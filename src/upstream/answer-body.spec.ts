import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Dispatcher } from 'undici';
import { AnswerBody } from './answer-body.js';

describe('AnswerBody', () => {
  const abort = jest.fn();
  let body: AnswerBody;

  beforeEach(() => {
    jest.useFakeTimers();
    abort.mockReset();
    const controller: Partial<Dispatcher.DispatchController> = { abort, paused: false };
    body = new AnswerBody(controller as Dispatcher.DispatchController);
    body.push(Buffer.from('the last event'));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

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

  it('has nothing to cut when the answer failed or had ended', async () => {
    await readOne();
    body.fail(new Error('reset'));
    jest.runAllTimers();
    expect(abort).not.toHaveBeenCalled();
  });
});
