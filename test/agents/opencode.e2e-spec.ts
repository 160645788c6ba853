import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeAgent } from '../support/coding-agents.js';
import { API_KEY } from '../support/gateway.js';
import { fileTask } from '../support/scripted-task.js';
import { MODELS, useScriptedGateway } from '../support/scripted-upstream.js';

await describeAgent('opencode-ai', 'opencode', (agent) => {
  const gateway = useScriptedGateway();
  const { scripted, upstream } = gateway;
  const config = (npm: string, baseURL: string) => ({
    autoupdate: false,
    share: 'disabled',
    permission: 'allow',
    provider: {
      causeway: {
        npm,
        options: { baseURL, apiKey: '{env:CAUSEWAY_KEY}' },
        models: Object.fromEntries(Object.values(MODELS).map((id) => [id, {}])),
      },
    },
  });

  const ways = [
    ['@ai-sdk/openai-compatible', '/v3'],
    ['@ai-sdk/anthropic', '/v3/v1'],
  ] as const;
  const cases = ways.flatMap(([npm, path]) =>
    Object.entries(MODELS).map(([format, model]) => [format, npm, path, model] as const),
  );
  it.each(cases)(
    'writes and reads a file with a model of the %s format through %s',
    async (format, npm, base, model) => {
      const path = join(agent.workplace, `${format}${base.length}.txt`);
      const text = `written for ${format}: "é" $1`;
      scripted.plays(fileTask(path, text));
      const said = await agent.run(
        ['run', '--model', `causeway/${model}`, `Write the file ${path}.`],
        {
          CAUSEWAY_KEY: API_KEY,
          OPENCODE_CONFIG_CONTENT: JSON.stringify(config(npm, `${gateway.url}${base}`)),
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
          OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        },
      );
      expect(await readFile(path, 'utf8')).toBe(text);
      expect(said).toContain('The file says: ');
      expect(said).toContain(text);
      expect(upstream.last.headers['x-session-id']).toBeDefined();
      expect(agent.outside).toEqual([]);
    },
    100_000,
  );
});
