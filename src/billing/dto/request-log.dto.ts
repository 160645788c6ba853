import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const count = { type: 'integer', minimum: 0 } as const;

/** One try at one model. */
export class LoggedAttempt {
  @ApiProperty({ description: 'The model that was tried.', example: 'sandbox/echo' })
  model!: string;

  @ApiProperty({ ...count, description: 'What its provider answered; 0 when it did not.' })
  status!: number;

  @ApiProperty({ ...count, description: 'How long it took, in milliseconds.' })
  ms!: number;

  @ApiPropertyOptional({
    type: 'boolean',
    description: 'It was cut: another try had answered, or the gateway was stopped.',
  })
  cancelled?: true;
}

/** What is kept of a request; nothing of what was said. */
export class RequestLogRow {
  @ApiProperty({ description: 'The `x-request-id` of its answer.' })
  request_id!: string;

  @ApiProperty({ description: 'Whose it was.', example: 'acc_default' })
  account_id!: string;

  @ApiProperty({ description: 'The key that it was sent with.' })
  key_id!: string;

  @ApiProperty({ description: 'The route below `/v3`.', example: '/v1/messages' })
  endpoint!: string;

  @ApiProperty({ description: 'The model that was asked for.', example: 'sandbox/echo' })
  requested_model!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The model that served or was tried last; null where none was.',
    example: 'sandbox/echo',
  })
  model!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Its provider.', example: 'sandbox' })
  provider!: string | null;

  @ApiProperty({ ...count, description: 'The status of its answer.' })
  status!: number;

  @ApiProperty({
    enum: ['ok', 'error', 'client_closed', 'rejected'],
    description: 'How it ended; `rejected` before any provider was called.',
  })
  outcome!: string;

  @ApiProperty({ ...count, description: 'Input tokens, of text and images, apart from a cache.' })
  input_tokens!: number;

  @ApiProperty({ ...count, description: 'Output tokens, of text and images.' })
  output_tokens!: number;

  @ApiProperty({ ...count, description: 'Input tokens that came from the prompt cache.' })
  cache_read_tokens!: number;

  @ApiProperty({ ...count, description: 'Input tokens that went to the prompt cache.' })
  cache_write_tokens!: number;

  @ApiProperty({ ...count, description: 'Images that were made.' })
  images!: number;

  @ApiProperty({ minimum: 0, description: 'What it cost, in USD.', example: 0.000003 })
  cost!: number;

  @ApiPropertyOptional({
    minimum: 0,
    description: 'What of the cost the account could not pay, in USD; absent where it paid all.',
  })
  uncollected?: number;

  @ApiProperty({ description: 'Whether the tokens are the gateway’s own count.' })
  estimated!: boolean;

  @ApiProperty({ type: () => [LoggedAttempt], description: 'Every try, in their order.' })
  attempts!: readonly LoggedAttempt[];

  @ApiProperty({ ...count, description: 'How long it took, in milliseconds.' })
  duration_ms!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How long it took to the first byte of the answer, in milliseconds.',
  })
  first_byte_ms!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Who it was for, by the caller.' })
  user!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'What the caller noted on it.',
  })
  metadata!: Readonly<Record<string, unknown>> | null;

  @ApiProperty({ format: 'date-time', description: 'When it came.' })
  created_at!: string;
}

/** A page of the request log. */
export class RequestLog {
  @ApiProperty({ type: () => [RequestLogRow], description: 'The requests, newest first.' })
  data!: readonly RequestLogRow[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page.' })
  next_cursor!: string | null;
}
