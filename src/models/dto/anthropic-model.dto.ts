import { ApiProperty } from '@nestjs/swagger';

/** A model as Anthropic's clients read it. https://platform.claude.com/docs/en/api/models-list */
export class AnthropicModel {
  @ApiProperty({ enum: ['model'], description: 'Always `model`.' })
  type!: 'model';

  @ApiProperty({
    description: 'The model as `provider/model`.',
    example: 'anthropic/claude-sonnet-4-5',
  })
  id!: string;

  @ApiProperty({ description: 'The model, for a person.', example: 'Claude Sonnet 4.5' })
  display_name!: string;

  @ApiProperty({
    description: 'When it was released, by RFC 3339.',
    example: '2025-09-29T00:00:00Z',
  })
  created_at!: string;
}

/** A page of models. */
export class AnthropicModelList {
  @ApiProperty({ type: [AnthropicModel], description: 'The models, newest first.' })
  data!: readonly AnthropicModel[];

  @ApiProperty({ description: 'Whether there is more in the direction of the page.' })
  has_more!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first model, for `before_id`; null on an empty page.',
  })
  first_id!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The last model, for `after_id`; null on an empty page.',
  })
  last_id!: string | null;
}
