import { ApiProperty } from '@nestjs/swagger';
import { ModelRegion } from '../../models/dto/model-object.dto.js';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { bool, dict, listOf, text } from '../../validation/value-rule.js';

const source = {
  type: String,
  enum: ['environment', 'database', null],
  nullable: true,
  description: 'Where its key comes from; null where it has none.',
};

/** The body of `PUT /v3/admin/providers/{name}/credentials`. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class CredentialsBody {
  @Field(text({ least: 1, most: 8_192 }), {
    description: 'The provider’s key; it is kept encrypted and never shown.',
    example: 'sk-…',
  })
  api_key!: string;
}

/** What is told of a provider's key. */
export class ProviderCredentials {
  @ApiProperty({ description: 'The provider.', example: 'openai' })
  provider!: string;

  @ApiProperty({ description: 'Whether there is a key.' })
  configured!: boolean;

  @ApiProperty(source)
  source!: 'environment' | 'database' | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the key in the database was set.',
  })
  updated_at!: string | null;
}

/** How a model has been doing for the last ten seconds, by the calls of this process. */
export class ModelCircuit {
  @ApiProperty({ description: 'Its id.', example: 'openai/gpt-4o-mini' })
  model!: string;

  @ApiProperty({
    enum: ['closed', 'open', 'half_open'],
    description: '`open`: no calls; `half_open`: one call decides, which is awaited or runs.',
  })
  circuit!: 'closed' | 'open' | 'half_open';

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Calls by which the circuit is judged.',
  })
  calls!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Those of them that failed.' })
  failures!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Half of its answers, or first events of streams, took at most so long, in ms.',
  })
  p50_ms!: number | null;
}

/** One of several keys or addresses of a provider, as this process knows it. */
export class DeploymentHealth {
  @ApiProperty({ description: 'Where its calls go.', example: 'https://api.openai.com' })
  address!: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Calls that run.' })
  running!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'For so many ms it gets no calls, or none of some model, while another one can serve: used up, refused, failing, without the model or not reached.',
  })
  rest_ms!: number;
}

/** A provider, and how it has been doing for the last 15 minutes. */
export class ProviderState {
  @ApiProperty({ description: 'Its name.', example: 'openai' })
  name!: string;

  @ApiProperty({ description: 'Whether its models can be called.' })
  configured!: boolean;

  @ApiProperty(source)
  credentials!: 'environment' | 'database' | null;

  @ApiProperty({
    enum: ['closed', 'open', 'half_open'],
    description:
      'Whether calls go to its models, in this process: as the worst of them is, `open` when too many failed.',
  })
  circuit!: 'closed' | 'open' | 'half_open';

  @ApiProperty({
    type: [ModelCircuit],
    description:
      'Its models that were called in the last ten seconds, and those whose circuit is not closed.',
  })
  models!: ModelCircuit[];

  @ApiProperty({
    type: [DeploymentHealth],
    description: 'Its keys and addresses in the order of the settings, where it has several.',
  })
  deployments!: DeploymentHealth[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'Tries of its models, also those that a retry or a fallback followed; none that its caller left unanswered.',
  })
  requests!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'The part of them that it answered with success.',
  })
  success_rate!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Half of the tries, those of streams to the first event, took at most so long, in ms.',
  })
  p50_ms!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: '95 % of them took at most so long, in ms.',
  })
  p95_ms!: number | null;
}

/** The providers. */
export class ProviderList {
  @ApiProperty({ type: () => [ProviderState], description: 'Every provider, on or off.' })
  data!: readonly ProviderState[];
}

/** The body of `PUT /v3/admin/models/{id}`. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class ModelSettingsBody {
  @OptionalField(bool(), { description: 'Whether it can be called.' })
  enabled?: boolean;

  @OptionalField(dict(), {
    description:
      'Its prices in USD under the names of `MODELS_FILE`, in place of the whole list price.',
    example: { input_cost_per_token: 0.000002, output_cost_per_token: 0.000008 },
  })
  pricing?: Record<string, unknown>;

  @OptionalField(listOf(text({ least: 1 })), {
    description: 'Codes of the regions where it is served; an empty list stands for everywhere.',
    example: ['eu'],
  })
  regions?: string[];
}

/** A model's settings, as they are now. */
export class ModelSettings {
  @ApiProperty({ description: 'The model.', example: 'sandbox/echo' })
  id!: string;

  @ApiProperty({ description: 'Whether it can be called while its provider is configured.' })
  enabled!: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'Its prices as `GET /v3/models` shows them, in USD.',
  })
  pricing!: Readonly<Record<string, number>>;

  @ApiProperty({ type: [ModelRegion], description: 'Where it is served; empty: everywhere.' })
  regions!: readonly ModelRegion[];
}
