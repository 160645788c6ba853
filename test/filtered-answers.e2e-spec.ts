import { describe, expect, it } from '@jest/globals';
import { messageEvent } from './support/provider-answers.js';
import { sse } from './support/scripted-upstream-wire.js';
import { SURFACES } from './support/surfaces.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const USAGE = {
  input_tokens: 9,
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 14,
};
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'incomplete',
  incomplete_details: { reason: 'content_filter' },
  output: [
    { type: 'message', content: [{ type: 'output_text', text: 'So far', annotations: [] }] },
  ],
  usage: USAGE,
};
const CHOICE = { index: 0, finish_reason: 'content_filter' };
const COUNTS = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
const CANDIDATE = {
  candidates: [
    { content: { role: 'model', parts: [{ text: 'So far' }] }, finishReason: 'SAFETY', index: 0 },
  ],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
};
const answered = messageEvent('response.output_text.delta', { item_id: 'm', delta: 'So far' });

/** A model, and its answer that a filter has cut: whole, and streamed where this is tried. */
const CUT: readonly (readonly [string, object, string?])[] = [
  [
    'groq/llama-3.3-70b-versatile',
    { choices: [{ ...CHOICE, message: { role: 'assistant', content: 'So far' } }], usage: COUNTS },
    sse({ choices: [{ index: 0, delta: { content: 'So far' }, finish_reason: null }] }) +
      sse({ choices: [{ ...CHOICE, delta: {} }], usage: COUNTS }) +
      sse('[DONE]'),
  ],
  [
    'openai/gpt-5-pro',
    RESPONSE,
    messageEvent('response.created', { response: { ...RESPONSE, status: 'in_progress' } }) +
      answered +
      messageEvent('response.incomplete', { response: RESPONSE }),
  ],
  ['google/gemini-2.5-flash', CANDIDATE, sse(CANDIDATE)],
  ...['content_filtered', 'guardrail_intervened'].map((stopReason): [string, object] => [
    'bedrock/us.amazon.nova-lite-v1:0',
    {
      output: { message: { role: 'assistant', content: [{ text: 'So far' }] } },
      ...{ stopReason, usage: { inputTokens: 9, outputTokens: 5, totalTokens: 14 } },
    },
  ]),
];

/** What the end of an answer says on each surface. */
const TOLD = [
  [/"stop_reason":null/, /"stop_details":\{"type":"refusal"/],
  [/"finish_reason":"content_filter"/],
  [/"status":"incomplete"/, /"incomplete_details":\{"reason":"content_filter"\}/],
] as const;

describe('an answer that a provider’s filter cut amid its text', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...usualProviders(url),
    ...{ GROQ_API_KEY: 'upstream-groq-key', GROQ_BASE_URL: `${url}/groq/v1` },
    ...{ GOOGLE_API_KEY: 'upstream-google-key', GOOGLE_BASE_URL: `${url}/google` },
    ...{ BEDROCK_API_KEY: 'upstream-bedrock-key', BEDROCK_BASE_URL: `${url}/aws` },
  }));
  const surfaces = SURFACES.map(([path, body], index) => ({ path, body, told: TOLD[index]! }));

  // https://github.com/Oaklight/argo-proxy/issues/91
  it.each(surfaces)(
    'is a 400 where a stream says so before any text on $path',
    async ({ path, body }) => {
      const message = "The response was filtered due to Azure OpenAI's content management policy.";
      const error = { message, type: null, param: 'prompt', code: 'content_filter', status: 400 };
      upstream.streams(sse({ choices: [], prompt_filter_results: [] }), sse({ error }));
      const asked = { ...body, model: 'groq/llama-3.3-70b-versatile', stream: true };
      expect((await post(path, asked).expect(400)).body.error.message).toBe(message);
    },
  );

  it.each(CUT.flatMap(([model, whole]) => surfaces.map((each) => ({ model, whole, ...each }))))(
    'says so on $path: $model',
    async ({ model, whole, path, body, told }) => {
      upstream.replies(200, whole);
      const { text } = await post(path, { model, ...body }).expect(200);
      expect(text).toContain('So far');
      for (const word of told) expect(text).toMatch(word);
    },
  );

  it.each(
    CUT.flatMap(([model, , stream]) =>
      stream ? surfaces.map((each) => ({ model, stream, ...each })) : [],
    ),
  )('says so in a stream on $path: $model', async ({ model, stream, path, body, told }) => {
    upstream.streams(stream);
    const { text } = await post(path, { model, ...body, stream: true }).expect(200);
    expect(text).toContain('So far');
    for (const word of told) expect(text).toMatch(word);
  });

  it('tells callers of chat and Messages what a model of Responses thought', async () => {
    const model = 'openai/gpt-5-pro';
    upstream.replies(200, RESPONSE);
    const [messages, chat] = surfaces;
    const message = await post(messages!.path, { model, ...messages!.body });
    expect(message.body.usage.output_tokens_details).toEqual({ thinking_tokens: 3 });
    const completion = await post(chat!.path, { model, ...chat!.body });
    expect(completion.body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 3 });
    upstream.streams(answered, messageEvent('response.completed', { response: RESPONSE }));
    const streamed = {
      model,
      ...chat!.body,
      stream: true,
      stream_options: { include_usage: true },
    };
    const { text } = await post(chat!.path, streamed);
    expect(text).toContain('"completion_tokens_details":{"reasoning_tokens":3}');
  });
});
