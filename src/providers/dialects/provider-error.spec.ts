import { describe, expect, it } from '@jest/globals';
import { decodeError } from './provider-error.js';

const said = (...reply: Parameters<typeof decoded>) => decoded(...reply)?.message;

const decoded = (body: unknown, contentType = 'application/json', status = 422) => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const json = () => JSON.parse(bytes.toString()) as unknown;
  return decodeError({ status, headers: { 'content-type': contentType }, bytes, json });
};

describe('what a provider’s error says', () => {
  const entry = { type: 'missing', loc: ['body', 'messages'], msg: 'Field required' };

  it.each([
    [{ error: { message: 'm' } }, 'm'],
    [{ error: 'm' }, 'm'],
    [{ message: 'm' }, 'm'],
    [{ detail: 'm' }, 'm'],
    [{ detail: [entry, { ...entry, msg: 'other' }] }, 'Field required; other'],
    [{ object: 'error', message: { detail: [entry] } }, 'Field required'],
    [[{ error: { message: 'm' } }], 'm'],
    [{ detail: { error: 'm' } }, 'm'],
    [{ detail: { message: 'm' } }, 'm'],
    [{ error: ['m'] }, 'm'],
    [{ error: ['m', 'other'] }, 'm; other'],
    [{ base_resp: { status_code: 1004, status_msg: 'm' } }, 'm'],
    ['"m"', 'm'],
  ])('%j', (body, message) => {
    expect(said(body)).toBe(message);
  });

  it.each([
    {},
    [],
    null,
    7,
    { detail: [] },
    { detail: [null, {}] },
    { detail: {} },
    { error: {} },
    { error: [] },
    '""',
  ])('is nothing in %j', (body) => {
    expect(said(body)).toBeUndefined();
  });

  it.each([
    { choices: [], base_resp: { status_code: 0, status_msg: 'success' } },
    { choices: [], detail: { message: 'fine' } },
    { choices: [], error: ['fine'] },
  ])('is not what stands beside a good answer: %j', (body) => {
    expect(said(body, 'application/json', 200)).toBeUndefined();
  });

  it('is the time that Google wants to be left alone, in OpenAI’s format too', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '39s' }];
    expect(decoded([{ error: { message: 'm', details } }])).toEqual({
      ...{ message: 'm', details, retryAfter: 39 },
    });
    expect(decoded({ error: { message: 'm', details: 'x' } })).not.toHaveProperty('retryAfter');
  });

  it('is the text of a refusal in plain words, but no page and no success', () => {
    expect(said('missing field `messages`', 'text/plain; charset=utf-8')).toContain('messages');
    expect(said('x'.repeat(5_000), 'text/plain')?.length).toBeLessThan(2_000);
    expect(said('<html>', 'text/html')).toBeUndefined();
    expect(said('fine', 'text/plain', 200)).toBeUndefined();
  });
});
