import { describe, expect, it } from '@jest/globals';
import { reply, trial } from '../../../../test/support/image-calls.js';
import { PROVIDERS } from '../../providers.js';
import { type UpstreamCall } from '../../provider.js';

const at = (path: string): UpstreamCall => ({
  method: 'GET',
  path,
  from: 'reply',
  framing: 'none',
});
function next(id: string, body: unknown, asked?: UpstreamCall) {
  const { codec, call } = trial(id);
  return codec.next!(reply(body), call, asked);
}

describe('Answers that come later', () => {
  it('Black Forest Labs says where to ask, and is asked there until it is done', () => {
    const id = 'bfl/flux-2-pro';
    const address = 'https://api.eu4.bfl.ai/v1/get_result?id=1';
    const asked = next(id, { id: '1', polling_url: address, cost: null });
    expect(asked).toEqual(at(address));
    expect(next(id, { id: '1', status: 'Pending', result: null }, asked)).toEqual(at(address));
    for (const status of ['Ready', 'Error', 'Request Moderated', 'Content Moderated']) {
      expect(next(id, { id: '1', status }, asked)).toBeUndefined();
    }
  });

  it('its regions may be asked', () => {
    expect(PROVIDERS.find(({ name }) => name === 'bfl')!.replyDomain).toBe('bfl.ai');
  });

  it('fal’s queue gives a status, and then the address of the result', () => {
    const id = 'fal/fal-ai/flux/dev';
    const task = 'https://queue.fal.run/fal-ai/flux/requests/1';
    const urls = { status_url: `${task}/status`, response_url: task };
    expect(next(id, { request_id: '1', status: 'IN_QUEUE', ...urls })).toEqual(at(urls.status_url));
    expect(next(id, { status: 'IN_PROGRESS', response_url: task })).toEqual(at(`${task}/status`));
    expect(next(id, { status: 'COMPLETED', response_url: task })).toEqual(at(task));
    expect(next(id, { images: [{ url: 'https://i.example/1' }] })).toBeUndefined();
    const { cancel } = trial(id).codec;
    const stop = { method: 'PUT', path: `${task}/cancel`, from: 'reply', framing: 'none' };
    expect(cancel!(reply({ status: 'IN_QUEUE', cancel_url: `${task}/cancel` }))).toEqual(stop);
    expect(cancel!(reply({ status: 'IN_QUEUE', response_url: task }))).toEqual(stop);
    expect(cancel!(reply({ images: [] }))).toBeUndefined();
    const { decodeError } = PROVIDERS.find(({ name }) => name === 'fal')!;
    const failed = { status: 'COMPLETED', error: 'Bad prompt', response_url: task };
    expect(decodeError(reply(failed))).toBeUndefined();
  });

  it('Replicate is asked again until the prediction ends, and can be told to stop', () => {
    const id = 'replicate/a/b';
    const get = 'https://api.replicate.com/v1/predictions/1';
    const urls = { get, cancel: `${get}/cancel` };
    for (const status of ['starting', 'processing']) {
      expect(next(id, { id: '1', status, output: ['https://i.example/1'], urls })).toEqual(at(get));
    }
    expect(next(id, { id: '1', status: 'processing' }, at(get))).toEqual(at(get));
    for (const status of ['succeeded', 'failed', 'canceled']) {
      expect(next(id, { id: '1', status, urls })).toBeUndefined();
    }
    expect(trial(id).codec.cancel!(reply({ id: '1', status: 'starting', urls }))).toMatchObject({
      ...{ method: 'POST', path: `${get}/cancel`, from: 'reply' },
    });
    const { decodeError } = PROVIDERS.find(({ name }) => name === 'replicate')!;
    expect(
      decodeError(reply({ id: '1', status: 'failed', error: 'Out of memory' })),
    ).toBeUndefined();
    expect(
      decodeError(reply({ detail: 'No version', status: 422, title: 'x' }, 422)),
    ).toMatchObject({ message: 'No version' });
  });

  it('Fireworks’s Kontext is asked for its id', () => {
    const id = 'fireworks/accounts/fireworks/models/flux-kontext-pro';
    const asked = next(id, { request_id: '1' });
    expect(asked).toMatchObject({
      path: '/workflows/accounts/fireworks/models/flux-kontext-pro/get_result',
      body: { json: { id: '1' } },
    });
    expect(next(id, { id: '1', status: 'Pending' }, asked)).toEqual(asked);
    expect(next(id, { id: '1', status: 'Ready' }, asked)).toBeUndefined();
  });

  it('Alibaba’s tasks have an address of their own', () => {
    const output = { task_id: '1', task_status: 'PENDING' };
    expect(next('alibaba/wan2.5-t2i-preview', { output })).toMatchObject({
      ...{ method: 'GET', path: '/api/v1/tasks/1' },
    });
    const done = { task_id: '1', task_status: 'SUCCEEDED' };
    expect(next('alibaba/wan2.5-t2i-preview', { output: done })).toBeUndefined();
  });

  const goesOn: [string, UpstreamCall, (status: string) => object, string[]][] = [
    [
      'bfl/flux-2-pro',
      at('https://api.bfl.ai/v1/get_result?id=1'),
      (status) => ({ id: '1', status, result: null }),
      ['Ready', 'Error', 'Failed', 'Request Moderated', 'Content Moderated', 'Task not found'],
    ],
    [
      'fireworks/accounts/fireworks/models/flux-kontext-pro',
      { path: '/get_result', body: { json: { id: '1' } }, framing: 'none' },
      (status) => ({ id: '1', status }),
      ['Ready', 'Error', 'Task not found'],
    ],
    [
      'replicate/a/b',
      at('https://api.replicate.com/v1/predictions/1'),
      (status) => ({
        id: '1',
        status,
        urls: { get: 'https://api.replicate.com/v1/predictions/1' },
      }),
      ['succeeded', 'failed', 'canceled', 'aborted'],
    ],
    [
      'alibaba/wan2.5-t2i-preview',
      { method: 'GET', path: '/api/v1/tasks/1', framing: 'none' },
      (status) => ({ output: { task_id: '1', task_status: status } }),
      ['SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN'],
    ],
  ];

  it.each(goesOn)('%s: a status that nobody knows goes on', (id, asked, answer, ends) => {
    for (const status of ['Uploading', 'PREPROCESSING', 'queued']) {
      expect(next(id, answer(status), asked)).toEqual(asked);
    }
    for (const status of ends) expect(next(id, answer(status), asked)).toBeUndefined();
  });

  it('fal’s queue goes on with a status that nobody knows, and tells an end where its result is', () => {
    const id = 'fal/fal-ai/flux/dev';
    const response_url = 'https://queue.fal.run/fal-ai/flux/requests/1';
    const asked = at(`${response_url}/status`);
    expect(next(id, { status: 'PAUSED', response_url }, asked)).toEqual(asked);
    expect(next(id, { status: 'IN_PROGRESS' }, asked)).toEqual(asked);
    for (const status of ['COMPLETED', 'FAILED', 'CANCELLED']) {
      expect(next(id, { status, response_url }, asked)).toEqual(at(response_url));
    }
    const made = { status: 'good', images: [{ url: 'https://i.example/1' }] };
    expect(next(id, made, at(response_url))).toBeUndefined();
  });

  it.each(['bfl/flux-2-pro', 'fal/fal-ai/flux/dev', 'replicate/a/b', 'alibaba/wan2.5-t2i-preview'])(
    '%s: an answer that is no JSON is not asked for again',
    (id) => {
      for (const body of ['<html>', '[]', 'null', '']) expect(next(id, body)).toBeUndefined();
    },
  );
});
