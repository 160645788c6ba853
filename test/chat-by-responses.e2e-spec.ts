import { describe, expect, it } from '@jest/globals';
import { messageEvent } from './support/provider-answers.js';
import { anthropicAt, openaiAt } from './support/sdk-clients.js';
import { useGateway } from './support/use-gateway.js';

const hello = { role: 'user' as const, content: 'Hello' };
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];
const message = {
  ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
};
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const completion = {
  ...{ id: 'c', object: 'chat.completion' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }],
};
const answer = { id: 'resp_1', object: 'response', status: 'completed', output: [message], usage };

describe('what OpenAI’s Responses are asked for a caller whose tools its Chat Completions refuse', () => {
  const gateway = useGateway();
  const { upstream, post } = gateway;

  /** What a chat becomes. */
  async function sentFor(more: object, model = 'openai/gpt-5.6-sol') {
    upstream.replies(200, answer);
    const { chat } = openaiAt(gateway.url);
    await chat.completions.create({ model, messages: [hello], tools, ...more });
    expect(upstream.last.path).toBe('/openai/v1/responses');
    return upstream.last.body;
  }

  it.each([
    ['openai/gpt-5.6-sol', 'max', 'max'],
    ['openai/gpt-5.6-sol', 'xhigh', 'xhigh'],
    ['openai/gpt-5.5', 'xhigh', 'xhigh'],
    ['openai/gpt-5.5', 'max', 'xhigh'],
    ['openai/gpt-5.4', 'xhigh', 'xhigh'],
    ['openai/gpt-5.5', 'minimal', 'low'],
    ['openai/gpt-6.1-sol', 'none', 'none'],
    ['openai/gpt-6.2-astra', 'high', 'high'],
    // It has no word for not at all.
    ['openai/gpt-6.2-astra', 'none', undefined],
  ])('is the effort that %s has for %s', async (model, reasoning_effort, effort) => {
    const { reasoning } = await sentFor({ reasoning_effort }, model);
    expect(reasoning).toEqual(effort && { effort });
  });

  it.each([
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'max'],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }, 'xhigh'],
    [{ thinking: { type: 'disabled' } }, 'none'],
  ])('is the same for a caller of Messages, with tools and without: %j', async (more, effort) => {
    upstream.replies(200, answer);
    const asked = { model: 'openai/gpt-5.6-sol', max_tokens: 100, messages: [hello] };
    const offered = [{ name: 'weather', input_schema: { ...parameters, type: 'object' as const } }];
    await anthropicAt(gateway.url).messages.create({ ...asked, tools: offered, ...more } as never);
    expect(upstream.last.body.reasoning.effort).toBe(effort);
    upstream.replies(200, completion);
    await anthropicAt(gateway.url).messages.create({ ...asked, ...more } as never);
    expect(upstream.last.path).toBe('/openai/v1/chat/completions');
    expect(upstream.last.body.reasoning_effort).toBe(effort);
  });

  it('is a tool that comes in the middle of a conversation alone', async () => {
    upstream.replies(200, answer);
    const definition = { name: 'weather', input_schema: parameters };
    const tool = { type: 'tool_definition', definition };
    const added = { role: 'system', content: [{ type: 'tool_addition', tool }] };
    const asked = { model: 'openai/gpt-5.6-sol', max_tokens: 100, messages: [hello, added] };
    await post('/v3/v1/messages', asked).expect(200);
    expect(upstream.last.path).toBe('/openai/v1/responses');
    expect(upstream.last.body.tools).toMatchObject([{ name: 'weather', parameters }]);
  });

  it('is the effort that a turn of the system asks for beside tools', async () => {
    upstream.replies(200, answer);
    const set = { role: 'system', content: [], output_config: { effort: 'low' } };
    const offered = [{ name: 'weather', input_schema: parameters }];
    const asked = { model: 'openai/gpt-5.4', max_tokens: 100, tools: offered };
    await post('/v3/v1/messages', { ...asked, messages: [hello, set] }).expect(200);
    expect(upstream.last.path).toBe('/openai/v1/responses');
    expect(upstream.last.body.reasoning).toEqual({ effort: 'low' });
  });

  it('shows what is thought to those alone who asked to see it', async () => {
    expect((await sentFor({ reasoning_effort: 'low' })).reasoning).toEqual({ effort: 'low' });
    const shown = { effort: 'low', summary: 'auto' };
    expect((await sentFor({ reasoning: { effort: 'low' } })).reasoning).toEqual(shown);
  });

  it('is nothing that Responses refuse and Chat Completions take as idle', async () => {
    const penalties = { frequency_penalty: 0, presence_penalty: 0, logit_bias: {} };
    const idle = { temperature: 1, top_p: 1, ...penalties, seed: 7 };
    const body = await sentFor(idle);
    for (const name of Object.keys(idle)) expect(body).not.toHaveProperty(name);
    // These would be another answer, and what becomes of them is for OpenAI to say.
    const told = { temperature: 0.5, frequency_penalty: 0.5, logit_bias: { '1': 1 } };
    expect(await sentFor(told)).toMatchObject(told);
  });

  it.each([
    [{ name: 'town', description: 'Where', schema: parameters, strict: false }, false],
    [{ name: 'town', schema: { ...parameters, required: ['city'] } }, false],
    // The strict mode would refuse it.
    [{ name: 'town', schema: parameters, strict: true }, false],
    [
      {
        ...{ name: 'town', strict: true },
        schema: { ...parameters, required: ['city'], additionalProperties: false },
      },
      true,
    ],
  ])('is a form of answer as it was asked for: %j', async (json_schema, strict) => {
    const { text } = await sentFor({ response_format: { type: 'json_schema', json_schema } });
    expect(text.format).toEqual({ type: 'json_schema', ...json_schema, strict });
  });

  it('is JSON of any form in the field for it', async () => {
    const { text } = await sentFor({ response_format: { type: 'json_object' }, verbosity: 'low' });
    expect(text).toEqual({ verbosity: 'low', format: { type: 'json_object' } });
  });

  it('is to look at pictures as closely as the chat says', async () => {
    const picture = (url: string, detail?: string) => ({
      type: 'image_url',
      image_url: { url, ...(detail && { detail }) },
    });
    const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } };
    const drawn = [picture('data:image/png;base64,BBBB', 'original')];
    const { input } = await sentFor({
      messages: [
        {
          role: 'user',
          content: [
            picture('data:image/jpg;base64,AAAA', 'low'),
            picture('https://x.example/y.png'),
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: drawn },
      ],
    });
    const shown = (image_url: string, detail: string) => ({
      type: 'input_image',
      image_url,
      detail,
    });
    expect(input).toMatchObject([
      {
        content: [
          shown('data:image/jpeg;base64,AAAA', 'low'),
          shown('https://x.example/y.png', 'auto'),
        ],
      },
      { type: 'function_call' },
      { output: [shown('data:image/png;base64,BBBB', 'original')] },
    ]);
  });

  it('is to be moderated as the chat says', async () => {
    const policy = { input: { mode: 'block' }, output: { mode: 'block' } };
    const moderation = { model: 'omni-moderation-latest', policy };
    expect(await sentFor({ moderation })).toMatchObject({ moderation });
    expect(await sentFor({ moderation: null })).not.toHaveProperty('moderation');
  });

  it('is whom it is for in the fields in which it was said', async () => {
    const body = await sentFor({ safety_identifier: 's', metadata: { user_id: 'm' } });
    expect([body.safety_identifier, body.user]).toEqual(['s', undefined]);
    const both = await sentFor({ safety_identifier: 's', user: 'u' });
    expect([both.safety_identifier, both.user]).toEqual(['s', 'u']);
    expect(await sentFor({ user: 'u' })).toMatchObject({ user: 'u' });
  });
});

describe('a call of a tool that Responses answer with', () => {
  const gateway = useGateway();
  const { upstream } = gateway;

  it('keeps all digits of its numbers, out and back', async () => {
    const written =
      '{"id":12345678901234567890,"ids":[-9007199254740993],"x":0.5,"text":"12345678901234567890"}';
    const called = { type: 'function_call', id: 'fc', call_id: 'c1', name: 'weather' };
    upstream.replies(200, { ...answer, output: [{ ...called, arguments: written }] });
    const asked = { model: 'openai/gpt-5.5', messages: [hello], tools };
    const { choices } = await openaiAt(gateway.url).chat.completions.create(asked);
    const { message: said } = choices[0]!;
    expect(said.tool_calls).toMatchObject([{ id: 'c1', function: { arguments: written } }]);
    const result = { role: 'tool' as const, tool_call_id: 'c1', content: 'sun' };
    const messages = [hello, said, result];
    await openaiAt(gateway.url).chat.completions.create({ ...asked, messages });
    expect(upstream.last.body.input[1]).toMatchObject({ arguments: written });
    const offered = [{ name: 'weather', input_schema: parameters }];
    const body = { ...asked, tools: offered, max_tokens: 100 };
    const { text } = await gateway.post('/v3/v1/messages', body);
    expect(text).toContain(`"input":${written}`);
  });
});

describe('a refusal that Responses answer with', () => {
  const gateway = useGateway();
  const { upstream } = gateway;
  const text = 'I cannot help with that.';
  const refused = {
    ...answer,
    output: [{ ...message, content: [{ type: 'refusal', refusal: text }] }],
  };
  const json_schema = { name: 'town', schema: parameters };
  const chat = {
    ...{ model: 'openai/gpt-5.5', messages: [hello] },
    // The SDK parses answers beside strict tools alone.
    tools: [{ type: 'function' as const, function: { name: 'weather', parameters, strict: true } }],
    response_format: { type: 'json_schema' as const, json_schema },
  };
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const streamed = [
    messageEvent('response.created', { response: { ...answer, status: 'in_progress' } }),
    ...['I cannot ', 'help with that.'].map((delta) =>
      messageEvent('response.refusal.delta', { ...place, delta }),
    ),
    messageEvent('response.completed', { response: refused }),
  ];

  it('is one to a chat, whole and streamed', async () => {
    const { completions } = openaiAt(gateway.url).chat;
    upstream.replies(200, refused);
    const whole = await completions.parse(chat);
    upstream.streams(...streamed);
    const stream = await completions.stream(chat).finalChatCompletion();
    for (const { choices } of [whole, stream]) {
      expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { refusal: text } });
      expect(choices[0]?.message.content || null).toBeNull();
    }
  });

  it('is a text to a caller of Messages', async () => {
    const asked = { model: 'openai/gpt-5-pro', max_tokens: 100, messages: [hello] };
    const { messages } = anthropicAt(gateway.url);
    upstream.replies(200, refused);
    const whole = await messages.create(asked);
    upstream.streams(...streamed);
    const stream = await messages.stream(asked).finalMessage();
    for (const { content } of [whole, stream]) expect(content).toEqual([{ type: 'text', text }]);
  });
});
