import { Field, JsonObject, OptionalField } from '../../http/field.js';
import { bool, dict, either, float, int, listOf, modelId, text } from '../../http/rule.js';

type JsonMap = Record<string, unknown>;

/**
 * The body of `POST /v3/chat/completions`. Fields that are not named go on as they came.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
@JsonObject({ answersWith: 'openai' })
export class ChatCompletionsBody {
  @Field(modelId('accepted'), {
    description: 'The model as `provider/model`, or `@router`.',
    example: 'openai/gpt-4o-mini',
  })
  model!: string;

  @Field(listOf(dict(), { least: 1 }), {
    example: [{ role: 'user', content: 'What is the capital of France?' }],
  })
  messages!: JsonMap[];

  @OptionalField(bool(), { description: 'Answer with server-sent events.', default: false })
  stream?: boolean;

  @OptionalField(dict(), { example: { include_usage: true } })
  stream_options?: JsonMap;

  @OptionalField(int({ ge: 1 }), { description: 'The older name of `max_completion_tokens`.' })
  max_tokens?: number;

  @OptionalField(int({ ge: 1 }), { description: 'The most tokens to generate.' })
  max_completion_tokens?: number;

  @OptionalField(float({ ge: 0, le: 2 }))
  temperature?: number;

  @OptionalField(float({ ge: 0, le: 1 }))
  top_p?: number;

  @OptionalField(int({ ge: 1 }))
  n?: number;

  @OptionalField(either(text(), listOf(text())))
  stop?: string | string[];

  @OptionalField(listOf(dict()), { description: 'Tools the model may call.' })
  tools?: JsonMap[];

  @OptionalField(either(text(), dict()), { example: 'auto' })
  tool_choice?: string | JsonMap;

  @OptionalField(dict(), { example: { type: 'json_object' } })
  response_format?: JsonMap;

  @OptionalField(text(), { description: 'Who the request is for; kept in the request log.' })
  user?: string;

  @OptionalField(dict(), { description: 'Kept in the request log.' })
  metadata?: JsonMap;

  @OptionalField(listOf(text(), { most: 3 }), {
    description: 'Models to try in this order when the one asked for fails.',
  })
  fallbacks?: string[];

  @OptionalField(listOf(text()), {
    description: 'What `@router` may choose from; without it, every available model.',
  })
  router_candidates?: string[];

  @OptionalField(dict(text()), { description: "Headers for the model's own provider." })
  extra_headers?: Record<string, string>;

  [field: string]: unknown;
}
