import { ApiProperty } from '@nestjs/swagger';

/** One problem of a 422. */
export class ValidationError {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    description: 'Where the problem is, from `body`, `query` or `path` inwards.',
    example: ['body', 'messages', 0, 'role'],
  })
  loc!: (string | number)[];

  @ApiProperty({ description: 'What is wrong, in words for a person.', example: 'Field required' })
  msg!: string;

  @ApiProperty({ description: 'The kind of problem, for programs.', example: 'missing' })
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
  @ApiProperty({
    type: () => [ValidationError],
    description: 'Every problem, in the order of the fields.',
  })
  detail!: ValidationError[];
}
