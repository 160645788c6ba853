import { describe, expect, it } from '@jest/globals';
import { validate } from 'class-validator';
import fc from 'fast-check';
import { bodyCheck } from '../../http/body-check.js';
import { validationEntries } from '../../http/validation-entries.js';
import { spliceObject } from '../../json/splice.js';
import { AnthropicMessagesBody } from './anthropic-messages-body.dto.js';
import { CountTokensBody } from './count-tokens-body.dto.js';

const LIMITS = { embeddingsMaxInputs: 10 };
const { check } = bodyCheck(AnthropicMessagesBody, LIMITS);
const hi = [{ role: 'user', content: 'hi' }];

/** The 422 of a JSON text, each entry as `type path`. */
const refused = (text: string) =>
  validationEntries(check(JSON.parse(text)).problems).map(
    ({ type, loc }) => `${type} ${loc.join('/')}`,
  );
/** The JSON text of a valid body with one more field. */
const withField = (field: string, value: string) =>
  `${JSON.stringify({ model: 'a/b', messages: hi }).slice(0, -1)},${JSON.stringify(field)}:${value}}`;
const withContent = (content: string) =>
  `{"model":"a/b","messages":[{"role":"user","content":${content}}]}`;
/** What a body becomes: the changes to its top level. */
const changed = (text: string) => {
  const value = JSON.parse(text) as Record<string, unknown>;
  const { problems, edits } = check(value);
  return { problems, value, edits: Object.fromEntries(edits) };
};

describe('AnthropicMessagesBody', () => {
  it.each([
    ['{}', ['missing body/model', 'missing body/messages']],
    ['{"model":null,"messages":null}', ['string_type body/model', 'list_type body/messages']],
    ['{"__proto__":{"model":"a/b"},"messages":[]}', ['missing body/model']],
    ['{"constructor":{"prototype":{"model":"a/b"}},"messages":[]}', ['missing body/model']],
    ['{"model":"a/b","messages":{"length":1}}', ['list_type body/messages']],
    [
      '{"model":"a/b","messages":[null,1,"x",[],{}]}',
      [
        'model_attributes_type body/messages/0',
        'model_attributes_type body/messages/1',
        'model_attributes_type body/messages/2',
        'model_attributes_type body/messages/3',
        'missing body/messages/4/role',
        'missing body/messages/4/content',
      ],
    ],
    ...['"USER"', 'null', '1', '["user"]', '"constructor"', '"__proto__"'].map(
      (role) =>
        [
          `{"model":"a/b","messages":[{"role":${role},"content":""}]}`,
          ['literal_error body/messages/0/role'],
        ] as const,
    ),
    ...['null', '5', 'true', '{"a":1}'].map(
      (content) =>
        [
          withContent(content),
          [
            'string_type body/messages/0/content/str',
            'list_type body/messages/0/content/list[AnthropicContentBlock]',
          ],
        ] as const,
    ),
    [
      withContent('[1,{"text":5},{"type":{}}]'),
      [
        'string_type body/messages/0/content/str',
        'model_attributes_type body/messages/0/content/list[AnthropicContentBlock]/0',
        'missing body/messages/0/content/list[AnthropicContentBlock]/1/type',
        'string_type body/messages/0/content/list[AnthropicContentBlock]/1/text',
        'string_type body/messages/0/content/list[AnthropicContentBlock]/2/type',
      ],
    ],
    [
      withContent(
        '[{"type":"t","signature":1,"thinking":1,"source":"x","is_error":2,"content":{},"tool_use_id":1,"input":[],"name":1,"id":true,"text":5}]',
      ),
      [
        'string_type body/messages/0/content/str',
        ...[
          'string_type text',
          'string_type id',
          'string_type name',
          'dict_type input',
          'string_type tool_use_id',
          'string_type content/str',
          'list_type content/list[any]',
          'bool_parsing is_error',
          'dict_type source',
          'string_type thinking',
          'string_type signature',
        ].map((entry) =>
          entry.replace(' ', ' body/messages/0/content/list[AnthropicContentBlock]/0/'),
        ),
      ],
    ],
    [
      withField('system', '5'),
      ['string_type body/system/str', 'list_type body/system/list[dict[str,any]]'],
    ],
    [
      withField('system', '[{},"x",null]'),
      [
        'string_type body/system/str',
        'dict_type body/system/list[dict[str,any]]/1',
        'dict_type body/system/list[dict[str,any]]/2',
      ],
    ],
    [
      withField('fallbacks', '["a",1,2]'),
      ['string_type body/fallbacks/1', 'string_type body/fallbacks/2'],
    ],
    [withField('fallbacks', '[1,2,3,4]'), ['too_long body/fallbacks']],
    [withField('router_candidates', '{}'), ['list_type body/router_candidates']],
    [
      withField('stop_sequences', '[1,"a",null]'),
      ['string_type body/stop_sequences/0', 'string_type body/stop_sequences/2'],
    ],
    [withField('tools', '[1,{},"x"]'), ['dict_type body/tools/0', 'dict_type body/tools/2']],
    [withField('tool_choice', '"auto"'), ['dict_type body/tool_choice']],
    [
      withField('extra_headers', '{"a":1,"b":"x","c":null}'),
      ['string_type body/extra_headers/a', 'string_type body/extra_headers/c'],
    ],
    ...(
      [
        ['1.5', 'int_from_float'],
        ['"x"', 'int_parsing'],
        ['""', 'int_parsing'],
        ['"1e3"', 'int_parsing'],
        ['"5.5"', 'int_parsing'],
        ['[1]', 'int_type'],
        ['{}', 'int_type'],
        ['0', 'greater_than_equal'],
        ['-0', 'greater_than_equal'],
        ['false', 'greater_than_equal'],
        ['"-5"', 'greater_than_equal'],
        ['1e400', 'finite_number'],
      ] as const
    ).map(
      ([value, type]) => [withField('max_tokens', value), [`${type} body/max_tokens`]] as const,
    ),
    ...(
      [
        ['"x"', 'float_parsing'],
        ['[1]', 'float_type'],
        ['2.0000001', 'less_than_equal'],
        ['1e400', 'less_than_equal'],
        ['"nan"', 'less_than_equal'],
        ['"inf"', 'less_than_equal'],
        ['-0.1', 'greater_than_equal'],
        ['-1e400', 'greater_than_equal'],
      ] as const
    ).map(
      ([value, type]) => [withField('temperature', value), [`${type} body/temperature`]] as const,
    ),
    ...(
      [
        ['"maybe"', 'bool_parsing'],
        ['" true"', 'bool_parsing'],
        ['2', 'bool_parsing'],
        ['-1', 'bool_parsing'],
        ['0.5', 'bool_type'],
        ['1e300', 'bool_type'],
        ['[]', 'bool_type'],
      ] as const
    ).map(([value, type]) => [withField('stream', value), [`${type} body/stream`]] as const),
  ])('refuses %s', (text, entries) => {
    expect(refused(text)).toEqual(entries);
  });

  it('reports the problems of every field in the order of declaration', () => {
    const body =
      '{"extra_headers":5,"thinking":5,"metadata":5,"tool_choice":5,"tools":5,"stop_sequences":5,"stream":[],"top_k":[],"top_p":[],"temperature":[],"system":5,"max_tokens":[],"messages":5,"model":5,"router_candidates":5,"fallbacks":5}';
    expect(refused(body)).toEqual([
      'list_type body/fallbacks',
      'list_type body/router_candidates',
      'string_type body/model',
      'list_type body/messages',
      'int_type body/max_tokens',
      'string_type body/system/str',
      'list_type body/system/list[dict[str,any]]',
      'float_type body/temperature',
      'float_type body/top_p',
      'int_type body/top_k',
      'bool_type body/stream',
      'list_type body/stop_sequences',
      'list_type body/tools',
      'dict_type body/tool_choice',
      'dict_type body/metadata',
      'dict_type body/thinking',
      'dict_type body/extra_headers',
    ]);
  });

  it('words an entry and its context as pydantic does, and keeps the input to itself', () => {
    const body = withField('fallbacks', '["a","b","c","d"]').replace('"user"', '"tool"');
    expect(validationEntries(check(JSON.parse(body)).problems)).toEqual([
      {
        type: 'too_long',
        loc: ['body', 'fallbacks'],
        msg: 'List should have at most 3 items after validation, not 4',
        ctx: { field_type: 'List', max_length: 3, actual_length: 4 },
      },
      {
        type: 'literal_error',
        loc: ['body', 'messages', 0, 'role'],
        msg: "Input should be 'user', 'assistant' or 'system'",
        ctx: { expected: "'user', 'assistant' or 'system'" },
      },
    ]);
  });

  it.each([
    ['max_tokens', '" +1_000.0 "', 1000],
    ['max_tokens', 'true', 1],
    ['temperature', '" 1.5 "', 1.5],
    ['temperature', '"1e0"', 1],
    ['top_p', 'false', 0],
    ['top_k', '"-0005"', -5],
    ['stream', '"Yes"', true],
    ['stream', '"off"', false],
    ['stream', '0', false],
    ['stream', '1.0', true],
  ])('coerces %s %s and forwards %j', (field, given, value) => {
    const body = changed(withField(field, given));
    expect(body.problems).toEqual([]);
    expect(body.value[field]).toBe(value);
    expect(body.edits[field]).toBe(JSON.stringify(value));
  });

  it.each([
    ['max_tokens', '9007199254740993'],
    ['max_tokens', '2.0'],
    ['temperature', '2'],
    ['stream', 'true'],
    ['system', '[]'],
    ['fallbacks', '[]'],
    ['thread', '{"continue":null}'],
  ])('leaves %s %s to the bytes of the caller', (field, given) => {
    const body = changed(withField(field, given));
    expect(body.problems).toEqual([]);
    expect(Object.keys(body.edits).filter((key) => !KNOWN_EDITS.includes(key))).toEqual([]);
  });

  it('takes null for absent, sends 1024 for max_tokens and drops the fields of the gateway', () => {
    const body = changed(
      '{"model":"@router","messages":[],"max_tokens":null,"system":null,"container":null,' +
        '"fallbacks":["a/b"],"router_candidates":null,"extra_headers":{"x-a":"1"},"session_id":"s","routing":{}}',
    );
    expect(body.edits).toEqual({
      max_tokens: '1024',
      system: undefined,
      fallbacks: undefined,
      router_candidates: undefined,
      routing: undefined,
      session_id: undefined,
      extra_headers: undefined,
    });
    expect(body.value).toEqual({
      model: '@router',
      messages: [],
      max_tokens: 1024,
      container: null,
      fallbacks: ['a/b'],
      extra_headers: { 'x-a': '1' },
      session_id: 's',
      routing: {},
    });
  });

  it('judges only the type of a block, and lets a search result name its source by a string', () => {
    const blocks =
      '[{"type":"x-new","a":1},{"type":"image"},{"type":"tool_result","tool_use_id":"t","is_error":"yes","content":[1,null]},{"type":"search_result","source":"https://a"}]';
    expect(refused(withContent(blocks))).toEqual([]);
  });

  it('keeps odd keys at any depth and lets none of them change a prototype', () => {
    const text = withField('metadata', '{"__proto__":{"polluted":1},"constructor":{"x":1}}');
    const { value, problems } = changed(
      text.replace('{"model"', '{"__proto__":{"max_tokens":7},"model"'),
    );
    expect(problems).toEqual([]);
    expect(value['max_tokens']).toBe(1024);
    expect(JSON.stringify(value['metadata'])).toContain('"__proto__":{"polluted":1}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('stops after about a thousand problems', () => {
    const many = validationEntries(
      check({ model: 'a/b', messages: Array(100_000).fill(1) }).problems,
    );
    expect(many).toHaveLength(1000);
  });

  it('splices to what it says the value is, for any object', () => {
    const fields = fc.record(VALID, { requiredKeys: ['model', 'messages'] });
    const others = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'container', 'é"\\')),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(others, fields, fc.nat(3), (unknown, known, indent) => {
        const names = new Set(Object.keys(VALID));
        const members = Object.entries(unknown).filter(([name]) => !names.has(name));
        const text = stringified([...members, ...Object.entries(known)], indent);
        const value = JSON.parse(text) as Record<string, unknown>;
        const { problems, edits } = check(value);
        expect(problems).toEqual([]);
        const spliced = Buffer.concat(spliceObject(Buffer.from(text), edits) ?? []).toString();
        const want = new Map(Object.entries(value));
        for (const name of GATEWAY_ONLY) want.delete(name);
        expect(new Map(Object.entries(JSON.parse(spliced) as object))).toEqual(want);
      }),
    );
  });

  it('is a DTO that class-validator itself can check', async () => {
    const body = Object.assign(new AnthropicMessagesBody(), { model: 'a/b', messages: hi });
    expect(await validate(body)).toEqual([]);
    body.model = 5 as unknown as string;
    body.top_p = 3;
    expect((await validate(body)).map(({ property }) => property)).toEqual(['model', 'top_p']);
  });
});

describe('CountTokensBody', () => {
  it('wants a model and messages and puts no max_tokens in', () => {
    const { check: checkCount } = bodyCheck(CountTokensBody, LIMITS);
    const paths = (body: object) => checkCount(body).problems.map(({ place }) => place.join('/'));
    expect(paths({})).toEqual(['model', 'messages']);
    expect(paths({ model: 'a/b', messages: [], tools: [1], max_tokens: 'x' })).toEqual(['tools/0']);
    expect(checkCount({ model: 'a/b', messages: [], fallbacks: ['a/b'] }).edits).toEqual(
      new Map([['fallbacks', undefined]]),
    );
  });
});

const KNOWN_EDITS = ['max_tokens', 'fallbacks'];
const GATEWAY_ONLY = ['fallbacks', 'router_candidates', 'routing', 'session_id', 'extra_headers'];

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values);
const map = fc.dictionary(fc.string(), fc.jsonValue());
const VALID = {
  model: fc.string(),
  messages: fc.constant(hi),
  fallbacks: nullable(fc.array(fc.string(), { maxLength: 3 })),
  max_tokens: nullable(fc.constantFrom<unknown>(1, '5', ' 1_0 ', true)),
  system: nullable(fc.oneof(fc.string(), fc.array(map))),
  temperature: nullable(fc.constantFrom<unknown>(0, '1', true, 1.5)),
  stream: nullable(fc.constantFrom<unknown>(true, 'no', 1)),
  tools: nullable(fc.array(map)),
  metadata: nullable(map),
  extra_headers: nullable(fc.constant({ 'x-a': '1' })),
};

/** Object literals and `Object.fromEntries` would treat `__proto__` in their own way. */
function stringified(members: readonly (readonly [string, unknown])[], indent: number): string {
  const gap = ' '.repeat(indent);
  return `{${members
    .map(([name, value]) => `${gap}${JSON.stringify(name)}${gap}:${JSON.stringify(value)}`)
    .join(`${gap},`)}}`;
}
