import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One try of a request. */
export class CallAttempt {
  @ApiProperty({ description: 'The model that was tried.', example: 'sandbox/echo' })
  model!: string;

  @ApiProperty({ description: 'Its provider.', example: 'sandbox' })
  provider!: string;

  @ApiProperty({ type: 'integer', description: 'What the provider answered; 0 when it did not.' })
  status!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How long it took, in milliseconds.' })
  ms!: number;
}

/** How a request was served, for callers who ask. */
export class CallMetadata {
  @ApiProperty({ description: 'The model that was asked for.', example: 'sandbox/echo' })
  requested!: string;

  @ApiProperty({
    enum: ['direct', 'fallback', 'router'],
    description: 'How the model that served was come by.',
  })
  strategy!: 'direct' | 'fallback' | 'router';

  @ApiProperty({ type: () => [CallAttempt], description: 'Every try, in their order.' })
  attempts!: CallAttempt[];
}

/** `causeway_metadata` of an answer. */
export const CallMetadataField = ApiPropertyOptional({
  type: () => CallMetadata,
  description: 'How it was served, where `x-causeway-metadata: enabled` asks for it.',
});
