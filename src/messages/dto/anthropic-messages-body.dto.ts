import { USUAL_MAX_TOKENS } from '../../contract/neutral.js';
import {
  ExtraHeadersField,
  FallbacksField,
  RouterCandidatesField,
  RoutingField,
  type RoutingOptions,
  SessionIdField,
  StreamField,
  TemperatureField,
  ToolsField,
  TopPField,
} from '../../http/call-fields.js';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import {
  alsoIn,
  anything,
  bool,
  dict,
  either,
  int,
  listOf,
  nested,
  oneOf,
  text,
} from '../../validation/value-rule.js';

type JsonMap = Record<string, unknown>;

/** `web_fetch_tool_result` and its like, but not a caller's own `tool_result`. */
const SERVER_TOOL_RESULT = /._tool_result$/;

/** A piece of a message. Only `type` is required; what a type needs is the provider's to judge. */
@JsonObject({ schemaName: 'ContentBlock' })
export class AnthropicContentBlock {
  @Field(text(), {
    description: 'The kind of block, such as `text`, `image`, `tool_use` or `tool_result`.',
    example: 'text',
  })
  type!: string;

  @OptionalField(text(), {
    description: 'The text of a `text` block.',
    example: 'What is the capital of France?',
  })
  text?: string;

  @OptionalField(text(), {
    description: 'The id of a `tool_use` block, by which its result names it.',
  })
  id?: string;

  @OptionalField(text(), { description: 'The tool that a `tool_use` block calls.' })
  name?: string;

  @OptionalField(dict(), {
    description: 'The arguments that a `tool_use` block calls its tool with.',
  })
  input?: JsonMap;

  @OptionalField(text(), { description: 'The id of the call that a `tool_result` block answers.' })
  tool_use_id?: string;

  // What Anthropic's server tools give back is an object; history must be able to return.
  @OptionalField(alsoIn(SERVER_TOOL_RESULT, dict(), either(text(), listOf(anything()))), {
    description:
      'What a `tool_result` or `search_result` holds: text or blocks; of the provider’s own tools, ' +
      'an object too.',
  })
  content?: string | unknown[] | JsonMap;

  @OptionalField(bool(), { description: 'Whether the tool of a `tool_result` block failed.' })
  is_error?: boolean;

  // Anthropic's search results name their source by a string.
  @OptionalField(alsoIn(/^search_result$/, text(), dict()), {
    description: 'Where an `image` or a `document` comes from; of a `search_result`, its address.',
  })
  source?: string | JsonMap;

  @OptionalField(text(), { description: 'The text of a `thinking` block.' })
  thinking?: string;

  @OptionalField(text(), {
    description: 'What proves a `thinking` block to be the model’s own; send it back as it came.',
  })
  signature?: string;

  [field: string]: unknown;
}

/** One turn of a conversation. */
@JsonObject({ schemaName: 'Message' })
export class AnthropicMessage {
  @Field(oneOf('user', 'assistant', 'system'), {
    description: 'Who speaks; `assistant` is the model.',
  })
  role!: 'user' | 'assistant' | 'system';

  @Field(either(text(), listOf(nested(AnthropicContentBlock))), {
    description: 'Text, or content blocks.',
    example: 'What is the capital of France?',
  })
  content!: string | AnthropicContentBlock[];

  [field: string]: unknown;
}

/** The body of `POST /v3/v1/messages`. Its problems are reported in the order of these fields. */
@JsonObject({ answersWith: 'http-validation' })
export class AnthropicMessagesBody {
  @FallbacksField
  fallbacks?: string[];

  @RouterCandidatesField
  router_candidates?: string[];

  @Field(text(), {
    description: 'The model as `provider/model`, or `@router`.',
    example: 'anthropic/claude-sonnet-4-5',
  })
  model!: string;

  @Field(listOf(nested(AnthropicMessage)), { description: 'The conversation so far.' })
  messages!: AnthropicMessage[];

  @OptionalField(int({ ge: 1 }), {
    description: 'The most tokens to generate.',
    whenAbsent: USUAL_MAX_TOKENS,
  })
  max_tokens?: number;

  @OptionalField(either(text(), listOf(dict())), {
    description: 'The system prompt: text, or text blocks.',
  })
  system?: string | JsonMap[];

  @TemperatureField
  temperature?: number;

  @TopPField
  top_p?: number;

  @OptionalField(int(), { description: 'Choose among this many of the likeliest tokens.' })
  top_k?: number;

  @StreamField
  stream?: boolean;

  @OptionalField(listOf(text()), {
    description: 'Texts that end the message where the model writes them.',
  })
  stop_sequences?: string[];

  @ToolsField
  tools?: JsonMap[];

  @OptionalField(dict(), {
    description: 'Whether the model may, must or must not call a tool, and which one.',
    example: { type: 'auto' },
  })
  tool_choice?: JsonMap;

  @OptionalField(dict(), {
    description: 'Kept in the request log; `user_id` says who the request is for.',
    example: { user_id: 'user-42' },
  })
  metadata?: JsonMap;

  @OptionalField(dict(), {
    description: 'Whether the model thinks before it answers, and for how many tokens at most.',
    example: { type: 'enabled', budget_tokens: 2048 },
  })
  thinking?: JsonMap;

  @ExtraHeadersField
  extra_headers?: Record<string, string>;

  @RoutingField
  routing?: RoutingOptions;

  @SessionIdField
  session_id?: string;

  [field: string]: unknown;
}
