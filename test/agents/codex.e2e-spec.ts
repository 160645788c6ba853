import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeAgent } from '../support/coding-agents.js';
import { API_KEY } from '../support/gateway.js';
import { fileTask } from '../support/scripted-task.js';
import { MODELS, useScriptedGateway } from '../support/scripted-upstream.js';

/** How many proofs of its own thinking a model has to get back; Gemini's calls have one each. */
const PROOFS: Readonly<Record<string, number>> = {
  anthropic: 1,
  openai: 1,
  gemini: 2,
  converse: 1,
  cohere: 0,
};

await describeAgent('@openai/codex', 'codex', (agent) => {
  const gateway = useScriptedGateway();
  const { scripted, upstream } = gateway;
  const settings = (): string[] => {
    const values = {
      model_provider: 'causeway',
      'model_providers.causeway.name': 'Causeway',
      'model_providers.causeway.base_url': `${gateway.url}/v3`,
      'model_providers.causeway.env_key': 'CAUSEWAY_KEY',
      'model_providers.causeway.wire_api': 'responses',
      'analytics.enabled': false,
      check_for_update_on_startup: false,
      'features.plugins': false,
      'features.apps': false,
      model_context_window: 200_000,
    };
    return Object.entries(values).flatMap(([name, value]) => [
      '-c',
      `${name}=${JSON.stringify(value)}`,
    ]);
  };

  it.each(Object.entries(MODELS))(
    'writes and reads a file with a model of the %s format',
    async (format, model) => {
      const path = join(agent.workplace, `${format}.txt`);
      const text = `written for ${format}: "é" $1`;
      scripted.plays(fileTask(path, text));
      const said = await agent.run(
        [
          ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
          ...['--model', model, ...settings(), `Write the file ${path}.`],
        ],
        { CODEX_HOME: agent.home, CAUSEWAY_KEY: API_KEY },
      );
      expect(await readFile(path, 'utf8')).toBe(text);
      expect(said).toContain('The file says: ');
      expect(said).toContain(text);
      expect(scripted.lastTurn?.proofs).toHaveLength(PROOFS[format]!);
      // One request for each turn: none was refused and sent again.
      expect(upstream.received).toHaveLength(3);
      expect(agent.outside).toEqual([]);
    },
    100_000,
  );
});
