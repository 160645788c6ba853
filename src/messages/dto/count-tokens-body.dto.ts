import { PickType } from '@nestjs/swagger';
import { JsonObject } from '../../validation/field-decorators.js';
import { AnthropicMessagesBody } from './anthropic-messages-body.dto.js';

/** The body of `POST /v3/v1/messages/count_tokens`. */
@JsonObject({ answersWith: 'http-validation' })
export class CountTokensBody extends PickType(AnthropicMessagesBody, [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'extra_headers',
  'fallbacks',
  'router_candidates',
  'routing',
  'session_id',
] as const) {
  [field: string]: unknown;
}
