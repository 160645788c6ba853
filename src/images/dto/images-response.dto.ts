import { ApiProperty } from '@nestjs/swagger';
import { CallMetadata, CallMetadataField } from '../../http/api-call-metadata.dto.js';
import { JsonObject } from '../../validation/field-decorators.js';

/** An image: inline or hosted, never both. */
@JsonObject()
export class ImageItem {
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'byte',
    description: 'The image itself, when it comes inline.',
  })
  b64_json!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uri',
    description: 'Where the provider keeps the image, for a while, when it is hosted.',
  })
  url!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The prompt that was really used, where the provider changes it.',
  })
  revised_prompt!: string | null;
}

/** What the images consumed, where the provider counts tokens. */
@JsonObject()
export class ImagesUsage {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'All tokens.' })
  total_tokens!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tokens of the prompt and of images.' })
  input_tokens!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tokens of the images made.' })
  output_tokens!: number;
}

/** The answer of the image endpoints; further fields of the provider are passed on. */
@JsonObject()
export class ImagesResponse {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Unix seconds.',
    example: 1795203857,
  })
  created!: number | null;

  @ApiProperty({ type: () => [ImageItem], description: 'The images.' })
  data!: ImageItem[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The format of the images.',
    example: 'png',
  })
  output_format!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The resolution of the images.',
    example: '1024x1024',
  })
  size!: string | null;

  @ApiProperty({
    type: () => ImagesUsage,
    nullable: true,
    description: 'What the images consumed; null when the provider does not say.',
  })
  usage!: ImagesUsage | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    description: 'What it cost, in USD.',
    example: 0.01,
  })
  cost!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The provider that served it.',
    example: 'sandbox',
  })
  provider!: string | null;

  @CallMetadataField
  causeway_metadata?: CallMetadata;
}
