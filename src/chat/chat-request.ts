import { JSON_ONLY, type NeutralBlock, type NeutralRequest } from '../contract/neutral.js';
import { invalid, objectIn, placed, unsupported } from '../http/request-fields.js';
import { type Fields, isObject, listOf, present } from '../json/values.js';
import { contentOf } from './chat-parts.js';
import { thinkingSettings } from './chat-reasoning.js';
import { tooling } from './chat-tools.js';
import { conversation } from './chat-turns.js';

/**
 * A chat completions request in the neutral shape. Fields that are not known here, such as `seed` or
 * a provider's own, go on as they are, for a format that has a place for them.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function neutralRequest(body: Fields): NeutralRequest {
  refuse(body);
  const { system, messages } = conversation(body.messages);
  const { format, instruction } = answerFormat(body);
  const prompt: readonly NeutralBlock[] = [...system, ...instruction];
  const tools = tooling(body);
  const settings = thinkingSettings(body, tools);
  const config = { ...(isObject(body.output_config) && body.output_config), ...settings.config };
  const output_config = format ? { ...config, format } : config;
  const user = userOf(body);
  return {
    ...extras(body),
    ...present({
      max_tokens: body.max_completion_tokens ?? body.max_tokens,
      temperature: body.temperature,
      top_p: body.top_p,
      stop_sequences: stopSequences(body.stop),
      thinking: settings.thinking,
      output_config: Object.keys(output_config).length > 0 ? output_config : undefined,
      metadata: user === undefined ? undefined : { user_id: user },
      system: prompt.length > 0 ? contentOf(prompt) : undefined,
      ...tools,
    }),
    model: body.model as string,
    messages,
  };
}

/** Read above, or by the gateway itself. */
const READ = new Set([
  'model',
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'parallel_tool_calls',
  'web_search_options',
  'response_format',
  'reasoning',
  'reasoning_effort',
  'thinking',
  'output_config',
  'user',
  'safety_identifier',
  'metadata',
  'stream',
  'stream_options',
  'n',
  'logprobs',
  'top_logprobs',
  'modalities',
  'audio',
]);

/** Orders to OpenAI's own service that change nothing in the answer, or whose price is another. */
const LEFT_OUT = new Set([
  'store',
  'prediction',
  'service_tier',
  'include_reasoning',
  'moderation',
]);

function extras(body: Fields): Fields {
  const kept = Object.entries(body).filter(([name]) => !READ.has(name) && !LEFT_OUT.has(name));
  return present(Object.fromEntries(kept));
}

/** What only OpenAI's format can answer. */
function refuse({ n, logprobs, top_logprobs, modalities, audio }: Fields): void {
  if (typeof n === 'number' && n > 1) {
    throw unsupported('n', 'this model gives one answer at a time.');
  }
  if (logprobs === true || (typeof top_logprobs === 'number' && top_logprobs > 0)) {
    const field = logprobs === true ? 'logprobs' : 'top_logprobs';
    throw unsupported(field, 'are not given for this model.');
  }
  if (audio !== undefined && audio !== null)
    throw unsupported('audio', 'this model does not speak.');
  // Whether a model draws is its own nature; no field asks for it.
  if (listOf(modalities).some((modality) => modality !== 'text' && modality !== 'image')) {
    throw unsupported('modalities', 'must be text or image.');
  }
}

function stopSequences(stop: unknown): readonly unknown[] | undefined {
  const list: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  const given = list.filter((text) => text !== undefined && text !== null && text !== '');
  return given.length > 0 ? given : undefined;
}

interface AnswerFormat {
  readonly format?: Fields;
  readonly instruction: readonly NeutralBlock[];
}

/**
 * A schema goes on as Anthropic's structured output; its `name` and `strict` have no counterpart,
 * because it always binds. JSON without a schema cannot be asked for by a field, so it is said.
 */
function answerFormat({ response_format: asked }: Fields): AnswerFormat {
  if (asked === undefined || asked === null) return { instruction: [] };
  const given = placed(asked, 'response_format');
  switch (given.fields.type) {
    case 'text':
      return { instruction: [] };
    case 'json_object':
      return { instruction: [{ type: 'text', text: JSON_ONLY }] };
    case 'json_schema': {
      const { fields: schema } = objectIn(objectIn(given, 'json_schema'), 'schema');
      return { format: { type: 'json_schema', schema }, instruction: [] };
    }
    default:
      throw invalid('response_format.type', 'must be text, json_object or json_schema.');
  }
}

/** Of the caller's `metadata`, which stays in the gateway's log, Anthropic takes the user alone. */
function userOf({ user, safety_identifier, metadata }: Fields): string | undefined {
  const named = isObject(metadata) ? metadata.user_id : undefined;
  return [user, safety_identifier, named].find((id) => typeof id === 'string');
}
