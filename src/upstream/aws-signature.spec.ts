import { describe, expect, it } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { awsSignature } from './aws-signature.js';

/** The key, the service and the moment of AWS' published test vectors. */
const SCOPE = {
  keys: {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  },
  region: 'us-east-1',
  service: 'service',
  now: new Date('2015-08-30T12:36:00Z'),
};
const signatureOf = (headers: Record<string, string>) =>
  /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '')?.[1];
const call = (method: string, path: string, body: Uint8Array[] = []) => ({
  method,
  url: new URL(`https://example.amazonaws.com${path}`),
  body,
});

describe('awsSignature', () => {
  // https://docs.aws.amazon.com/general/latest/gr/signature-v4-test-suite.html
  it.each([
    ['get-vanilla', 'GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'post-vanilla',
      'POST',
      '/',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'get-vanilla-query-order-key-case',
      'GET',
      '/?Param2=value2&Param1=value1',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'get-slashes',
      'GET',
      '//example//',
      '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
    ],
    [
      'get-unreserved',
      'GET',
      '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
      '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
    ],
  ])('signs %s as AWS publishes it', (_, method, path, signature) => {
    expect(signatureOf(awsSignature(call(method, path), SCOPE))).toBe(signature);
  });

  it('signs a temporary key together with its token', () => {
    const keys = { ...SCOPE.keys, sessionToken: 'token' };
    const headers = awsSignature(call('POST', '/'), { ...SCOPE, keys });
    expect(headers['x-amz-security-token']).toBe('token');
    expect(headers.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,');
    expect(signatureOf(headers)).not.toBe(signatureOf(awsSignature(call('POST', '/'), SCOPE)));
  });

  it('escapes an escaped path once more, as every service but S3 wants it', () => {
    const path = "/model/anthropic.claude-v1%3A0/converse('x')";
    const url = new URL(`http://127.0.0.1:8080${path}`);
    const body = [Buffer.from('{"a":'), Buffer.from('1}')];
    const headers = awsSignature({ method: 'POST', url, body }, { ...SCOPE, service: 'bedrock' });
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const canonical = [
      'POST',
      '/model/anthropic.claude-v1%253A0/converse%28%27x%27%29',
      '',
      'host:127.0.0.1:8080',
      'x-amz-date:20150830T123600Z',
      '',
      'host;x-amz-date',
      hash('{"a":1}'),
    ].join('\n');
    const scope = '20150830/us-east-1/bedrock/aws4_request';
    const text = `AWS4-HMAC-SHA256\n20150830T123600Z\n${scope}\n${hash(canonical)}`;
    const key = scope
      .split('/')
      .reduce<string | Buffer>(
        (from, step) => createHmac('sha256', from).update(step).digest(),
        `AWS4${SCOPE.keys.secretAccessKey}`,
      );
    const wanted = createHmac('sha256', key).update(text).digest('hex');
    expect(headers.authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=host;x-amz-date, Signature=${wanted}`,
    );
  });
});
