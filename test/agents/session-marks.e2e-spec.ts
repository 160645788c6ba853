import { describe, expect, it } from '@jest/globals';
import { MODELS, useScriptedGateway } from '../support/scripted-upstream.js';
import { requestRow } from '../support/request-rows.js';

const { anthropic: CLAUDE } = MODELS;
const USER = '{"device_id":"d","session_id":"s"}';
const request = (model: string, more: object = {}) => ({
  model,
  max_tokens: 32_000,
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
  metadata: { user_id: USER },
  ...more,
});

describe('8. the marks of a session and an agent', () => {
  const gateway = useScriptedGateway();
  const { scripted, upstream } = gateway;

  /** What is recorded of a request that bears the marks. */
  async function recorded(id: string, body: object, marks: Record<string, string>) {
    scripted.plays([{ text: 'Hi' }]);
    await gateway.post('/v3/v1/messages', body).set(marks).set('x-request-id', id).expect(200);
    const { metadata } = await requestRow(gateway, id);
    return JSON.parse(metadata ?? '');
  }

  it.each(Object.entries(MODELS))("go on to %s and into the request's record", async (_, model) => {
    const marks = {
      'x-claude-code-session-id': 'session-1',
      'x-claude-code-agent-id': 'agent-2',
      'x-claude-code-parent-agent-id': 'agent-1',
    };
    const id = `session-of-${model.replaceAll(/\W/g, '-')}`;
    expect(await recorded(id, request(model), marks)).toEqual({
      user_id: USER,
      session_id: 'session-1',
      agent_id: 'agent-2',
      parent_agent_id: 'agent-1',
    });
    expect(upstream.last.headers).toMatchObject(marks);
  });

  it.each([
    ...['session_id', 'session-id', 'x-opencode-session', 'x-session-id', 'x-session-affinity'],
    'agent-session-id',
  ])('are known in %s too, which other agents send', async (header) => {
    const marks = { [header]: 'session-1' };
    const metadata = await recorded(`session-in-${header}`, request(CLAUDE), marks);
    expect(metadata).toMatchObject({ session_id: 'session-1' });
    expect(upstream.last.headers).toMatchObject(marks);
  });

  it('count in the order in which the router reads them', async () => {
    const marks = { 'x-claude-code-session-id': 'inner', 'x-session-id': 'outer' };
    expect(await recorded('session-in-headers', request(CLAUDE), marks)).toMatchObject({
      session_id: 'outer',
    });
    const body = request(CLAUDE, { session_id: 'own' });
    expect(await recorded('session-in-body', body, marks)).toMatchObject({ session_id: 'own' });
  });
});
