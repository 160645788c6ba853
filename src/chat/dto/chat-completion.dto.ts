import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  CallMetadata,
  CallMetadataField,
  ServedByField,
  ServedModelField,
} from '../../http/api-call-metadata.dto.js';
import { JsonObject } from '../../validation/field-decorators.js';

/** What a completion consumed; further counts of the provider are passed on. */
@JsonObject()
export class CompletionUsage {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Input tokens, with cached ones.' })
  prompt_tokens!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Output tokens.' })
  completion_tokens!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'All tokens.' })
  total_tokens!: number;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Of the input: `cached_tokens` read from a cache, `cache_write_tokens` put there.',
    example: { cached_tokens: 0, cache_write_tokens: 0 },
  })
  prompt_tokens_details?: Record<string, unknown> | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Of the output: `reasoning_tokens`, where the provider tells them.',
    example: { reasoning_tokens: 0 },
  })
  completion_tokens_details?: Record<string, unknown> | null;
}

/** What the model said in one choice. */
@JsonObject()
export class ChatCompletionMessage {
  @ApiProperty({ enum: ['assistant'], description: 'Always `assistant`.' })
  role!: 'assistant';

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The text; null when there are only tool calls.',
  })
  content!: string | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The tools that the model wants to be called.',
    example: [
      { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
    ],
  })
  tool_calls?: Record<string, unknown>[];

  @ApiPropertyOptional({ type: String, description: 'What the model thought, as text.' })
  reasoning_content?: string | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'The same in blocks with their proofs. Sent back with the message, they let the model go on ' +
      'from its own thinking.',
    example: [{ type: 'reasoning.text', text: 'Rome, then.', signature: 'EqQB', index: 0 }],
  })
  reasoning_details?: Record<string, unknown>[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Pictures that the model drew.',
    example: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
  })
  images?: Record<string, unknown>[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The pages that the text rests on.',
    example: [
      {
        type: 'url_citation',
        url_citation: { url: 'https://example.com', title: 'A', start_index: 0, end_index: 9 },
      },
    ],
  })
  annotations?: Record<string, unknown>[];
}

/** One of the answers that were asked for by `n`. */
@JsonObject()
export class ChatCompletionChoice {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Which choice it is.' })
  index!: number;

  @ApiProperty({ type: () => ChatCompletionMessage, description: 'What the model said.' })
  message!: ChatCompletionMessage;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it ended: `stop`, `length`, `tool_calls` or `content_filter`.',
    example: 'stop',
  })
  finish_reason!: string | null;
}

/** The answer of `POST /v3/chat/completions`; further fields of the provider are passed on. */
@JsonObject()
export class ChatCompletion {
  @ApiProperty({ description: 'The id of the completion.', example: 'chatcmpl-9f3a' })
  id!: string;

  @ApiProperty({ enum: ['chat.completion'], description: 'Always `chat.completion`.' })
  object!: 'chat.completion';

  @ApiProperty({ type: 'integer', description: 'Unix seconds.', example: 1795203857 })
  created!: number;

  @ServedModelField
  model!: string;

  @ApiProperty({
    type: () => [ChatCompletionChoice],
    description: 'The answers, one for each `n`.',
  })
  choices!: ChatCompletionChoice[];

  @ApiPropertyOptional({ type: () => CompletionUsage, description: 'What it consumed.' })
  usage?: CompletionUsage;

  @ApiProperty({ minimum: 0, description: 'What it cost, in USD.', example: 0.00001 })
  cost!: number;

  @ServedByField
  provider!: string;

  @CallMetadataField
  causeway_metadata?: CallMetadata;
}
