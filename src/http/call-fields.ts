import { Field, JsonObject, OptionalField } from '../validation/field-decorators.js';
import {
  bool,
  dict,
  either,
  float,
  int,
  listOf,
  modelId,
  nested,
  text,
} from '../validation/value-rule.js';

/** `model` of a conversation in OpenAI’s format. */
export const ModelField = Field(modelId('accepted'), {
  description: 'The model as `provider/model`, or `@router`.',
  example: 'openai/gpt-4o-mini',
});

/** `stream` of a conversation. */
export const StreamField = OptionalField(bool(), {
  description: 'Answer with server-sent events.',
  default: false,
});

/** `temperature` of a conversation. */
export const TemperatureField = OptionalField(float({ ge: 0, le: 2 }), {
  description: 'How freely the model chooses its words; 0 is the most predictable.',
});

/** `top_p` of a conversation. */
export const TopPField = OptionalField(float({ ge: 0, le: 1 }), {
  description: 'Choose among the likeliest tokens whose probabilities reach this sum.',
});

/** `tools` of a conversation. */
export const ToolsField = OptionalField(listOf(dict()), {
  description: 'Tools the model may call.',
});

/** `tool_choice` of a conversation in OpenAI’s format. */
export const ToolChoiceField = OptionalField(either(text(), dict()), {
  description: 'Whether the model may, must or must not call a tool, and which one.',
  example: 'auto',
});

/** `fallbacks` of a conversation, at most three. */
export const FallbacksField = OptionalField(listOf(text(), { most: 3 }), {
  description: 'Models to try in this order when the one asked for fails.',
  example: ['openai/gpt-4o-mini'],
});

/** `router_candidates` of a conversation. */
export const RouterCandidatesField = OptionalField(listOf(text(), { most: 1_000 }), {
  description: 'What `@router` may choose from; without it, every available model.',
});

/** `hedge_after_ms` of a call's `routing`. */
const HedgeAfterField = OptionalField(int({ ge: 50, le: 60_000 }), {
  description:
    'Milliseconds after which a short call that is not streamed and not answered is made a second ' +
    'time; the first answer counts, and the other call costs what it was sent.',
  example: 800,
});

/** How `@router` is to choose, and when a call is hedged. */
@JsonObject({ unknownFields: 'refused' })
export class RoutingOptions {
  @OptionalField(float({ ge: 0, le: 10 }), {
    description: 'From 0, only quality counts, to 10, only the price counts.',
    default: 5,
  })
  quality_cost?: number;

  @OptionalField(bool(), {
    description:
      'Whether a conversation stays with the model that has begun it, where that can go on.',
    default: true,
  })
  sticky?: boolean;

  @HedgeAfterField
  hedge_after_ms?: number;
}

/** `routing` of a conversation. */
export const RoutingField = OptionalField(nested(RoutingOptions), {
  description:
    'How `@router` chooses, and when a call is hedged; without it, quality and price count alike.',
});

/** When a call that names its model is hedged. */
@JsonObject({ unknownFields: 'refused' })
export class HedgingOptions {
  @HedgeAfterField
  hedge_after_ms?: number;
}

/** `routing` of a call that is no conversation. */
export const HedgingField = OptionalField(nested(HedgingOptions), {
  description: 'When the call is hedged; without it, as the operator has set it for the model.',
});

/** `session_id` of a conversation. */
export const SessionIdField = OptionalField(text({ least: 1, most: 256 }), {
  description:
    'What `@router` knows a conversation by; without it the header `x-session-id`, the session ' +
    'headers of agents, a session in `metadata.user_id`, or how the conversation begins.',
  example: 'support-4711',
});

/** `user`, of the endpoints in OpenAI’s format. */
export const UserField = OptionalField(text(), {
  description: 'Who the request is for; kept in the request log.',
  example: 'user-42',
});

/** `metadata`, of the endpoints in OpenAI’s format. */
export const MetadataField = OptionalField(dict(), {
  description: 'Kept in the request log.',
  example: {},
});

/** `extra_headers` of any call to a model. */
export const ExtraHeadersField = OptionalField(dict(text()), {
  description: 'Headers for the model’s own provider.',
  example: {},
});
