import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Whether the process runs. */
export class Liveness {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`.' })
  status!: 'ok';
}

/** What each part of the gateway says of itself. */
export class ReadinessChecks {
  @ApiProperty({ description: '`ok`, or what is wrong with the database.', example: 'ok' })
  database!: string;

  @ApiProperty({ description: '`ok`, or `shutting down`.', example: 'ok' })
  lifecycle!: string;

  @ApiPropertyOptional({
    description: '`ok`, or what is wrong with Redis; only where the gateway uses one.',
    example: 'ok',
  })
  redis?: string;
}

/** Whether requests should be sent here. */
export class Readiness {
  @ApiProperty({ enum: ['ok', 'unavailable'], description: 'Whether requests should come here.' })
  status!: 'ok' | 'unavailable';

  @ApiProperty({ type: () => ReadinessChecks, description: 'What each part says.' })
  checks!: ReadinessChecks;
}
