import { describe, expect, it } from '@jest/globals';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const RESPONSES = '/v3/responses';
const SECRET = 'gAAAAsealed';
const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: SECRET };
const content = [{ type: 'output_text', text: 'Hi', annotations: [] }];
const said = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
const ANSWER = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt',
  output: [reasoning, said],
  usage: { input_tokens: 10, output_tokens: 4, total_tokens: 14 },
};
const EVENTS = [
  { type: 'response.created', response: { ...ANSWER, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: reasoning },
  { type: 'response.output_item.done', output_index: 0, item: reasoning },
  { type: 'response.output_item.done', output_index: 1, item: said },
  { type: 'response.completed', response: ANSWER },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');
const OPENAI = 'openai/gpt-5.4';
const AZURE = 'azure-openai/gpt-5.4';
const hello = { role: 'user', content: 'Hello' };

/** Where a provider is called. */
const AT = { openai: '/openai/v1/', azure: '/azure/' } as const;

describe('reasoning that another provider encrypted', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...usualProviders(url),
    AZURE_OPENAI_API_KEY: 'k',
    AZURE_OPENAI_BASE_URL: `${url}/azure/openai/v1`,
  }));

  const ask = async (
    input: readonly unknown[],
    { down, ...asked }: { down: keyof typeof AT | 'none'; model?: string; stream?: boolean },
  ) => {
    upstream.answers((response, { path, body }) => {
      const isDown = down !== 'none' && path.startsWith(AT[down]);
      const isStream = (body as { stream?: boolean }).stream === true && !isDown;
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(isDown ? 500 : 200, { 'content-type': type });
      response.end(isDown ? '{}' : isStream ? EVENTS : JSON.stringify(ANSWER));
    });
    const body = { model: OPENAI, fallbacks: [AZURE], store: false, ...asked, input };
    const { text } = await post(RESPONSES, body).expect(200);
    const sent = (upstream.last.body as { input: readonly unknown[] }).input;
    return { text, sent };
  };

  /** The items of an answer, as clients gather them from its events. */
  const itemsIn = (text: string) => {
    const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
    const events = lines.map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);
    return events.filter(({ type }) => type === 'response.output_item.done').map((e) => e.item);
  };
  const outputIn = (text: string) => (JSON.parse(text) as typeof ANSWER).output;

  it.each([false, true])(
    'comes back to it alone, and not to the one that refuses it (stream: %s)',
    async (stream) => {
      const { text } = await ask([hello], { down: 'openai', stream });
      const items = stream ? itemsIn(text) : outputIn(text);
      expect(text).not.toContain(`"${SECRET}"`);
      expect(items).toHaveLength(2);
      const next = [hello, ...items, hello];
      expect((await ask(next, { down: 'none' })).sent).toEqual([hello, said, hello]);
      const { id: _id, ...own } = reasoning;
      expect((await ask(next, { down: 'openai' })).sent).toEqual([hello, own, said, hello]);
    },
  );

  it('is as it came where its own provider was named', async () => {
    const { text } = await ask([hello], { down: 'none' });
    expect(outputIn(text)).toEqual(ANSWER.output);
    const within = { down: 'none', model: 'openai/gpt-5', fallbacks: [OPENAI] } as const;
    expect(outputIn((await ask([hello], within)).text)).toEqual(ANSWER.output);
  });

  it('is told apart behind @router too', async () => {
    const router = { down: 'none', model: '@router', fallbacks: [], router_candidates: [AZURE] };
    const items = outputIn((await ask([hello], router as never)).text);
    const { sent } = await ask([hello, ...items, hello], { down: 'none' });
    expect(sent).toEqual([hello, said, hello]);
  });
});
