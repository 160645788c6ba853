import { ApiProperty } from '@nestjs/swagger';

/** One problem of a 422. */
export class ValidationError {
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    description: 'Where the problem is, from `body`, `query` or `path` inwards.',
    example: ['body', 'messages', 0, 'role'],
  })
  loc!: (string | number)[];

  @ApiProperty({ example: 'Field required' })
  msg!: string;

  @ApiProperty({ example: 'missing' })
  type!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    description: 'What the message is made from, such as a bound.',
  })
  ctx?: Record<string, unknown>;
}

/** The body of a 422: every problem at once. */
export class HTTPValidationError {
  @ApiProperty({ type: () => [ValidationError] })
  detail!: ValidationError[];
}
