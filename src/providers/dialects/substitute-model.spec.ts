import { describe, expect, it } from '@jest/globals';
import { messagesCall, modelNamed } from '../../../test/support/translation.js';
import { type Fields } from '../../json/values.js';
import { type Dialect } from '../provider.js';
import { PROVIDERS } from '../providers.js';
import { refuseOpenaisOwn } from './openai-chat/openai-chat-refusals.js';
import { responsesCodec } from './responses/responses-codec.js';

const NAMED = 'openai/gpt-4o';
const CLAUDE = 'anthropic/claude-haiku-4-5';
const user = { role: 'user', content: 'Hi' } as const;

function dialectOf(model: string, body: Fields): Dialect<'messages'> {
  if (model === 'openai/gpt-5.5-pro') return { format: 'openai', codec: responsesCodec };
  const provider = PROVIDERS.find(({ name }) => model.startsWith(`${name}/`))!;
  const served = modelNamed(model);
  return provider.endpoints.messages!.find(({ serves }) => serves?.(served, body) ?? true)!;
}

/** What a model is sent of a Messages request for another one; of one for itself where it is named. */
function translated(model: string, fields: object, named = NAMED): Fields {
  const call = messagesCall({ model, reasons: true, messages: [user], ...fields });
  const request = { ...call.request, model: named };
  const capabilities = { ...call.model.capabilities, supports_tool_choice: true };
  const choosing = { ...call, request, model: { ...call.model, capabilities } };
  const [sent] = dialectOf(model, fields as Fields).codec!.encode(choosing);
  return (sent!.body as { json: Fields }).json;
}

/** The same of a body that is relayed. */
function relayed(model: string, fields: object, named = NAMED): Fields {
  const body: Fields = { model: named, messages: [user], ...fields };
  const call = { ...messagesCall({ model, reasons: true }), body };
  const { edits } = dialectOf(model, body).relay!.request(call as never);
  const edited = [...edits].map(([name, json]) => [name, json && JSON.parse(String(json))]);
  return { ...body, ...Object.fromEntries(edited) };
}

const SAMPLING = { seed: 1, presence_penalty: 0.1, frequency_penalty: 0.2 };
const CACHING = { prompt_cache_key: 'k', prompt_cache_retention: '24h' };
const OPENAIS = { ...SAMPLING, ...CACHING };
const schema = { type: 'object', properties: {}, additionalProperties: false };
const answersBy = { output_config: { format: { type: 'json_schema', schema } } };
const format = { type: 'json_schema', json_schema: { name: 'r', schema } };
const tools = [{ name: 'f', input_schema: { type: 'object' } }];

describe('a model that the caller did not name', () => {
  it.each<[string, object, object]>([
    ['bedrock/amazon.nova-pro-v1:0', {}, SAMPLING],
    ['cohere/command-a-03-2025', SAMPLING, SAMPLING],
    ['openai/gpt-5.5-pro', CACHING, OPENAIS],
  ])('is sent no field that it does not know (%s)', (model, known, whereNamed) => {
    const sent = (named?: string): Fields => {
      const { additionalModelRequestFields: more, ...body } = translated(model, OPENAIS, named);
      return { ...body, ...(more as object | undefined) };
    };
    const names = Object.keys(OPENAIS);
    const ofThem = (body: Fields) =>
      Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
    expect(ofThem(sent())).toEqual(known);
    expect(ofThem(sent(model))).toEqual(whereNamed);
  });

  it.each([
    ['google/gemini-2.5-flash', undefined],
    ['vertex/gemini-2.5-flash', 0.1],
  ])('is not punished for what it has said where it refuses that (%s)', (model, penalty) => {
    const ofGemini = (named?: string): unknown =>
      (translated(model, OPENAIS, named).generationConfig as Fields).presencePenalty;
    expect(ofGemini()).toBe(penalty);
    expect(ofGemini(model)).toBe(0.1);
  });

  it('keeps no penalties where its reasoning refuses them', () => {
    const model = 'xai/grok-4.5';
    expect(relayed(model, OPENAIS)).toMatchObject({ presence_penalty: undefined, seed: 1 });
    expect(relayed(model, OPENAIS, model)).toMatchObject(OPENAIS);
  });

  it.each([
    'xai/grok-4.5',
    'openai/o3',
    'openai/gpt-5',
    'openai/gpt-5-mini-2025-08-07',
    'azure-openai/gpt-5-nano',
  ])('is not asked to stop at a text where its reasoning refuses that (%s)', (model) => {
    const refusal = /^stop: this model cannot be stopped by a text/;
    expect(() => relayed(model, { stop: ['END'] })).toThrow(refusal);
    expect(() => relayed(model, { stop: 'END' })).toThrow(refusal);
    expect(() => translated(model, { stop_sequences: ['END'] })).toThrow(refusal);
    expect(relayed(model, { stop: [] })).toBeDefined();
    expect(relayed(model, { stop: 'END' }, model)).toHaveProperty('stop', 'END');
  });

  it.each(['openai/gpt-4o', 'openai/gpt-5.4', 'openrouter/openai/gpt-5'])(
    'is asked to where it may take it (%s)',
    (model) => {
      expect(relayed(model, { stop: 'END' }).stop).toBe('END');
      expect(translated(model, { stop_sequences: ['END'] }).stop).toEqual(['END']);
    },
  );

  it.each([
    ['openai/gpt-4o', 4, 'stop'],
    ['groq/llama-3.3-70b-versatile', 4, 'stop'],
    ['moonshot/kimi-k2.6', 5, 'stop'],
    ['google/gemini-2.5-flash', 5, 'stop_sequences'],
    ['cohere/command-a-03-2025', 5, 'stop_sequences'],
  ])('is not asked to stop at more texts than it can (%s)', (model, most, field) => {
    const stops = (count: number) => ({ stop_sequences: 'abcdefgh'.slice(0, count).split('') });
    const refusal = new RegExp(`^${field}: this model can be stopped by ${most} texts at most`);
    expect(() => translated(model, stops(most + 1), CLAUDE)).toThrow(refusal);
    expect(translated(model, stops(most), CLAUDE)).toBeDefined();
    expect(translated(model, stops(most + 1), model)).toBeDefined();
    if (field !== 'stop') return;
    const { stop_sequences: stop } = stops(most + 1);
    expect(() => relayed(model, { stop }, CLAUDE)).toThrow(refusal);
    expect(relayed(model, { stop }, model)).toMatchObject({ stop });
  });

  it.each([
    ['mistral/mistral-small-latest', 2, 1.5],
    ['zai/glm-4.6', 1.2, 1],
    ['minimax/MiniMax-M2.5', 0, 0.01],
    ['deepseek/deepseek-v4-flash', 1.2, 1.2],
    ['moonshot/kimi-k2.6', 0.3, undefined],
  ])('has a temperature that it takes (%s)', (model, temperature, known) => {
    expect(translated(model, { temperature }).temperature).toBe(known);
    expect(relayed(model, { temperature }).temperature).toBe(known);
    expect(translated(model, { temperature }, model).temperature).toBe(temperature);
    expect(relayed(model, { temperature }, model).temperature).toBe(temperature);
  });

  it('has a temperature that it takes where no chat is relayed to it', () => {
    const ofCohere = (named?: string) =>
      translated('cohere/command-a-03-2025', { temperature: 1.3 }, named).temperature;
    const nova = 'bedrock/amazon.nova-pro-v1:0';
    const ofNova = (named?: string) =>
      translated(nova, { temperature: 1.3 }, named).inferenceConfig;
    expect(ofCohere()).toBe(1);
    expect(ofCohere('cohere/command-a-03-2025')).toBe(1.3);
    expect(ofNova()).toMatchObject({ temperature: 1 });
    expect(ofNova(nova)).toMatchObject({ temperature: 1.3 });
  });

  it('has a share of words and penalties that Cohere takes, also on Bedrock', () => {
    const penalties = { frequency_penalty: -0.5, presence_penalty: 1.5 };
    const asked = { top_p: 1, ...penalties };
    const native = 'cohere/command-a-03-2025';
    const suited = { p: 0.99, frequency_penalty: 0, presence_penalty: 1 };
    expect(translated(native, asked)).toMatchObject(suited);
    expect(translated(native, asked, native)).toMatchObject({ ...penalties, p: 1 });
    expect(translated(native, { top_p: 0 })).toHaveProperty('p', 0.01);
    expect(translated(native, { top_p: 0.5 })).toHaveProperty('p', 0.5);
    expect(translated(native, {})).not.toHaveProperty('frequency_penalty');
    const topP = (model: string, named?: string) =>
      (translated(model, { top_p: 1 }, named).inferenceConfig as { topP: number }).topP;
    expect(topP('bedrock/cohere.command-r-v1:0')).toBe(0.99);
    expect(topP('bedrock/cohere.command-r-v1:0', 'bedrock/cohere.command-r-v1:0')).toBe(1);
    expect(topP('bedrock/amazon.nova-pro-v1:0')).toBe(1);
  });

  const kept = {
    messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }],
  };
  const spoken = { messages: [user, { role: 'assistant', audio: { id: 'a' } }, user] };
  it.each<[string, object, string]>([
    ['a file', kept, 'messages[0].content[0].file.file_id'],
    ['speech of before', spoken, 'messages[1].audio'],
    ['speech', { modalities: ['text', 'audio'] }, 'modalities'],
    ['a search', { web_search_options: {} }, 'web_search_options'],
    ['a tool of its own', { tools: [{ type: 'custom', custom: { name: 'c' } }] }, 'tools[0].type'],
    ['a choice', { tool_choice: { type: 'allowed_tools' } }, 'tool_choice.type'],
  ])('is not asked for %s of OpenAI’s elsewhere', (_what, fields, at) => {
    const refusal = `${at}: `;
    for (const model of ['mistral/mistral-small-latest', 'groq/llama-3.3-70b-versatile']) {
      expect(() => relayed(model, fields)).toThrow(refusal);
      expect(relayed(model, fields, model)).toBeDefined();
    }
    expect(relayed('openai/gpt-5', fields)).toMatchObject(fields);
  });

  it('may have what another model of its provider has, or what it can do itself', () => {
    const search = { web_search_options: { search_context_size: 'low' } };
    expect(relayed('perplexity/sonar', search, 'perplexity/sonar-pro')).toMatchObject(search);
    expect(relayed('mistral/devstral-latest', kept, 'mistral/mistral-small-latest')).toMatchObject(
      kept,
    );
    const searching = modelNamed('perplexity/sonar', {
      capabilities: { supports_web_search: true },
    });
    const body: Fields = { model: NAMED, messages: [user], ...search };
    expect(() => refuseOpenaisOwn(body, searching, { thinksIn: [] })).not.toThrow();
    expect(() =>
      refuseOpenaisOwn(body, { ...searching, capabilities: {} }, { thinksIn: [] }),
    ).toThrow();
    const seed = { random_seed: 42 };
    expect(relayed('mistral/devstral-latest', seed, 'mistral/mistral-small-latest')).toMatchObject(
      seed,
    );
  });

  it('is named no file and no speech that another of OpenAI’s hosts keeps', () => {
    expect(() => relayed('azure-openai/gpt-4o', kept)).toThrow('is kept by its own provider');
    expect(() => relayed('azure-openai/gpt-4o', spoken)).toThrow('is kept by its own provider');
    expect(relayed('openai/gpt-4o-mini', kept, '@router')).toMatchObject(kept);
  });

  it('gets only fields that it takes where it refuses others', () => {
    const model = 'mistral/mistral-small-latest';
    const others = {
      thinking: { type: 'enabled' },
      top_k: 5,
      cache_control: {},
      modalities: ['text'],
    };
    const absent = Object.fromEntries(Object.keys(others).map((name) => [name, undefined]));
    expect(relayed(model, { ...others, seed: 1 })).toMatchObject({ ...absent, random_seed: 1 });
    expect(relayed(model, others, model)).toMatchObject(others);
    expect(translated(model, { min_p: 0.1, seed: 1 })).not.toHaveProperty('min_p');
    expect(translated(model, { min_p: 0.1, seed: 1 })).toHaveProperty('random_seed', 1);
    expect(translated(model, { min_p: 0.1 }, model)).toHaveProperty('min_p');
  });

  it('does not take for its own what Claude has proved', () => {
    const thought = { type: 'reasoning.text', text: 'Hm' };
    const turn = (details: object) => ({ role: 'assistant', content: 'Yes', ...details });
    const sent = (details: object) =>
      relayed('minimax/MiniMax-M2.5', { messages: [user, turn(details), user] }).messages;
    const own = { reasoning_details: [thought] };
    expect(sent(own)).toEqual([user, turn(own), user]);
    const proved = { reasoning_content: 'Hm', reasoning_details: [{ ...thought, signature: 's' }] };
    expect(sent(proved)).toEqual([user, turn({}), user]);
  });

  it('is not asked for tools and a schema at once before Gemini 3', () => {
    const fields = { ...answersBy, tools };
    expect(() => translated('google/gemini-2.5-flash', fields)).toThrow(/^tools: /);
    expect(translated('google/gemini-2.5-flash', fields, 'google/gemini-2.5-flash')).toBeDefined();
    expect(translated('google/gemini-3-pro-preview', fields)).toHaveProperty('tools');
    expect(translated('google/gemini-2.5-flash', answersBy)).toHaveProperty('generationConfig');
    const idle = translated('google/gemini-2.5-flash', {
      ...fields,
      tool_choice: { type: 'none' },
    });
    expect(Object.keys(idle)).toEqual(['contents', 'generationConfig']);
  });

  it('is not asked for a schema beside tools or documents to cite at Cohere', () => {
    const model = 'cohere/command-a-03-2025';
    const source = { type: 'text', media_type: 'text/plain', data: 'Hi' };
    const cited = { type: 'document', source, citations: { enabled: true } };
    const messages = [{ role: 'user', content: [cited] }];
    const json = { response_format: { type: 'json_object' } };
    for (const binding of [answersBy, json]) {
      expect(() => translated(model, { ...binding, tools })).toThrow(/^tools: /);
      expect(() => translated(model, { ...binding, messages })).toThrow(/^documents: /);
      expect(translated(model, { ...binding, tools }, model)).toHaveProperty('tools');
      expect(translated(model, binding)).toHaveProperty('response_format');
    }
    expect(translated(model, { tools })).toHaveProperty('tools');
    const idle = { tools, tool_choice: { type: 'none' } };
    expect(translated(model, { ...answersBy, ...idle })).toEqual(translated(model, answersBy));
    expect(translated(model, { ...answersBy, ...idle }, model)).toMatchObject({
      tool_choice: 'NONE',
    });
  });

  it.each(['deepseek/deepseek-v4-flash', 'zai/glm-4.7', 'groq/llama-3.3-70b-versatile'])(
    'is not asked for a schema by which it does not answer (%s)',
    (model) => {
      const refusal = /^response_format: this model answers by no schema/;
      expect(() => translated(model, answersBy)).toThrow(refusal);
      expect(() => relayed(model, { response_format: format })).toThrow(refusal);
      const asked = { response_format: { type: 'json_object' } };
      expect(relayed(model, asked)).toMatchObject(asked);
      expect(relayed(model, { response_format: format }, model)).toHaveProperty('response_format');
    },
  );

  it.each(['openai/gpt-4.1', 'deepseek/deepseek-v4-flash', 'mistral/mistral-large-latest'])(
    'is told nothing about tools where none is on offer, which providers refuse (%s)',
    (model) => {
      const sent = (fields: Fields, named?: string) =>
        JSON.parse(JSON.stringify(relayed(model, fields, named))) as Fields;
      const idle = { tool_choice: 'none', parallel_tool_calls: false };
      const older = { functions: [], function_call: 'auto' };
      for (const fields of [idle, { ...idle, tools: [] }, { tools: null }, older]) {
        expect(sent(fields)).toEqual(sent({}));
        expect(sent(fields, model)).toMatchObject(fields);
      }
      expect(sent({ tool_choice: 'required' })).toHaveProperty('tool_choice', 'required');
      expect(relayed('openai/gpt-4.1', { ...older, functions: [{ name: 'f' }] })).toMatchObject({
        functions: [{ name: 'f' }],
        function_call: 'auto',
      });
    },
  );

  it('is told of no effort where it may not think, as before a forced tool', () => {
    const model = 'deepseek/deepseek-v4-pro';
    const effort = { output_config: { effort: 'high' } };
    const forced = { tools, tool_choice: { type: 'any' } };
    const efforts = ({ thinking, reasoning_effort: word }: Fields) => [thinking, word];
    const off = [{ type: 'disabled' }, undefined];
    expect(efforts(translated(model, { ...effort, ...forced }))).toEqual(off);
    expect(efforts(translated(model, { ...effort, thinking: { type: 'disabled' } }))).toEqual(off);
    expect(translated(model, { ...effort, tools })).toMatchObject({ reasoning_effort: 'high' });
    const chat = { reasoning_effort: 'high', tools, tool_choice: 'required' };
    expect(efforts(relayed(model, chat))).toEqual(off);
    expect(relayed(model, { ...chat, tool_choice: 'auto' })).toMatchObject({
      reasoning_effort: 'high',
    });
  });

  it('continues no answer when it is a Claude that refuses to', () => {
    const messages = [user, { role: 'assistant', content: '{' }] as const;
    const refusal = /^messages\[1\]: this model continues no answer/;
    expect(() => relayed('anthropic/claude-opus-4-8', { messages }, CLAUDE)).toThrow(refusal);
    expect(() => translated('anthropic/claude-opus-4-8', { messages })).toThrow(refusal);
    expect(relayed(CLAUDE, { messages }, 'anthropic/claude-opus-4-8')).toMatchObject({ messages });
    expect(
      relayed('anthropic/claude-opus-4-8', { messages }, 'anthropic/claude-opus-4-8'),
    ).toMatchObject({ messages });
    // What runs at Anthropic goes on where it paused.
    const use = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const paused = [user, { role: 'assistant', content: [use] }];
    expect(relayed('anthropic/claude-opus-4-8', { messages: paused }, CLAUDE)).toBeDefined();
  });

  it('is given no conversation that the assistant begins where it takes none', () => {
    const messages = [{ role: 'assistant', content: 'How may I help?' }, user] as const;
    const refusal = /^messages: with this model the user speaks first/;
    for (const model of ['bedrock/amazon.nova-pro-v1:0', 'perplexity/sonar-pro']) {
      expect(() => translated(model, { messages })).toThrow(refusal);
      expect(translated(model, { messages }, model)).toHaveProperty('messages');
    }
    const turns = [{ role: 'system', content: 'Be kind' }, ...messages];
    expect(() => relayed('perplexity/sonar-pro', { messages: turns })).toThrow(refusal);
    expect(translated('google/gemini-2.5-flash', { messages })).toHaveProperty('contents');
  });

  it('hears from the user what the system alone says, unless it is of OpenAI', () => {
    const system = { role: 'system', content: 'Name a colour' };
    const developer = { role: 'developer', content: 'In French' };
    const said = (model: string, turns: readonly object[], named?: string) =>
      relayed(model, { messages: turns }, named).messages;
    for (const model of ['perplexity/sonar-pro', 'mistral/mistral-large-latest']) {
      expect(said(model, [system])).toEqual([{ ...system, role: 'user' }]);
      expect(said(model, [system], model)).toEqual([system]);
      expect(said(model, [system, user])).toEqual([system, user]);
      expect(said(model, [])).toEqual([]);
    }
    const content = 'Name a colour\n\nIn French';
    expect(said('perplexity/sonar-pro', [system, developer])).toEqual([{ role: 'user', content }]);
    expect(said('openai/gpt-4o', [system, developer], CLAUDE)).toEqual([system, developer]);
  });

  it('continues no answer at Perplexity', () => {
    const messages = [user, { role: 'assistant', content: '{' }];
    const model = 'perplexity/sonar-pro';
    const refusal = /^messages: this model continues no answer/;
    expect(() => translated(model, { messages })).toThrow(refusal);
    expect(() => relayed(model, { messages })).toThrow(refusal);
    expect(relayed(model, { messages }, model)).toMatchObject({ messages });
  });
});

describe('a conversation', () => {
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
  const document = { role: 'user', content: [{ type: 'document', source: pdf }] };
  const file = {
    type: 'file',
    file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,x' },
  };

  it('names its PDF to Mistral as Mistral does', () => {
    const model = 'mistral/mistral-small-latest';
    expect(translated(model, { messages: [document] }, model).messages).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'document_url',
            document_url: 'data:application/pdf;base64,JVBERi0=',
            document_name: 'document.pdf',
          },
        ],
      },
    ]);
    const { messages } = relayed(model, { messages: [{ role: 'user', content: [file] }] }, model);
    expect(messages).toMatchObject([
      { content: [{ type: 'document_url', document_name: 'a.pdf' }] },
    ]);
  });

  it('has a word between results and a question for Mistral', () => {
    const model = 'mistral/devstral-latest';
    const messages = [
      user,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '1' },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ];
    const sent = translated(model, { messages, tools }, model).messages as Fields[];
    expect(sent.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('with a PDF does not go to DeepSeek, which reads none', () => {
    const model = 'deepseek/deepseek-v4-flash';
    const refusal = /^messages\[0\]\.content\[0\]\.type: this model reads no files/;
    expect(() => translated(model, { messages: [document] }, model)).toThrow(refusal);
    const told = { messages: [document], system: 'Be brief.' };
    expect(() => translated(model, told, model)).toThrow(refusal);
    const asked = { messages: [{ role: 'user', content: [file] }] };
    expect(() => relayed(model, asked, model)).toThrow(refusal);
  });
});
