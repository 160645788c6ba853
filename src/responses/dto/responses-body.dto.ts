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
import {
  bool,
  dict,
  either,
  int,
  listOf,
  oneOf,
  text,
  unsupported,
} from '../../validation/value-rule.js';

type JsonMap = Record<string, unknown>;

const WHOLE = 'nothing is stored here; send the whole conversation as input';

/**
 * The body of `POST /v3/responses`. Fields that are not named go on as they came.
 * https://platform.openai.com/docs/api-reference/responses/create
 */
@JsonObject({ answersWith: 'openai' })
export class ResponsesBody {
  @ModelField
  model!: string;

  @Field(either(text(), listOf(dict(), { least: 1 })), {
    description: 'What the user says, or the items of the conversation so far.',
    example: 'What is the capital of France?',
  })
  input!: string | JsonMap[];

  @OptionalField(text(), { description: 'The system prompt; it comes before all items.' })
  instructions?: string;

  @StreamField
  stream?: boolean;

  @OptionalField(dict(), { description: 'Obfuscation of a stream is never added here.' })
  stream_options?: JsonMap;

  @OptionalField(int({ ge: 1 }), {
    description: 'The most tokens to generate, those of reasoning included.',
  })
  max_output_tokens?: number;

  @OptionalField(int({ ge: 1 }), { description: 'The most calls of tools that the provider runs.' })
  max_tool_calls?: number;

  @TemperatureField
  temperature?: number;

  @TopPField
  top_p?: number;

  @OptionalField(int({ ge: 0, le: 20 }), {
    description: 'Log probabilities a token; only where the provider itself speaks this format.',
  })
  top_logprobs?: number;

  @ToolsField
  tools?: JsonMap[];

  @ToolChoiceField
  tool_choice?: string | JsonMap;

  @OptionalField(bool(), { description: 'Whether the model may call several tools at once.' })
  parallel_tool_calls?: boolean;

  @OptionalField(dict(), {
    description: 'How hard the model thinks, and whether it tells of it.',
    example: { effort: 'low', summary: 'auto' },
  })
  reasoning?: JsonMap;

  @OptionalField(dict(), {
    description: 'The form of the answer: text, JSON, or JSON of a schema.',
    example: { format: { type: 'json_object' } },
  })
  text?: JsonMap;

  @OptionalField(listOf(text()), {
    description: 'Further output; encrypted reasoning comes also without being asked for.',
    example: ['reasoning.encrypted_content'],
  })
  include?: string[];

  @OptionalField(oneOf('auto', 'disabled'), {
    description: 'Whether items may be left out of an input that is too long.',
  })
  truncation?: string;

  @OptionalField(bool(), {
    description: 'Nothing is stored: absent or false; true is refused with 400.',
  })
  store?: boolean;

  @OptionalField(bool(), { description: '`true` is refused: an answer cannot be fetched later.' })
  background?: boolean;

  @OptionalField(unsupported(WHOLE))
  previous_response_id?: null;

  @OptionalField(unsupported(WHOLE))
  conversation?: null;

  @OptionalField(unsupported('nothing is stored here; send its text as instructions or input'))
  prompt?: null;

  @OptionalField(text(), { description: 'Which service tier is wished for.' })
  service_tier?: string;

  @OptionalField(text(), { description: 'A hint that helps OpenAI’s prompt cache.' })
  prompt_cache_key?: string;

  @OptionalField(text(), { description: 'Stands for the end user, to find abuse by.' })
  safety_identifier?: string;

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
