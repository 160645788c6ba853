import { describe, expect, it } from '@jest/globals';
import { type Model } from '../../contract/model.js';
import { type RelayContext } from '../provider.js';
import { azureDialect, azurePath } from './azure-dialect.js';

const model = { name: 'gpt 4o', id: 'azure-openai/gpt 4o' } as Model;
const at = (path: string, base?: string) =>
  azurePath(path, { model, asked: {}, place: base === undefined ? {} : { path: base } });

describe('paths on Azure', () => {
  it.each([
    ['/chat/completions', '/openai/v1', '/chat/completions'],
    ['/chat/completions', '/gateway/openai/v1', '/chat/completions'],
    ['/responses', '/openai/v1', '/responses'],
    ['/embeddings', '', '/openai/deployments/gpt%204o/embeddings?api-version=2024-10-21'],
    ['/embeddings', '/openai', '/deployments/gpt%204o/embeddings?api-version=2024-10-21'],
    [
      '/images/generations',
      '/p/azure-openai',
      '/openai/deployments/gpt%204o/images/generations?api-version=2024-10-21',
    ],
    ['/chat/completions', '/openai/deployments/mine', '/chat/completions?api-version=2024-10-21'],
    ['/responses', '', '/openai/v1/responses'],
    ['/responses', '/openai', '/v1/responses'],
  ])('puts %s below %j at %s', (path, base, wanted) => {
    expect(at(path, base)).toBe(wanted);
  });

  it('refuses Responses at a deployment, which has none', () => {
    expect(() => at('/responses', '/openai/deployments/mine')).toThrow(
      expect.objectContaining({
        status: 400,
        details: expect.objectContaining({ param: 'model' }),
      }),
    );
  });

  it('changes a relay’s path and nothing else', () => {
    const [dialect] = azureDialect.messages ?? [];
    const call = { model, place: { path: '' }, headers: {}, stream: true, body: {}, created: 0 };
    const request = dialect?.relay?.request(call satisfies RelayContext);
    expect(request?.path).toBe(
      '/openai/deployments/gpt%204o/chat/completions?api-version=2024-10-21',
    );
    expect(request?.edits.get('model')).toBe('"gpt 4o"');
    expect(request?.edits.get('stream_options')).toBe('{"include_usage":true}');
  });
});

describe('formats on Azure', () => {
  it.each([
    ['gpt-5.6-sol', { tools: [{ name: 'now' }] }, false],
    ['gpt-5.6-sol', {}, true],
    ['gpt-5.4', { tools: [{ name: 'now' }] }, true],
    ['gpt-5.3-codex', {}, false],
    ['my-deployment', { tools: [{ name: 'now' }] }, true],
  ])('serve %s with %j by Chat Completions: %s', (name, body, isServed) => {
    const [inChat, inResponses] = azureDialect.messages ?? [];
    const deployed = { name, id: `azure-openai/${name}` } as Model;
    expect(inChat?.serves?.(deployed, body)).toBe(isServed);
    expect(inResponses?.serves).toBeUndefined();
  });
});
