import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { checkExtraHeaders } from './extra-headers.js';

describe('checkExtraHeaders', () => {
  it('lets ordinary headers through', () => {
    expect(() => {
      checkExtraHeaders({ 'X-Title': 'a b\tc ~!', 'anthropic-beta': '', "a!#$%&'*+.^_`|~9": '1' });
      checkExtraHeaders({ 'Accept-Language': 'de', 'OpenAI-Beta': 'a=b', 'X-Amzn-Trace-Id': 'r' });
      checkExtraHeaders({ 'X-Amzn-Bedrock-GuardrailIdentifier': 'g' });
    }).not.toThrow();
  });

  it.each(
    [
      ['authorization', 'Authorization', 'proxy-authorization', 'Proxy-Anything', 'x-api-key'],
      ['api-key', 'x-goog-api-key', 'X-Key', 'cookie', 'set-cookie', 'host', 'content-length'],
      ['Content-Type', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive', 'te'],
      ['trailer', 'upgrade', 'expect', 'forwarded', 'X-Forwarded-For', 'x-forwarded-host'],
      ['X-MS-OAI-Image-Generation-Deployment'],
      ['accept', 'Accept-Encoding', 'range', 'X-HTTP-Method-Override'],
      ['OpenAI-Organization', 'OpenAI-Project', 'anthropic-workspace-id', 'X-HF-Bill-To'],
      ['x-amz-security-token', 'X-Amzn-Bedrock-Service-Tier', 'x-amzn-bedrock-accept'],
      ['X-Amzn-Bedrock-PerformanceConfig-Latency', 'X-Vertex-AI-LLM-Shared-Request-Type'],
      ['X-Goog-FieldMask', 'x-goog-user-project', 'X-DashScope-Async'],
      ['X-Server-Timeout', 'x-envoy-upstream-rq-timeout-ms', 'X-Envoy-Max-Retries'],
      ['', 'a b', 'x-a\r\nx-injected', 'x:y', 'ü', 'x\0', '(x)'],
    ].flat(),
  )('refuses the name %j', (name) => {
    expect(refusal({ 'x-fine': '1', [name]: 'x' })).toMatchObject({
      status: 400,
      details: { param: 'extra_headers' },
    });
  });

  it.each(['b\r\nx-injected: 1', 'b\n', '\0', '\x7f', 'é', '中', '\ud800'])(
    'refuses the value %j and does not repeat it',
    (value) => {
      const error = refusal({ 'x-a': value });
      expect(error).toMatchObject({ status: 400, details: { param: 'extra_headers' } });
      expect(error?.message).not.toContain(value);
    },
  );

  it('refuses more than 32 headers and more than 8 kB', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '']));
    expect(refusal(many(32))).toBeUndefined();
    expect(refusal(many(33))).toBeDefined();
    expect(refusal({ 'x-a': 'b'.repeat(8192 - 3) })).toBeUndefined();
    expect(refusal({ 'x-a': 'b'.repeat(8192 - 2) })).toBeDefined();
  });

  it('judges a header named __proto__ like any other', () => {
    expect(refusal(JSON.parse('{"__proto__":"\\u0000"}') as Record<string, string>)).toBeDefined();
  });
});

function refusal(headers: Record<string, string>): GatewayError | undefined {
  try {
    checkExtraHeaders(headers);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
