import { describe, expect, it } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { withoutProof } from './without-proof.js';

const TOKEN = 'ya29.ya29-token';
const google = { authorization: `Bearer ${TOKEN}` };
const aws = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/eu-west-3/bedrock/aws4_request, ' +
    'SignedHeaders=host;x-amz-date, Signature=0123456789abcdef',
  'x-amz-security-token': 'session-token',
};

async function told(text: string, proof: Record<string, string>, size = text.length) {
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
  };
  const answer = withoutProof({ status: 200, headers: {}, body: pieces() }, proof);
  return (await buffer(answer.body)).toString();
}

describe('an answer', () => {
  it.each([1, 2, 7, 1_000])('does not repeat a token, in pieces of %i bytes', async (size) => {
    const text = `{"a":"ya29.ya29","sent":"Bearer ${TOKEN}","twice":"${TOKEN}${TOKEN}","end":"ya29.y`;
    const hidden = '{"a":"ya29.ya29","sent":"Bearer [key]","twice":"[key][key]","end":"ya29.y';
    expect(await told(text, google, size)).toBe(hidden);
  });

  it('repeats no part of a signature that says whose it is or that may be used again', async () => {
    const text = await told(JSON.stringify(aws), aws);
    expect(text).toContain('SignedHeaders=host;x-amz-date');
    expect(text.match(/AKIDEXAMPLE|0123456789abcdef|session-token/)).toBeNull();
  });

  it('says at once what is no beginning of a token', async () => {
    const last = Promise.withResolvers<Buffer>();
    const pieces = async function* () {
      yield Buffer.from('data: {}\n\n');
      yield await last.promise;
    };
    const { body } = withoutProof({ status: 200, headers: {}, body: pieces() }, google);
    const read = body[Symbol.asyncIterator]();
    expect((await read.next()).value?.toString()).toBe('data: {}\n\n');
    last.resolve(Buffer.from('data: [DONE]\n\n'));
  });

  it('can be left before its first piece, and while it waits for one', async () => {
    let left = 0;
    const silent = {
      next: () => new Promise<never>(() => undefined),
      return: () => Promise.resolve({ done: true as const, value: (left += 1) }),
      [Symbol.asyncIterator]: () => silent,
    };
    for (const isAsked of [false, true]) {
      const { body } = withoutProof({ status: 200, headers: {}, body: silent }, google);
      const read = body[Symbol.asyncIterator]();
      if (isAsked) void read.next();
      await read.return?.();
    }
    expect(left).toBe(2);
  });

  it('is left as it is where nothing proved who asked, it may be a word, or has checksums', () => {
    const answer = { status: 200, headers: {}, body: (async function* () {})() };
    const binary = { ...answer, headers: { 'content-type': 'application/vnd.amazon.eventstream' } };
    expect(withoutProof(binary, aws)).toBe(binary);
    expect(withoutProof(answer, {})).toBe(answer);
    expect(withoutProof(answer, { authorization: 'Bearer token' })).toBe(answer);
  });
});
