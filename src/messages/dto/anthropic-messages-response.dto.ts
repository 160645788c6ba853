import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  CallMetadata,
  CallMetadataField,
  ServedModelField,
} from '../../http/api-call-metadata.dto.js';
import { JsonObject } from '../../validation/field-decorators.js';
import { AnthropicContentBlock } from './anthropic-messages-body.dto.js';

/** What a message consumed; further counts of the provider are passed on. */
@JsonObject()
export class Usage {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Input tokens, without cached ones.' })
  input_tokens!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Output tokens.' })
  output_tokens!: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'Input tokens that were written to the prompt cache.',
  })
  cache_creation_input_tokens?: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'Input tokens that were read from the prompt cache.',
  })
  cache_read_input_tokens?: number | null;
}

/** The answer of `POST /v3/v1/messages`; further fields of the provider are passed on. */
@JsonObject()
export class AnthropicMessagesResponse {
  @ApiProperty({ description: 'The id of the message.', example: 'msg_01XFDUDYJgAACzvnptvVoYEL' })
  id!: string;

  @ApiPropertyOptional({ enum: ['message'], description: 'Always `message`.' })
  type?: 'message';

  @ApiPropertyOptional({ enum: ['assistant'], description: 'Always `assistant`.' })
  role?: 'assistant';

  @ServedModelField
  model!: string;

  @ApiProperty({
    type: () => [AnthropicContentBlock],
    description: 'What the model produced, in its order.',
  })
  content!: AnthropicContentBlock[];

  @ApiPropertyOptional({
    anyOf: [
      { type: 'string', enum: ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use'] },
      { type: 'string', description: 'A reason of the provider’s own, such as `pause_turn`.' },
      { type: 'null' },
    ],
    description: 'Why the model stopped; null when that is not known.',
    example: 'end_turn',
  })
  stop_reason?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'The stop sequence that ended the message, if one did.',
  })
  stop_sequence?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description:
      'Of type `refusal` where the model declined or the provider’s filter cut the message.',
    example: null,
  })
  stop_details?: object | null;

  @ApiProperty({ type: () => Usage, description: 'What the message consumed.' })
  usage!: Usage;

  @ApiPropertyOptional({ minimum: 0, description: 'What it cost, in USD.', example: 0.00001 })
  cost?: number;

  @ApiPropertyOptional({ description: 'The provider that served it.', example: 'sandbox' })
  provider?: string;

  @CallMetadataField
  causeway_metadata?: CallMetadata;
}
