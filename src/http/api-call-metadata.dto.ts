import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One try of a request. */
export class CallAttempt {
  @ApiProperty({ description: 'The model that was tried.', example: 'sandbox/echo' })
  model!: string;

  @ApiProperty({ description: 'Its provider.', example: 'sandbox' })
  provider!: string;

  @ApiProperty({
    type: 'integer',
    description: 'The status of the provider’s answer; 0 when there was none, or it was cut.',
  })
  status!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How long it took, in milliseconds.' })
  ms!: number;

  @ApiPropertyOptional({ type: 'boolean', description: 'It was cut: another try had answered.' })
  cancelled?: true;

  @ApiPropertyOptional({
    enum: ['open'],
    description: 'It was not made, and has status 503: too many calls of the model had failed.',
  })
  circuit?: 'open';
}

/** What `@router` made of a model. */
export class CallCandidate {
  @ApiProperty({ description: 'The model.', example: 'sandbox/echo' })
  model!: string;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'The higher the better; null for a model that is left out.',
  })
  score!: number | null;

  @ApiPropertyOptional({
    type: 'boolean',
    description: 'It has not answered lately, and stands behind the others.',
  })
  failing?: true;

  @ApiPropertyOptional({ description: 'Why it is left out.', example: 'context_length' })
  dropped?: string;
}

/** How a request was served, for callers who ask. */
export class CallMetadata {
  @ApiProperty({ description: 'The model that was asked for.', example: 'sandbox/echo' })
  requested!: string;

  @ApiProperty({
    enum: ['direct', 'fallback', 'router'],
    description:
      'Who chose the model that served, or was tried last: the request, its `fallbacks`, or `@router`.',
  })
  strategy!: 'direct' | 'fallback' | 'router';

  @ApiProperty({ type: () => [CallAttempt], description: 'Every try, in their order.' })
  attempts!: CallAttempt[];

  @ApiPropertyOptional({
    type: () => [CallCandidate],
    description: 'What `@router` made of each model, the best first; at most 100.',
  })
  candidates?: CallCandidate[];
}

/** `model` of a conversation's answer. */
export const ServedModelField = ApiProperty({
  description: 'The model that served the request, as `provider/model`; a fallback shows here.',
  example: 'sandbox/echo',
});

/** `provider` of an answer. */
export const ServedByField = ApiProperty({
  description: 'The provider that served it.',
  example: 'sandbox',
});

/** `causeway_metadata` of an answer, or of the error behind the last try. */
export const CallMetadataField = ApiPropertyOptional({
  type: () => CallMetadata,
  description: 'How it was served, where `x-causeway-metadata: enabled` asks for it.',
});
