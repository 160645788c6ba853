import { ExtraHeadersField, MetadataField, UserField } from '../../http/call-fields.js';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { bool, int, modelId, text, unsupported } from '../../validation/value-rule.js';

/** The body of `POST /v3/images/generations`. Fields that are not named go on as they came. */
@JsonObject({ answersWith: 'openai' })
export class CreateImageBody {
  @Field(modelId('refused'), {
    description: 'The model as `provider/model`.',
    example: 'sandbox/image',
  })
  model!: string;

  @Field(text({ least: 1, most: 32_000 }), {
    description: 'What to make, in words; its length is counted in code points.',
    example: 'A lighthouse in a storm, oil on canvas',
  })
  prompt!: string;

  @OptionalField(int({ ge: 1, le: 10 }), { description: 'How many images to make.', default: 1 })
  n?: number;

  @OptionalField(text({ least: 1 }), {
    description: 'A resolution, or `auto`; the model decides which ones it takes.',
    example: '1024x1024',
  })
  size?: string;

  @OptionalField(text({ least: 1 }), {
    description: 'The model decides which ones it takes.',
    example: 'auto',
  })
  quality?: string;

  @OptionalField(text({ least: 1 }), {
    description: 'For providers that honour it.',
    example: 'b64_json',
  })
  response_format?: string;

  @OptionalField(bool(), {
    description: 'Passed to the provider; the answer is whole all the same.',
    default: false,
  })
  stream?: boolean;

  @UserField
  user?: string;

  @MetadataField
  metadata?: Record<string, unknown>;

  @ExtraHeadersField
  extra_headers?: Record<string, string>;

  @OptionalField(unsupported())
  fallbacks?: never;

  @OptionalField(unsupported())
  router_candidates?: never;

  [field: string]: unknown;
}
