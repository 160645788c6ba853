import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  CallMetadata,
  CallMetadataField,
  ServedByField,
  ServedModelField,
} from '../../http/api-call-metadata.dto.js';
import { JsonObject } from '../../validation/field-decorators.js';

/** How much of the input came from a cache. */
@JsonObject()
export class ResponseInputTokens {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tokens read from a prompt cache.' })
  cached_tokens!: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Tokens written to a prompt cache.',
  })
  cache_write_tokens?: number;
}

/** How much of the output was reasoning. */
@JsonObject()
export class ResponseOutputTokens {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Tokens of reasoning; 0 also where the provider does not tell.',
  })
  reasoning_tokens!: number;
}

/** What a response consumed. */
@JsonObject()
export class ResponseUsage {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Input tokens, with cached ones.' })
  input_tokens!: number;

  @ApiProperty({ type: () => ResponseInputTokens, description: 'The input tokens in detail.' })
  input_tokens_details!: ResponseInputTokens;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Output tokens, with reasoning.' })
  output_tokens!: number;

  @ApiProperty({ type: () => ResponseOutputTokens, description: 'The output tokens in detail.' })
  output_tokens_details!: ResponseOutputTokens;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'All tokens.' })
  total_tokens!: number;
}

/** The answer of `POST /v3/responses`; most fields of the request come back in it. */
@JsonObject({ schemaName: 'Response' })
export class ResponseObject {
  @ApiProperty({ description: 'The id of the response.', example: 'resp_9f3a' })
  id!: string;

  @ApiProperty({ enum: ['response'], description: 'Always `response`.' })
  object!: 'response';

  @ApiProperty({ type: 'integer', description: 'Unix seconds.', example: 1795203857 })
  created_at!: number;

  @ApiProperty({
    enum: ['completed', 'incomplete', 'in_progress', 'failed'],
    description: 'How it ended; the events of a stream show it in progress, or failed.',
  })
  status!: string;

  @ServedModelField
  model!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Messages, reasoning and calls of tools, in their order.',
    example: [
      {
        id: 'msg_9f3a_0',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Paris.', annotations: [], logprobs: [] }],
      },
    ],
  })
  output!: Record<string, unknown>[];

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Why it is incomplete: `max_output_tokens` or `content_filter`.',
    example: { reason: 'max_output_tokens' },
  })
  incomplete_details!: Record<string, unknown> | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Why it failed; in the events of a stream only.',
    example: null,
  })
  error!: Record<string, unknown> | null;

  @ApiProperty({ enum: [false], description: 'Always false: nothing is stored.' })
  store!: false;

  @ApiPropertyOptional({ type: () => ResponseUsage, description: 'What it consumed.' })
  usage?: ResponseUsage;

  @ApiProperty({ minimum: 0, description: 'What it cost, in USD.', example: 0.00001 })
  cost!: number;

  @ServedByField
  provider!: string;

  @CallMetadataField
  causeway_metadata?: CallMetadata;
}
