import { Field, JsonObject, OptionalField } from '../../http/field.js';
import {
  alsoIn,
  anything,
  bool,
  dict,
  either,
  float,
  int,
  listOf,
  nested,
  oneOf,
  text,
} from '../../http/rule.js';

type JsonMap = Record<string, unknown>;

/** `web_fetch_tool_result` and its like, but not a caller's own `tool_result`. */
const SERVER_TOOL_RESULT = /._tool_result$/;

/** A piece of a message. Only `type` is required; what a type needs is the provider's to judge. */
@JsonObject()
export class AnthropicContentBlock {
  @Field(text(), { example: 'text' })
  type!: string;

  @OptionalField(text(), { example: 'What is the capital of France?' })
  text?: string;

  @OptionalField(text())
  id?: string;

  @OptionalField(text())
  name?: string;

  @OptionalField(dict())
  input?: JsonMap;

  @OptionalField(text())
  tool_use_id?: string;

  // What Anthropic's server tools give back is an object; history must be able to return.
  @OptionalField(alsoIn(SERVER_TOOL_RESULT, dict(), either(text(), listOf(anything()))))
  content?: string | unknown[] | JsonMap;

  @OptionalField(bool())
  is_error?: boolean;

  // Anthropic's search results name their source by a string.
  @OptionalField(alsoIn(/^search_result$/, text(), dict()))
  source?: string | JsonMap;

  @OptionalField(text())
  thinking?: string;

  @OptionalField(text())
  signature?: string;

  [field: string]: unknown;
}

/** One turn of a conversation. */
@JsonObject()
export class AnthropicMessage {
  @Field(oneOf('user', 'assistant', 'system'))
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
  @OptionalField(listOf(text(), { most: 3 }), {
    description: 'Models to try in this order when the one asked for fails.',
    example: ['openai/gpt-4o-mini'],
  })
  fallbacks?: string[];

  @OptionalField(listOf(text()), {
    description: 'What `@router` may choose from; without it, every available model.',
  })
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
    whenAbsent: 1024,
  })
  max_tokens?: number;

  @OptionalField(either(text(), listOf(dict())), {
    description: 'The system prompt: text, or text blocks.',
  })
  system?: string | JsonMap[];

  @OptionalField(float({ ge: 0, le: 2 }))
  temperature?: number;

  @OptionalField(float({ ge: 0, le: 1 }))
  top_p?: number;

  @OptionalField(int())
  top_k?: number;

  @OptionalField(bool(), {
    description: 'Answer with server-sent events.',
    default: false,
  })
  stream?: boolean;

  @OptionalField(listOf(text()))
  stop_sequences?: string[];

  @OptionalField(listOf(dict()), { description: 'Tools the model may call.' })
  tools?: JsonMap[];

  @OptionalField(dict(), { example: { type: 'auto' } })
  tool_choice?: JsonMap;

  @OptionalField(dict(), { example: { user_id: 'user-42' } })
  metadata?: JsonMap;

  @OptionalField(dict(), { example: { type: 'enabled', budget_tokens: 2048 } })
  thinking?: JsonMap;

  @OptionalField(dict(text()), {
    description: "Headers for the model's own provider.",
  })
  extra_headers?: Record<string, string>;

  [field: string]: unknown;
}
