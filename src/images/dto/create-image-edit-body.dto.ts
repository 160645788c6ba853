import { OmitType } from '@nestjs/swagger';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { listOf, nested, text } from '../../validation/value-rule.js';
import { CreateImageBody } from './create-image-body.dto.js';

const LONGEST_URL = 20_971_520;

/** A source image: an upload of the caller's own, or an address. */
@JsonObject({ unknownFields: 'refused', exactlyOneOf: ['file_id', 'image_url'] })
export class ImageRef {
  @OptionalField(text({ least: 1 }), { description: 'An id that `POST /v3/upload` gave.' })
  file_id?: string;

  @OptionalField(text({ least: 1, most: LONGEST_URL }), {
    description: 'A `data:image/…;base64,…` address, or `https://` where the provider takes it.',
  })
  image_url?: string;
}

/** The JSON body of `POST /v3/images/edits`. */
@JsonObject({ answersWith: 'openai' })
export class CreateImageEditBody extends OmitType(CreateImageBody, [] as const) {
  declare model: string;
  declare prompt: string;

  @Field(listOf(nested(ImageRef), { least: 1, most: 16 }), {
    description: 'The canvas, then references.',
  })
  images!: ImageRef[];

  @OptionalField(nested(ImageRef), { description: 'Marks what to change in the canvas.' })
  mask?: ImageRef;

  [field: string]: unknown;
}
