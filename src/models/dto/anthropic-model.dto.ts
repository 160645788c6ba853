import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'AnthropicModel' })
export class AnthropicModelDto {
  @ApiProperty({ enum: ['model'] })
  type!: 'model';

  @ApiProperty({ example: 'anthropic/claude-sonnet-4-5' })
  id!: string;

  @ApiProperty({ example: 'Claude Sonnet 4.5' })
  display_name!: string;

  @ApiProperty({ description: 'RFC 3339', example: '2025-09-29T00:00:00Z' })
  created_at!: string;
}

@ApiSchema({ name: 'AnthropicModelList' })
export class AnthropicModelListDto {
  @ApiProperty({ type: [AnthropicModelDto], description: 'Newest first' })
  data!: readonly AnthropicModel[];

  @ApiProperty({ description: 'There is more in the direction of the page' })
  has_more!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'For `before_id`' })
  first_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'For `after_id`' })
  last_id!: string | null;
}

/** A model as Anthropic's clients read it. https://platform.claude.com/docs/en/api/models-list */
export type AnthropicModel = Pick<AnthropicModelDto, keyof AnthropicModelDto>;
export type AnthropicModelList = Pick<AnthropicModelListDto, keyof AnthropicModelListDto>;
