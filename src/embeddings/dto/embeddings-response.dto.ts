import { ApiProperty } from '@nestjs/swagger';
import {
  CallMetadata,
  CallMetadataField,
  ServedByField,
} from '../../http/api-call-metadata.dto.js';

/** One vector. */
export class Embedding {
  @ApiProperty({ enum: ['embedding'], description: 'Always `embedding`.' })
  object!: 'embedding';

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The place of its input.' })
  index!: number;

  @ApiProperty({
    anyOf: [
      { type: 'array', items: { type: 'number' } },
      { type: 'string', format: 'byte' },
    ],
    description: 'Numbers, or with `base64` the bytes of little-endian 32-bit floats.',
  })
  embedding!: number[] | string;
}

/** What the inputs consumed. */
export class EmbeddingsUsage {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Input tokens.' })
  prompt_tokens!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'All tokens.' })
  total_tokens!: number;
}

/** The answer of `POST /v3/embeddings`. */
export class EmbeddingsResponse {
  @ApiProperty({ enum: ['list'], description: 'Always `list`.' })
  object!: 'list';

  @ApiProperty({ description: 'The model, as it was asked for.', example: 'sandbox/embedding' })
  model!: string;

  @ApiProperty({ type: () => [Embedding], description: 'One vector an input, in their order.' })
  data!: Embedding[];

  @ApiProperty({ type: () => EmbeddingsUsage, description: 'What the inputs consumed.' })
  usage!: EmbeddingsUsage;

  @ApiProperty({ minimum: 0, description: 'What it cost, in USD.', example: 0.000001 })
  cost!: number;

  @ServedByField
  provider!: string;

  @CallMetadataField
  causeway_metadata?: CallMetadata;
}
