import { ApiProperty, OmitType } from '@nestjs/swagger';
import { JsonObject } from '../../validation/field-decorators.js';
import { CreateImageBody } from './create-image-body.dto.js';

/** The form of `POST /v3/images/edits`. Text parts that are not named go on as they came. */
@JsonObject()
export class ImageEditForm extends OmitType(CreateImageBody, [] as const) {
  declare model: string;
  declare prompt: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'binary' },
    minItems: 1,
    maxItems: 16,
    description: 'The canvas, then references; `image[]` and `image[0]` are the same.',
  })
  image!: unknown[];

  @ApiProperty({
    type: 'string',
    format: 'binary',
    required: false,
    description: 'Marks what to change in the canvas, and has its size.',
  })
  mask?: unknown;

  [field: string]: unknown;
}
