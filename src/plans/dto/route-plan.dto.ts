import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DROP_REASONS, type DropReason } from '../../routing/hard-filters.js';
import { TASK_CLASSES, type TaskClass } from '../../routing/task-class.js';

/** What the router makes of one model. */
export class RouteCandidate {
  @ApiProperty({ description: 'The model.', example: 'sandbox/echo' })
  model!: string;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'The higher the better, within this request only; null for one that is left out.',
  })
  score!: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'The share of such requests that it is expected to do well, 0 to 1.',
  })
  quality!: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'What it would likely cost, in USD.',
  })
  price!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How long it has taken lately, in milliseconds; null where that is not known.',
  })
  latency_ms!: number | null;

  @ApiPropertyOptional({
    type: 'boolean',
    description: 'It has not answered lately, and stands behind the others.',
  })
  failing?: true;

  @ApiPropertyOptional({
    enum: DROP_REASONS,
    description: 'Why it is left out.',
    example: 'context_length',
  })
  dropped?: DropReason;
}

/** What would become of a request. */
export class RoutePlan {
  @ApiProperty({ description: 'The model that would be asked first.', example: 'sandbox/echo' })
  model!: string;

  @ApiProperty({ type: [String], description: 'The models that would be tried, in their order.' })
  plan!: string[];

  @ApiPropertyOptional({ enum: TASK_CLASSES, description: 'The kind of task, of `@router` only.' })
  task?: TaskClass;

  @ApiPropertyOptional({
    description: 'Whether the conversation would go on with the model that has begun it.',
  })
  kept?: boolean;

  @ApiProperty({
    type: () => [RouteCandidate],
    description: 'What `@router` makes of each model; empty for a request that names its model.',
  })
  candidates!: RouteCandidate[];
}
