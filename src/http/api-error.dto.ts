import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ERROR_CODES } from '../contract/gateway-error.js';
import { CallMetadata, CallMetadataField } from './api-call-metadata.dto.js';

const ANY_JSON = [
  { type: 'object', additionalProperties: true },
  { type: 'array', items: {} },
  ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
];

/** What is wrong, as OpenAI's clients read it. */
export class OpenAIErrorDetail {
  @ApiProperty({ description: 'What is wrong, in words for a person.' })
  message!: string;

  @ApiProperty({
    enum: [
      'invalid_request_error',
      'authentication_error',
      'insufficient_quota',
      'permission_error',
      'rate_limit_error',
      'request_forbidden',
      'upstream_error',
      'upstream_timeout',
      'server_error',
    ],
    description: 'The kind of error.',
  })
  type!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The field that is at fault, such as `images[0].image_url`.',
  })
  param!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    // No enum: a client made from it would refuse what providers call their own reasons.
    description: `The reason, for programs: the provider’s own where it gave one, else one of \`${ERROR_CODES.join('`, `')}\`.`,
  })
  code!: string | null;
}

/** The error body of the OpenAI family of endpoints. */
export class OpenAIError {
  @ApiProperty({ type: () => OpenAIErrorDetail, description: 'What is wrong.' })
  error!: OpenAIErrorDetail;

  @CallMetadataField
  causeway_metadata?: CallMetadata;
}

/** What is wrong, as Anthropic's clients read it. */
export class AnthropicErrorDetail {
  @ApiProperty({
    enum: [
      'invalid_request_error',
      'authentication_error',
      'billing_error',
      'permission_error',
      'not_found_error',
      'request_too_large',
      'rate_limit_error',
      'timeout_error',
      'api_error',
      'overloaded_error',
    ],
    description: 'The kind of error.',
  })
  type!: string;

  @ApiProperty({ description: 'What is wrong, in words for a person.' })
  message!: string;

  @ApiPropertyOptional({ anyOf: ANY_JSON, description: 'What else the provider said.' })
  details?: unknown;
}

/** The error body of the Messages API. */
export class AnthropicError {
  @ApiProperty({ enum: ['error'], description: 'Always `error`.' })
  type!: 'error';

  @ApiProperty({ type: () => AnthropicErrorDetail, description: 'What is wrong.' })
  error!: AnthropicErrorDetail;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id of the request, as in the `request-id` header.',
  })
  request_id!: string | null;

  @CallMetadataField
  causeway_metadata?: CallMetadata;
}

/** The error body of the upload endpoints, where it is not a 422. */
export class DetailError {
  @ApiProperty({ description: 'What is wrong, in words for a person.' })
  detail!: string;
}
