import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeAgent } from '../support/coding-agents.js';
import { API_KEY } from '../support/gateway.js';
import { fileTask } from '../support/scripted-task.js';
import { MODELS, useScriptedGateway } from '../support/scripted-upstream.js';

/**
 * How many proofs of its own thinking a model has to get back; Gemini's calls have one each, and
 * GPT thinks beside functions at Responses alone, which encrypts it.
 */
const PROOFS: Readonly<Record<string, number>> = {
  anthropic: 1,
  openai: 1,
  gemini: 2,
  converse: 1,
  cohere: 0,
};

await describeAgent('@anthropic-ai/claude-code', 'claude', (agent) => {
  const gateway = useScriptedGateway();
  const { scripted, upstream } = gateway;

  it.each(Object.entries(MODELS))(
    'writes and reads a file with a model of the %s format',
    async (format, model) => {
      const path = join(agent.workplace, `${format}.txt`);
      const text = `written for ${format}: "é" $1`;
      scripted.plays(fileTask(path, text));
      const said = await agent.run(
        ['-p', `Write the file ${path}.`, '--model', model, '--permission-mode', 'acceptEdits'],
        {
          ANTHROPIC_BASE_URL: `${gateway.url}/v3`,
          ANTHROPIC_AUTH_TOKEN: API_KEY,
          ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          DISABLE_TELEMETRY: '1',
          DISABLE_ERROR_REPORTING: '1',
        },
      );
      expect(await readFile(path, 'utf8')).toBe(text);
      expect(said).toContain('The file says: ');
      expect(said).toContain(text);
      expect(scripted.lastTurn?.proofs).toHaveLength(PROOFS[format]!);
      // One request for each turn: none was refused and sent again.
      expect(upstream.received).toHaveLength(3);
      expect(upstream.last.headers['x-claude-code-session-id']).toBeDefined();
      expect(agent.outside).toEqual([]);
    },
    100_000,
  );
});
