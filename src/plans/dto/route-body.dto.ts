import { ROUTER } from '../../contract/router.js';
import {
  ExtraHeadersField,
  FallbacksField,
  RouterCandidatesField,
  SessionIdField,
} from '../../http/call-fields.js';
import { JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { dict, either, listOf, modelId, text } from '../../validation/value-rule.js';

type JsonMap = Record<string, unknown>;

/**
 * The body of `POST /v3/route`: that of a messages, chat or responses request. Here are the fields that
 * all of them judge alike; the others are judged by the one that it is.
 */
@JsonObject({ answersWith: 'openai', exactlyOneOf: ['messages', 'input'] })
export class RouteBody {
  @OptionalField(modelId('accepted'), {
    description: 'The model as `provider/model`, or `@router`.',
    whenAbsent: ROUTER,
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

  @ExtraHeadersField
  extra_headers?: Record<string, string>;

  @FallbacksField
  fallbacks?: string[];

  @RouterCandidatesField
  router_candidates?: string[];

  @OptionalField(dict(), {
    description:
      'How `@router` chooses, and when a call is hedged: `quality_cost`, `sticky` and ' +
      '`hedge_after_ms`, as in the request itself.',
    example: { quality_cost: 3, sticky: true },
  })
  routing?: JsonMap;

  @SessionIdField
  session_id?: string;

  [field: string]: unknown;
}
