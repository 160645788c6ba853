import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const count = { type: 'integer', minimum: 0 } as const;

/** What was used, of everything or of one group. */
export class UsageRow {
  @ApiPropertyOptional({ format: 'date', description: 'The day in UTC.', example: '2026-11-20' })
  day?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'The beginning of the hour, in UTC.' })
  hour?: string;

  @ApiPropertyOptional({ description: 'The id of the account.', example: 'acc_default' })
  account?: string;

  @ApiPropertyOptional({ description: 'The id of the key.' })
  key?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'The model that served or was tried last; null where none was.',
    example: 'sandbox/echo',
  })
  model?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Its provider.',
    example: 'sandbox',
  })
  provider?: string | null;

  @ApiPropertyOptional({ description: 'The route below `/v3`.', example: '/v1/messages' })
  endpoint?: string;

  @ApiProperty({ ...count, description: 'How many requests there were.' })
  requests!: number;

  @ApiProperty({ ...count, description: 'How many of them failed or were refused.' })
  errors!: number;

  @ApiProperty({
    ...count,
    description: 'Input tokens, of text and images, without what came from or went to a cache.',
  })
  input_tokens!: number;

  @ApiProperty({ ...count, description: 'Output tokens, of text and images.' })
  output_tokens!: number;

  @ApiProperty({ minimum: 0, description: 'What it cost, in USD.', example: 0.000042 })
  cost!: number;

  @ApiProperty({ ...count, description: 'Half of the requests took at most so long, in ms.' })
  p50_ms!: number;

  @ApiProperty({ ...count, description: '95 % of the requests took at most so long, in ms.' })
  p95_ms!: number;
}

/** What was used, group by group. */
export class UsageReport {
  @ApiProperty({
    type: () => [UsageRow],
    description: 'One row a group, in the order of the groups; without `group_by` one at most.',
  })
  data!: readonly UsageRow[];
}
