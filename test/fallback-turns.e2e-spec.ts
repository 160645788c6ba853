import { describe, expect, it } from '@jest/globals';
import { COMPLETION } from './support/provider-answers.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const CHAT = '/v3/chat/completions';
const hello = { role: 'user', content: 'Hello' };
const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const called = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
});
const result = (tool_call_id: string, content: string | object[]) => ({
  role: 'tool',
  tool_call_id,
  content,
});
type Said = Omit<ReturnType<typeof called>, 'role' | 'content'> & ReturnType<typeof result>;
const text = { type: 'text', text: 'See' };
const picture = {
  type: 'image_url',
  image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' },
};
const go = { role: 'user', content: 'Go on' };
const REASONER = 'deepseek/deepseek-reasoner';
/** Where the models that are down are called. */
const DOWN: Readonly<Record<string, string>> = { [REASONER]: '/down', 'xai/grok-4.3': '/xai' };

describe('the turns that a fallback gets', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...usualProviders(url),
    DEEPSEEK_API_KEY: 'k',
    DEEPSEEK_BASE_URL: `${url}/down`,
    PERPLEXITY_API_KEY: 'k',
    PERPLEXITY_BASE_URL: `${url}/perplexity`,
    ZAI_API_KEY: 'k',
    ZAI_BASE_URL: `${url}/zai`,
    OPENROUTER_API_KEY: 'k',
    OPENROUTER_BASE_URL: `${url}/openrouter`,
    ALIBABA_API_KEY: 'k',
    ALIBABA_BASE_URL: `${url}/alibaba`,
    MISTRAL_API_KEY: 'k',
    MISTRAL_BASE_URL: `${url}/mistral`,
    MOONSHOT_API_KEY: 'k',
    MOONSHOT_BASE_URL: `${url}/moonshot`,
    GROQ_API_KEY: 'k',
    GROQ_BASE_URL: `${url}/groq`,
    XAI_API_KEY: 'k',
    XAI_BASE_URL: `${url}/xai`,
    AZURE_OPENAI_API_KEY: 'k',
    AZURE_OPENAI_BASE_URL: `${url}/openai/v1`,
  }));

  /** What the fallback is sent when the model that was asked for, which is DeepSeek's, is down. */
  const sentTo = async (fallback: string, asked: object, path = CHAT, model = REASONER) => {
    upstream.answers((response, { path: to }) => {
      const isDown = to?.startsWith(DOWN[model] ?? '') === true;
      response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
      const answer = { ...COMPLETION, status: 'completed', output: [{ type: 'message' }] };
      response.end(JSON.stringify(isDown ? {} : answer));
    });
    await post(path, { model, fallbacks: [fallback], ...asked }).expect(200);
    return upstream.last.body as Record<string, unknown>;
  };

  it.each(['openai/gpt-4o', 'azure-openai/gpt-4o'])(
    'are none of thoughts alone, which are refused without a content (%s)',
    async (fallback) => {
      const thought = { role: 'assistant', content: null, reasoning_content: 'Hm' };
      const sent = await sentTo(fallback, { messages: [hello, thought, go] });
      expect(sent.messages).toEqual([hello, go]);
    },
  );

  it.each(['openai/gpt-4o', 'azure-openai/gpt-4o'])(
    'show pictures of tools as the user’s behind all results, where else they are refused (%s)',
    async (fallback) => {
      const seen = [result('c1', [text, picture, text]), result('c2', [picture])];
      const asked = [hello, called('c1', 'c2'), ...seen];
      const results = [result('c1', 'See\nSee'), result('c2', '')];
      const before = [hello, called('c1', 'c2'), ...results];
      expect((await sentTo(fallback, { messages: asked })).messages).toEqual([
        ...before,
        { role: 'user', content: [picture, picture] },
      ]);
      expect((await sentTo(fallback, { messages: [...asked, go] })).messages).toEqual([
        ...before,
        { role: 'user', content: [picture, picture, { type: 'text', text: 'Go on' }] },
      ]);
    },
  );

  it.each(['openai/gpt-4o', 'xai/grok-4.3', 'mistral/mistral-large-latest'])(
    'have calls that every server can read (%s)',
    async (fallback) => {
      const made = (id: string, args: string, more = {}) => ({
        id,
        type: 'function',
        function: { name: 'f', arguments: args },
        ...more,
      });
      const calls = [
        made('aaaaaaaa1', '', { index: 0 }),
        made('aaaaaaaa2', '{"a": 1', { index: 1 }),
        made('aaaaaaaa3', '{"a": 1}'),
      ];
      const results = calls.map(({ id }) => result(id, 'Done'));
      const messages = [hello, { role: 'assistant', content: null, tool_calls: calls }, ...results];
      const sent = await sentTo(fallback, { messages });
      const [, { tool_calls } = { tool_calls: [] }] = sent.messages as { tool_calls: object[] }[];
      expect(tool_calls).toEqual([
        made('aaaaaaaa1', '{}'),
        made('aaaaaaaa2', JSON.stringify({ INVALID_JSON: '{"a": 1' })),
        made('aaaaaaaa3', '{"a": 1}'),
      ]);
    },
  );

  it.each(['xai/grok-4.3', 'mistral/mistral-large-latest', 'moonshot/kimi-k3'])(
    'have no list of calls where there is none (%s)',
    async (fallback) => {
      const said = { role: 'assistant', content: 'Yes' };
      for (const tool_calls of [[], null]) {
        const sent = await sentTo(fallback, { messages: [hello, { ...said, tool_calls }, go] });
        expect(sent.messages).toEqual([hello, said, go]);
      }
    },
  );

  it.each(['deepseek/deepseek-chat', 'moonshot/kimi-k3', 'groq/llama-3.3-70b-versatile'])(
    'have results of one text, as a list of them is refused or not read (%s)',
    async (fallback) => {
      const marked = { ...text, cache_control: { type: 'ephemeral' } };
      const results = [result('c1', [text, text]), result('c2', [marked]), result('c3', [])];
      const messages = [hello, called('c1', 'c2', 'c3'), ...results];
      const sent = await sentTo(fallback, { messages }, CHAT, 'xai/grok-4.3');
      expect((sent.messages as unknown[]).slice(2)).toEqual([
        result('c1', 'See\nSee'),
        result('c2', 'See'),
        result('c3', ''),
      ]);
    },
  );

  it.each(['moonshot/kimi-k3', 'groq/llama-3.3-70b-versatile'])(
    'have answers of one text, as a list of an empty one is refused (%s)',
    async (fallback) => {
      const nothing = { ...text, text: '' };
      const calling = { ...called('c1'), content: [nothing] };
      const messages = [hello, calling, result('c1', 'Done'), go];
      const sent = await sentTo(fallback, { messages }, CHAT, 'xai/grok-4.3');
      const [, answer] = sent.messages as unknown[];
      expect(answer).toMatchObject({ ...called('c1'), content: '' });
    },
  );

  it.each(['openai/gpt-4o', 'xai/grok-4.3', 'mistral/mistral-large-latest'])(
    'have calls and results by ids that no two share, where else they are refused (%s)',
    async (fallback) => {
      const asked = ['f', 'f', ''].flatMap((id, at) => [
        called(id, id),
        result(id, `${at}a`),
        result(id, `${at}b`),
      ]);
      const { messages } = await sentTo(fallback, { messages: [hello, ...asked, go] });
      const sent = messages as readonly Partial<Said>[];
      const ids = sent.flatMap(({ tool_calls: calls }) => calls ?? []).map(({ id }) => id);
      const results = sent.filter(({ role }) => role === 'tool');
      expect(new Set(ids).size).toBe(6);
      expect(ids.every((id) => /^\w+$/.test(id))).toBe(true);
      expect(results.map(({ tool_call_id: id, content }) => [id, content])).toEqual(
        ['0a', '0b', '1a', '1b', '2a', '2b'].map((content, at) => [ids[at], content]),
      );
    },
  );

  it('have marked results as they are where the mark is known', async () => {
    const marked = { ...text, cache_control: { type: 'ephemeral' } };
    const messages = [hello, called('c1'), result('c1', [marked])];
    expect(await sentTo('alibaba/qwen3-max', { messages })).toMatchObject({ messages });
  });

  it('have no lists of texts but the user’s at DeepSeek, in whichever format they came', async () => {
    const said = { type: 'text', text: 'Yes' };
    const asked = {
      model: 'deepseek/deepseek-chat',
      messages: [hello, { role: 'assistant', content: [said, said] }, go],
      system: [text, text],
      max_tokens: 9,
    };
    upstream.replies(200, COMPLETION);
    await post('/v3/v1/messages', asked).expect(200);
    const plain = { role: 'assistant', content: 'Yes\nYes' };
    const rule = { role: 'system', content: 'See\nSee' };
    expect(upstream.last.body).toMatchObject({ messages: [rule, hello, plain, go] });
  });

  it('have pictures in results where the format takes them there', async () => {
    const messages = [hello, called('c1'), result('c1', [text, picture])];
    const { input } = await sentTo('openai/gpt-5.5-pro', { messages });
    expect((input as unknown[]).at(-1)).toMatchObject({
      type: 'function_call_output',
      output: [{ type: 'input_text' }, { type: 'input_image', image_url: picture.image_url.url }],
    });
  });

  it('are the caller’s own for the model that was named', async () => {
    const messages = [hello, called('c1'), result('c1', [text, picture])];
    upstream.replies(200, COMPLETION);
    await post(CHAT, { model: 'openai/gpt-4o', messages }).expect(200);
    expect(upstream.last.body).toMatchObject({ messages });
  });

  describe('alternate at Perplexity', () => {
    const thought = { role: 'assistant', content: null, reasoning_content: 'Hm' };
    const both = { role: 'user', content: 'Hello\n\nGo on' };
    const rule = { role: 'system', content: 'Be kind' };
    const SONAR = 'perplexity/sonar-pro';
    const sentOf = async (path: string, asked: object) => {
      upstream.replies(200, COMPLETION);
      await post(path, { model: SONAR, ...asked }).expect(200);
      return (upstream.last.body as { messages: unknown }).messages;
    };

    it('behind a fallback', async () => {
      const messages = [hello, thought, rule, go];
      expect((await sentTo(SONAR, { messages })).messages).toEqual([rule, both]);
    });

    it('where the gateway leaves one out, or has translated them', async () => {
      expect(await sentOf(CHAT, { messages: [hello, thought, go] })).toEqual([both]);
      const thinking = { type: 'thinking', thinking: 'Hm', signature: 's' };
      const messages = [hello, { role: 'assistant', content: [thinking] }, go];
      expect(await sentOf('/v3/v1/messages', { max_tokens: 9, messages })).toEqual([both]);
    });

    it('but as the caller has them in its own format for the model that was named', async () => {
      expect(await sentOf(CHAT, { messages: [hello, go] })).toEqual([hello, go]);
    });
  });

  describe('marked for Anthropic’s cache', () => {
    const cache_control = { type: 'ephemeral' };
    const parameters = { type: 'object', properties: { cache_control: { type: 'string' } } };
    const tool = { type: 'function', function: { name: 'f', parameters } };
    const marked = {
      cache_control,
      tools: [{ ...tool, cache_control }],
      messages: [
        { role: 'system', content: 'Be kind', cache_control },
        { role: 'user', content: [{ ...text, cache_control }] },
      ],
    };
    const plain = {
      tools: [tool],
      messages: [
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: [text] },
      ],
    };

    it.each([
      'openai/gpt-4o',
      'openai/gpt-5',
      'azure-openai/gpt-4o',
      'mistral/mistral-large-latest',
      'zai/glm-5.2',
    ])('are not where that is refused (%s)', async (fallback) => {
      const sent = await sentTo(fallback, marked);
      expect(sent).toEqual({ model: fallback.split('/')[1], ...plain });
    });

    it('are not where no tools are called either', async () => {
      const { tools: _tools, ...asked } = marked;
      const sent = await sentTo('perplexity/sonar-pro', asked);
      expect(sent).toEqual({ model: 'sonar-pro', messages: plain.messages });
    });

    it.each(['openrouter/anthropic/claude-sonnet-4.5', 'alibaba/qwen3-max'])(
      'are so where that is known (%s)',
      async (fallback) => {
        expect(await sentTo(fallback, marked)).toMatchObject(marked);
      },
    );

    it('are not in relayed Responses', async () => {
      const part = { type: 'input_text', text: 'x' };
      const said = { type: 'message', role: 'user' };
      const tools = [{ type: 'function', name: 'f', parameters }];
      const asked = {
        input: [{ ...said, content: [{ ...part, cache_control }] }],
        tools: [{ ...tools[0], cache_control }],
        cache_control,
      };
      for (const fallback of ['openai/gpt-4o', 'openai/gpt-5']) {
        const sent = await sentTo(fallback, asked, '/v3/responses');
        expect(sent).toMatchObject({ input: [{ ...said, content: [part] }], tools });
        expect(JSON.stringify(sent).match(/"cache_control":/g)).toHaveLength(1);
      }
    });
  });
});
