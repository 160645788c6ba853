import {
  ExtraHeadersField,
  FallbacksField,
  MetadataField,
  RouterCandidatesField,
  RoutingField,
  type RoutingOptions,
  SessionIdField,
  StreamField,
  TemperatureField,
  ToolChoiceField,
  ToolsField,
  TopPField,
} from '../../http/call-fields.js';
import { JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { dict, either, int, listOf, modelId, text } from '../../validation/value-rule.js';

type JsonMap = Record<string, unknown>;

/**
 * The body of `POST /v3/route`: that of a messages, chat or responses request. Messages take numbers
 * and flags as texts too.
 */
@JsonObject({ answersWith: 'openai', laxWith: 'messages', exactlyOneOf: ['messages', 'input'] })
export class RouteBody {
  @OptionalField(modelId('accepted'), {
    description: 'The model as `provider/model`, or `@router`.',
    whenAbsent: '@router',
  })
  model!: string;

  @OptionalField(listOf(dict()), {
    description: 'The conversation so far, of a messages or chat request.',
    example: [{ role: 'user', content: 'What is the capital of France?' }],
  })
  messages?: JsonMap[];

  @OptionalField(either(text(), listOf(dict())), {
    description: 'The conversation so far, of a responses request.',
  })
  input?: string | JsonMap[];

  @StreamField
  stream?: boolean;

  @OptionalField(int({ ge: 1 }), { description: 'The most tokens to generate.' })
  max_tokens?: number;

  @OptionalField(int({ ge: 1 }), { description: 'Its name in a chat request.' })
  max_completion_tokens?: number;

  @OptionalField(int({ ge: 1 }), { description: 'Its name in a responses request.' })
  max_output_tokens?: number;

  @TemperatureField
  temperature?: number;

  @TopPField
  top_p?: number;

  @ToolsField
  tools?: JsonMap[];

  @ToolChoiceField
  tool_choice?: string | JsonMap;

  @MetadataField
  metadata?: JsonMap;

  @ExtraHeadersField
  extra_headers?: Record<string, string>;

  @FallbacksField
  fallbacks?: string[];

  @RouterCandidatesField
  router_candidates?: string[];

  @RoutingField
  routing?: RoutingOptions;

  @SessionIdField
  session_id?: string;

  [field: string]: unknown;
}
