import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Capabilities, type Region } from '../../contract/model.js';

const PRICES = {
  type: 'object',
  additionalProperties: { type: 'number' },
  example: { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 },
} as const;

/** A region in which a model is served. */
export class ModelRegion {
  @ApiProperty({ description: 'The region, for programs.', example: 'eu' })
  code!: string;

  @ApiProperty({ description: 'The region, for a person.', example: 'Europe' })
  name!: string;
}

/** A model as the lists show it. */
export class ModelObject {
  @ApiProperty({ description: 'The model as `provider/model`.', example: 'openai/gpt-4o' })
  id!: string;

  @ApiProperty({ enum: ['model'], description: 'Always `model`.' })
  object!: 'model';

  @ApiProperty({
    type: 'integer',
    description: 'Unix seconds of the release; 0 when unknown.',
    example: 1715367049,
  })
  created!: number;

  @ApiProperty({ description: 'The provider.', example: 'openai' })
  owned_by!: string;

  @ApiProperty({ description: 'What the provider calls it.', example: 'gpt-4o' })
  model_name!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many tokens its context holds, where that is known.',
    example: 128000,
  })
  context_length!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the model is, in words for a person.',
    example: 'GPT-4o',
  })
  description!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the model comes from, when that is known.',
  })
  source!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What the model can do; a missing key means that it cannot.',
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
  })
  pricing!: Readonly<Record<string, number>>;

  @ApiProperty({ ...PRICES, description: 'USD, before any discount.' })
  list_pricing!: Readonly<Record<string, number>>;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'The part of the list price that is taken off.',
  })
  discount!: number | null;

  @ApiProperty({
    type: [ModelRegion],
    description: 'Where it is served; empty means everywhere.',
  })
  regions!: readonly Region[];

  @ApiPropertyOptional({
    description: 'The model that this name points to.',
    example: 'openai/gpt-4o-2024-08-06',
  })
  alias_of?: string;
}

/** The answer of the model lists. */
export class ModelList {
  @ApiProperty({ enum: ['list'], description: 'Always `list`.' })
  object!: 'list';

  @ApiProperty({ type: [ModelObject], description: 'The models.' })
  data!: readonly ModelObject[];
}

/** The providers' offers of one model (`?view=models`). */
export class ModelGroup {
  @ApiProperty({ description: 'The name of the model, without a provider.', example: 'gpt-4o' })
  id!: string;

  @ApiProperty({ enum: ['model'], description: 'Always `model`.' })
  object!: 'model';

  @ApiProperty({ type: 'integer', description: 'Unix seconds of the first release.' })
  created!: number;

  @ApiProperty({ description: 'The first provider.', example: 'openai' })
  owned_by!: string;

  @ApiProperty({ enum: ['chat', 'image_generation'], description: 'What the model does.' })
  mode!: 'chat' | 'image_generation';

  @ApiProperty({ type: 'integer', description: 'How many providers offer it.', example: 1 })
  endpoint_count!: number;

  @ApiProperty({ type: [ModelObject], description: 'The offers, one for each provider.' })
  endpoints!: readonly ModelObject[];
}

/** The answer of `GET /v3/models?view=models`. */
export class ModelGroupList {
  @ApiProperty({ enum: ['list'], description: 'Always `list`.' })
  object!: 'list';

  @ApiProperty({ type: [ModelGroup], description: 'The groups.' })
  data!: readonly ModelGroup[];
}
