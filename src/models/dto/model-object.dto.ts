import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { type Capabilities, type Region } from '../../contract/model.js';

const PRICES = { type: 'object', additionalProperties: { type: 'number' } } as const;

@ApiSchema({ name: 'ModelRegion' })
export class ModelRegionDto {
  @ApiProperty({ example: 'eu' })
  code!: string;

  @ApiProperty({ example: 'Europe' })
  name!: string;
}

@ApiSchema({ name: 'ModelObject' })
export class ModelObjectDto {
  @ApiProperty({ description: '`provider/model`', example: 'openai/gpt-4o' })
  id!: string;

  @ApiProperty({ enum: ['model'] })
  object!: 'model';

  @ApiProperty({
    type: 'integer',
    description: 'Unix seconds of the release; 0 when unknown',
    example: 1715367049,
  })
  created!: number;

  @ApiProperty({ description: 'The provider', example: 'openai' })
  owned_by!: string;

  @ApiProperty({ description: 'What the provider calls it', example: 'gpt-4o' })
  model_name!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Tokens', example: 128000 })
  context_length!: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'GPT-4o' })
  description!: string | null;

  @ApiProperty({ type: String, nullable: true })
  source!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What the model can do; a missing key means that it cannot',
    example: {
      input_modalities: ['text', 'image'],
      output_modalities: ['text'],
      supports_function_calling: true,
    },
  })
  capabilities!: Capabilities;

  @ApiProperty({
    ...PRICES,
    description:
      'USD. `output_cost_per_image` is that of the default size and quality, or about that of a ' +
      '1024x1024 image of medium quality where images are billed by the token.',
    example: { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 },
  })
  pricing!: Readonly<Record<string, number>>;

  @ApiProperty({
    ...PRICES,
    description: 'USD, before any discount',
    example: { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 },
  })
  list_pricing!: Readonly<Record<string, number>>;

  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  discount!: number | null;

  @ApiProperty({
    type: [ModelRegionDto],
    description: 'Where it is served; empty means everywhere',
  })
  regions!: readonly Region[];

  @ApiPropertyOptional({
    description: 'The model that this name points to',
    example: 'openai/gpt-4o-2024-08-06',
  })
  alias_of?: string;
}

@ApiSchema({ name: 'ModelList' })
export class ModelListDto {
  @ApiProperty({ enum: ['list'] })
  object!: 'list';

  @ApiProperty({ type: [ModelObjectDto] })
  data!: readonly ModelObject[];
}

@ApiSchema({ name: 'ModelGroup' })
export class ModelGroupDto {
  @ApiProperty({ description: 'The bare name', example: 'gpt-4o' })
  id!: string;

  @ApiProperty({ enum: ['model'] })
  object!: 'model';

  @ApiProperty({ type: 'integer', description: 'Unix seconds of the first release' })
  created!: number;

  @ApiProperty({ description: 'The first provider', example: 'openai' })
  owned_by!: string;

  @ApiProperty({ enum: ['chat', 'image_generation'] })
  mode!: 'chat' | 'image_generation';

  @ApiProperty({ type: 'integer', example: 1 })
  endpoint_count!: number;

  @ApiProperty({ type: [ModelObjectDto] })
  endpoints!: readonly ModelObject[];
}

@ApiSchema({ name: 'ModelGroupList' })
export class ModelGroupListDto {
  @ApiProperty({ enum: ['list'] })
  object!: 'list';

  @ApiProperty({ type: [ModelGroupDto] })
  data!: readonly ModelGroup[];
}

/** A model as the lists show it. */
export type ModelObject = Pick<ModelObjectDto, keyof ModelObjectDto>;

/** The providers' offers of one model (`?view=models`). */
export type ModelGroup = Pick<ModelGroupDto, keyof ModelGroupDto>;
