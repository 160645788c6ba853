import {
  ExtraHeadersField,
  FallbacksField,
  MetadataField,
  ModelField,
  RouterCandidatesField,
  RoutingField,
  type RoutingOptions,
  SessionIdField,
  StreamField,
  TemperatureField,
  ToolChoiceField,
  ToolsField,
  TopPField,
  UserField,
} from '../../http/call-fields.js';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { dict, either, int, listOf, text } from '../../validation/value-rule.js';

type JsonMap = Record<string, unknown>;

/**
 * The body of `POST /v3/chat/completions`. Fields that are not named go on as they came.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
@JsonObject({ answersWith: 'openai' })
export class ChatCompletionsBody {
  @ModelField
  model!: string;

  @Field(listOf(dict(), { least: 1 }), {
    description: 'The conversation so far.',
    example: [{ role: 'user', content: 'What is the capital of France?' }],
  })
  messages!: JsonMap[];

  @StreamField
  stream?: boolean;

  @OptionalField(dict(), {
    description: '`include_usage` asks for a last chunk with the usage and the cost.',
    example: { include_usage: true },
  })
  stream_options?: JsonMap;

  @OptionalField(int({ ge: 1 }), { description: 'The older name of `max_completion_tokens`.' })
  max_tokens?: number;

  @OptionalField(int({ ge: 1 }), { description: 'The most tokens to generate.' })
  max_completion_tokens?: number;

  @TemperatureField
  temperature?: number;

  @TopPField
  top_p?: number;

  @OptionalField(int({ ge: 1 }), { description: 'How many answers to make.' })
  n?: number;

  @OptionalField(either(text(), listOf(text())), {
    description: 'Text, or texts, that end an answer where the model writes them.',
  })
  stop?: string | string[];

  @ToolsField
  tools?: JsonMap[];

  @ToolChoiceField
  tool_choice?: string | JsonMap;

  @OptionalField(dict(), {
    description: 'The form of the answer: text, JSON, or JSON of a schema.',
    example: { type: 'json_object' },
  })
  response_format?: JsonMap;

  @UserField
  user?: string;

  @MetadataField
  metadata?: JsonMap;

  @FallbacksField
  fallbacks?: string[];

  @RouterCandidatesField
  router_candidates?: string[];

  @RoutingField
  routing?: RoutingOptions;

  @SessionIdField
  session_id?: string;

  @ExtraHeadersField
  extra_headers?: Record<string, string>;

  [field: string]: unknown;
}
