import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  askedBy,
  assembled,
  eventsOf,
  messagesCall,
  modelNamed,
  waysOf,
} from '../../../../test/support/translation.js';
import { type Capabilities } from '../../../contract/model.js';
import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { type ServerEvent } from '../../provider.js';
import { cohereCodec } from './cohere-codec.js';
import { marked } from '../proof-marks.js';

const { sent, decoded, streamed } = waysOf(cohereCodec);
/** Models since Command R7B. */
const CHOOSING = { supports_tool_choice: true };
const sentTo = (capabilities: Capabilities, request: Partial<NeutralRequest>) => {
  const model = modelNamed('cohere/command-x', { capabilities });
  const [call] = cohereCodec.encode(messagesCall({ model: model.id, ...request }, { model }));
  return (call?.body as { json: Record<string, any> }).json;
};
const thought = (kind: string, thinking: string): NeutralBlock => ({
  type: 'thinking',
  thinking,
  signature: marked('cohere', kind),
});

const weather = {
  name: 'get-weather',
  description: 'Looks out of the window',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};

describe('cohere request', () => {
  it('says sampling, limits and format in Cohere’s words and keeps what it does not know', () => {
    expect(
      sent({
        model: 'cohere/command-x',
        system: 'Be brief.',
        ...askedBy('Hi'),
        max_tokens: 50,
        temperature: 0.2,
        top_p: 0.9,
        top_k: 5,
        stop_sequences: ['END'],
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
        metadata: { user_id: 'u' },
        service_tier: 'auto',
        seed: 7,
        safety_mode: 'STRICT',
        nothing: null,
        verbosity: 'low',
        prompt_cache_key: 'k',
        logit_bias: {},
      }),
    ).toEqual({
      model: 'command-x',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      max_tokens: 50,
      temperature: 0.2,
      p: 0.9,
      k: 5,
      stop_sequences: ['END'],
      response_format: { type: 'json_object', json_schema: { type: 'object' } },
      seed: 7,
      safety_mode: 'STRICT',
      stream: false,
    });
  });

  it('asks only models that reason to think', () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    expect(sent({ thinking, reasons: true }).thinking).toEqual({
      type: 'enabled',
      token_budget: 2000,
    });
    expect(sent({ thinking: { type: 'adaptive' }, reasons: true }).thinking).toEqual({
      type: 'enabled',
    });
    expect(sent({ thinking: { type: 'disabled' }, reasons: true }).thinking).toEqual({
      type: 'disabled',
    });
    expect(sent({ thinking })).not.toHaveProperty('thinking');
  });

  it('puts results right behind their calls, and what else was said after them', () => {
    const { messages } = sent({
      messages: [
        {
          role: 'assistant',
          content: [
            thought('thinking', 'Hm.'),
            thought('plan', 'I look.'),
            { type: 'thinking', thinking: 'of another', signature: 'Anthropic' },
            { type: 'redacted_thinking', data: 'x' },
            { type: 'text', text: 'Wait' },
            { type: 'tool_use', id: 'a', name: 'get-weather', input: { city: 'Rom' } },
            { type: 'tool_use', id: 'b', name: 'now', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'and?' },
            { type: 'tool_result', tool_use_id: 'a', content: 'sun', is_error: true },
            {
              type: 'tool_result',
              tool_use_id: 'b',
              content: [
                { type: 'text', text: '12:00' },
                { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
                { type: 'search_result', source: 'https://x.test', title: 'X', content: [] },
              ],
            },
          ],
        },
      ],
    });
    const [assistant, a, b, picture, rest] = messages;
    expect(assistant).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Wait' },
      ],
      tool_plan: 'I look.',
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: expect.stringMatching(/^[A-Za-z_]\w+$/), arguments: '{"city":"Rom"}' },
        },
        { id: 'b', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    });
    expect(a).toEqual({ role: 'tool', tool_call_id: 'a', content: '{"error":"sun"}' });
    expect(b).toEqual({
      role: 'tool',
      tool_call_id: 'b',
      content: [
        { type: 'text', text: '12:00' },
        {
          type: 'document',
          document: { id: 'https://x.test', data: { title: 'X', text: '' } },
        },
      ],
    });
    expect(picture).toEqual({
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }],
    });
    expect(rest).toEqual({ role: 'user', content: 'and?' });
  });

  it('sends text documents that are to be cited as documents, others in their place', () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Amber is Dock Seven.' };
    const { documents, messages } = sent({
      documents: ['own'],
      ...askedBy([
        { type: 'document', source, title: 'Docks', citations: { enabled: true } },
        { type: 'document', source },
        {
          type: 'search_result',
          source: 'https://x.test',
          title: 'X',
          content: [{ type: 'text', text: 'y' }],
        },
        { type: 'text', text: 'Which?' },
      ]),
    });
    expect(documents).toEqual([
      'own',
      { data: { title: 'Docks', text: 'Amber is Dock Seven.' } },
      { id: 'https://x.test', data: { title: 'X', text: 'y' } },
    ]);
    expect(messages[0].content).toEqual([
      { type: 'text', text: 'Amber is Dock Seven.' },
      { type: 'text', text: 'Which?' },
    ]);
  });

  it.each([
    [{ type: 'auto' }, 2, undefined],
    [{ type: 'any' }, 2, 'REQUIRED'],
    [{ type: 'none' }, 2, 'NONE'],
    // Cohere cannot be told which tool to call.
    [{ type: 'tool', name: 'get-weather' }, 1, 'REQUIRED'],
  ])('offers the tools that fit the choice %j', (tool_choice, offered, wanted) => {
    const other = { name: 'now', input_schema: { type: 'object' }, strict: true };
    const { tools, tool_choice: choice } = sentTo(CHOOSING, {
      tools: [weather, other],
      tool_choice,
    });
    expect(tools).toHaveLength(offered);
    expect(choice).toBe(wanted);
  });

  it('offers nothing to call where it may not, to a model that knows no choice', () => {
    const body = sentTo({}, { tools: [weather], tool_choice: { type: 'none' } });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
  });

  it('asks for strict tools where one is', () => {
    expect(sent({ tools: [{ ...weather, strict: true }] }).strict_tools).toBe(true);
    expect(sent({ tools: [weather] })).not.toHaveProperty('strict_tools');
  });

  it.each<[string, Partial<NeutralRequest>]>([
    ['thread', { thread: { type: 'create' } }],
    ['output_config.format.type', { output_config: { format: { type: 'xml' } } }],
    ['tools[0].type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    [
      'messages[0].content[0].source.media_type',
      askedBy([
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: '' } },
      ]),
    ],
    ['messages[0].content[0].type', askedBy([{ type: 'container_upload', file_id: 'f' }])],
  ])('refuses %s, which Cohere cannot be told', (param, request) => {
    expect(() => sent(request)).toThrow(
      expect.objectContaining({ status: 400, details: expect.objectContaining({ param }) }),
    );
  });
});

const usage = {
  billed_units: { input_tokens: 57, output_tokens: 11 },
  tokens: { input_tokens: 1713, output_tokens: 25 },
  cached_tokens: 112,
};

describe('cohere answer', () => {
  it('reads thinking, text with its citations, plan and calls, and what is billed', () => {
    const { result, usage: counted } = decoded(
      {
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'text', text: 'Dock Seven.' },
          ],
          citations: [
            {
              start: 0,
              end: 10,
              text: 'Dock Seven',
              content_index: 1,
              sources: [{ type: 'document', id: 'd1', document: { title: 'Docks', text: '…' } }],
            },
          ],
          tool_plan: 'I look.',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'now', arguments: '' } }],
        },
        finish_reason: 'TOOL_CALL',
        usage,
      },
      { tools: [{ name: 'now' }] },
    );
    expect(result).toMatchObject({
      content: [
        thought('thinking', 'Hm.'),
        {
          type: 'text',
          text: 'Dock Seven.',
          citations: [
            {
              type: 'search_result_location',
              cited_text: 'Dock Seven',
              source: 'd1',
              title: 'Docks',
            },
          ],
        },
        thought('plan', 'I look.'),
        { type: 'tool_use', id: 'a', name: 'now', input: {} },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 57, output_tokens: 11, cache_read_input_tokens: 0 },
    });
    expect(counted).toMatchObject({ inputTokens: 57, outputTokens: 11, cacheReadTokens: 0 });
  });

  it.each([
    ['COMPLETE', {}, 'end_turn', null],
    ['MAX_TOKENS', {}, 'max_tokens', null],
    ['STOP_SEQUENCE', { stop_sequences: ['END'] }, 'stop_sequence', 'END'],
    ['STOP_SEQUENCE', { stop_sequences: ['END', 'STOP'] }, 'stop_sequence', null],
    ['ERROR', {}, null, null],
    ['SOMETHING_NEW', {}, null, null],
  ])('knows why it ended: %s', (finish_reason, request, stop_reason, stop_sequence) => {
    const { result } = decoded({ message: { content: 'Hi' }, finish_reason }, request);
    expect(result).toMatchObject({ stop_reason, stop_sequence });
  });

  it.each(['ERROR', 'TIMEOUT'])('is broken when it ended by %s, and nothing was said', (reason) => {
    const body = { message: { content: [] }, finish_reason: reason };
    expect(() => decoded(body)).toThrow(expect.objectContaining({ status: 502 }));
  });

  it('counts nothing where Cohere told nothing usable', () => {
    const body = { message: { content: 'Hi' }, finish_reason: 'COMPLETE' };
    expect(decoded(body).usage).toBeUndefined();
    expect(
      decoded({ ...body, usage: { tokens: { input_tokens: 5, output_tokens: 1 } } }).usage,
    ).toMatchObject({
      inputTokens: 5,
      outputTokens: 1,
    });
    expect(
      decoded({ ...body, usage: { billed_units: { input_tokens: -1 } } }).usage,
    ).toBeUndefined();
  });

  it.each(['nonsense', '[]', '{}', '{"message":null}', 'null'])(
    'is broken when it is %s',
    (body) => {
      expect(() => decoded(body)).toThrow(expect.objectContaining({ status: 502 }));
    },
  );
});

const content = (index: number, fields: object, type = 'content-delta') => ({
  type,
  index,
  delta: { message: { content: fields } },
});
const call = (type: string, index: number, fields: object) => ({
  type,
  index,
  delta: { message: { tool_calls: fields } },
});
const end = { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } };

describe('cohere stream', () => {
  it('gives the blocks of a whole answer, with citations that come behind their text', async () => {
    const { content: blocks, ...rest } = await assembled(
      streamed(
        eventsOf(
          { type: 'message-start', id: 'x', delta: { message: { role: 'assistant' } } },
          content(0, { type: 'thinking', thinking: '' }, 'content-start'),
          content(0, { thinking: 'Hm.' }),
          { type: 'content-end', index: 0 },
          content(1, { type: 'text', text: 'It' }, 'content-start'),
          content(1, { text: ' is' }),
          { type: 'content-end', index: 1 },
          {
            type: 'citation-start',
            index: 0,
            delta: { message: { citations: { text: 'is', sources: [{ id: 's' }] } } },
          },
          { type: 'citation-end', index: 0 },
          { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I ' } } },
          { type: 'tool-plan-delta', delta: { message: { tool_plan: 'look.' } } },
          call('tool-call-start', 0, { id: 'a', function: { name: 'now', arguments: '' } }),
          call('tool-call-delta', 0, { function: { arguments: '{"a":' } }),
          call('tool-call-delta', 0, { function: { arguments: '1}' } }),
          { type: 'tool-call-end', index: 0 },
          call('tool-call-start', 1, { id: 'b', function: { name: 'now', arguments: '{}' } }),
          { type: 'tool-call-end', index: 1 },
          end,
          '[DONE]',
        ),
      ),
    );
    expect(blocks).toEqual([
      thought('thinking', 'Hm.'),
      { type: 'text', text: 'It is', citations: [expect.objectContaining({ source: 's' })] },
      thought('plan', 'I look.'),
      { type: 'tool_use', id: 'a', name: 'now', input: { a: 1 } },
      { type: 'tool_use', id: 'b', name: 'now', input: {} },
    ]);
    expect(rest).toEqual({
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: expect.objectContaining({ input_tokens: 57, output_tokens: 11 }),
    });
  });

  it.each<[string, object]>([
    ['instead of an event', { id: 'x', message: 'too many tokens' }],
    ['in the last event', { type: 'message-end', delta: { error: 'too many tokens' } }],
  ])('tells an error %s', async (_, event) => {
    await expect(assembled(streamed(eventsOf(content(0, { text: 'a' }), event)))).rejects.toThrow(
      'error: too many tokens',
    );
  });

  it.each(['ERROR', 'TIMEOUT'])('is no whole answer where it ended in %s', async (reason) => {
    const begun = call('tool-call-start', 0, { id: 'a', function: { name: 'f', arguments: '{"' } });
    const last = { type: 'message-end', delta: { finish_reason: reason, usage } };
    const events: ServerEvent[] = [];
    for await (const event of streamed(eventsOf(begun, last))) events.push(event);
    expect(events.at(-1)).toMatchObject({ name: 'error', spent: { inputTokens: 57 } });
    expect(events.map(({ name }) => name)).not.toContain('message_stop');
  });

  it.each<[string, (object | string)[]]>([
    ['breaks off', [content(0, { text: 'a' })]],
    ['is no JSON', ['{"type":']],
    ['calls a tool without a name', [call('tool-call-start', 0, { id: 'a' })]],
  ])('is broken when it %s', async (_, events) => {
    await expect(assembled(streamed(eventsOf(...events)))).rejects.toMatchObject({ status: 502 });
  });
});

const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
const said = fc.oneof(
  word.map((text): NeutralBlock => ({ type: 'text', text })),
  word.map((text) => thought('thinking', text)),
);
const called = fc.record({
  type: fc.constant('tool_use'),
  id: fc.uuid(),
  name: fc.string({ minLength: 1, maxLength: 90 }),
  input: fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
    .map((input) => JSON.parse(JSON.stringify(input)) as object),
});

describe('cohere there and back', () => {
  it('gives the same blocks that it was sent, under the caller’s own tool names', () => {
    fc.assert(
      fc.property(
        fc.array(said, { maxLength: 4 }),
        fc.array(called, { maxLength: 3 }),
        (spoken, calls) => {
          const content = [...spoken, ...calls];
          if (content.length === 0) return;
          const tools = [...new Set(calls.map(({ name }) => name))].map((name) => ({ name }));
          const request = { tools, messages: [{ role: 'assistant' as const, content }] };
          const [message] = sent(request).messages;
          const { result } = decoded({ message, finish_reason: 'COMPLETE' }, request);
          expect(result.content).toEqual(content);
        },
      ),
    );
  });
});
