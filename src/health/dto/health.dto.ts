import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'Liveness' })
export class LivenessDto {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`.' })
  status!: 'ok';
}

@ApiSchema({ name: 'ReadinessChecks' })
export class ReadinessChecksDto {
  @ApiProperty({ description: '`ok`, or what is wrong with the database.', example: 'ok' })
  database!: string;

  @ApiProperty({ description: '`ok`, or `shutting down`.', example: 'ok' })
  lifecycle!: string;
}

@ApiSchema({ name: 'Readiness' })
export class ReadinessDto {
  @ApiProperty({ enum: ['ok', 'unavailable'], description: 'Whether requests should come here.' })
  status!: 'ok' | 'unavailable';

  @ApiProperty({ type: () => ReadinessChecksDto, description: 'What each part says.' })
  checks!: ReadinessChecksDto;
}
