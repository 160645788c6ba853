import { describe, expect, it } from '@jest/globals';
import { type Format } from '../../../contract/endpoint.js';
import { type CallContext, type RelayContext, type Target } from '../../provider.js';
import { conversationWay } from '../../serves.js';
import { vertex } from '../../vertex/vertex.js';

const PLACE = { project: 'my project', region: 'us-east5' };
const target = (name: string) =>
  ({ model: { name, id: `vertex/${name}` }, connection: { provider: vertex } }) as Target;
const wayOf = (name: string, format: Format) => conversationWay(target(name), format, {});
const relayOf = (name: string, format: Format, call: object = {}) => {
  const way = wayOf(name, format);
  if (!way || !('relay' in way)) throw new Error('not relayed');
  const { model } = target(name);
  const context = { model, place: PLACE, headers: {}, stream: false, body: {}, created: 0 };
  return way.relay.request({ ...context, ...call } as RelayContext);
};
const codecOf = (name: string, call: object = {}) => {
  const way = wayOf(name, 'responses');
  if (!way || !('codec' in way)) throw new Error('not translated');
  const request = { model: `vertex/${name}`, messages: [{ role: 'user', content: 'Hi' }] };
  const { model } = target(name);
  return way.codec.encode({
    ...{ model: { ...model, capabilities: {} }, place: PLACE, headers: {}, stream: false },
    request,
    ...call,
  } as unknown as CallContext<'messages'>)[0];
};
const ROOT = '/v1/projects/my%20project/locations/us-east5';

describe('vertex', () => {
  it('passes Anthropic’s format on to Claude, with the model in the path', () => {
    const name = 'claude-3-7-sonnet@20250219';
    const { path, headers, edits } = relayOf(name, 'anthropic', {
      headers: {
        'anthropic-beta': 'context-1m-2025-08-07, effort-2025-11-24,claude-code-20250219',
      },
    });
    expect(path).toBe(`${ROOT}/publishers/anthropic/models/${name}:rawPredict`);
    expect(headers['anthropic-beta']).toBe('context-1m-2025-08-07');
    const unknown = relayOf(name, 'anthropic', { headers: { 'anthropic-beta': 'b' } });
    expect(unknown.headers).toEqual({ 'anthropic-version': '2023-06-01' });
    expect([...edits]).toEqual([
      ['anthropic_version', '"vertex-2023-10-16"'],
      ['model', undefined],
    ]);
    expect(relayOf(name, 'anthropic', { stream: true }).path).toContain(':streamRawPredict');
  });

  it('takes foreign thinking out on the way to Claude', () => {
    const foreign = { type: 'thinking', thinking: 'x', signature: 'cw1.gemini.y' };
    const text = { type: 'text', text: 'Hi' };
    const body = { messages: [{ role: 'assistant', content: [foreign, text] }] };
    const { edits } = relayOf('claude-opus-5', 'anthropic', { body });
    expect(JSON.parse(edits.get('messages') ?? '')).toEqual([
      { role: 'assistant', content: [text] },
    ]);
  });

  it('translates other formats for Claude', () => {
    const call = codecOf('claude-opus-5', { stream: true });
    expect(call?.path).toBe(`${ROOT}/publishers/anthropic/models/claude-opus-5:streamRawPredict`);
    expect(call?.body).toEqual({
      json: {
        messages: [{ role: 'user', content: 'Hi' }],
        max_tokens: 1024,
        stream: true,
        anthropic_version: 'vertex-2023-10-16',
      },
    });
  });

  it('speaks OpenAI’s format to other makers’ models, and Google’s to the rest', () => {
    expect(relayOf('meta/llama-4-maverick-17b-128e-instruct-maas', 'openai').path).toBe(
      `${ROOT}/endpoints/openapi/chat/completions`,
    );
    expect(codecOf('gemini-2.5-pro')?.path).toBe(
      `${ROOT}/publishers/google/models/gemini-2.5-pro:generateContent`,
    );
    expect(codecOf('endpoints/123')?.path).toBe(`${ROOT}/endpoints/123:generateContent`);
    expect(wayOf('gemini-2.5-pro', 'openai')).not.toHaveProperty('relay');
  });

  it('counts for Claude at the counting model', () => {
    const [claude, gemini] = vertex.endpoints['count-tokens'] ?? [];
    const { model } = target('claude-opus-5');
    const call = { model, place: {}, headers: {}, stream: false, body: {}, created: 0 };
    const request = claude?.relay?.request(call);
    expect(request?.path).toBe('/v1/publishers/anthropic/models/count-tokens:rawPredict');
    expect(request?.edits.get('model')).toBe('"claude-opus-5"');
    expect(gemini?.serves?.(model, {})).toBe(false);
  });

  it('tells a refusal of Google’s from one of Anthropic’s', () => {
    const error = (body: object) =>
      vertex.decodeError({ status: 400, headers: {}, bytes: Buffer.alloc(0), json: () => body });
    const message = 'no';
    expect(error([{ error: { code: 404, message, status: 'NOT_FOUND' } }])?.code).toBe('NOT_FOUND');
    expect(error({ type: 'error', error: { type: 'overloaded_error', message } })).toEqual({
      type: 'overloaded_error',
      message,
    });
  });
});
