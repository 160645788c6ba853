import {
  ExtraHeadersField,
  HedgingField,
  type HedgingOptions,
  MetadataField,
  UserField,
} from '../../http/call-fields.js';
import { MOST_TOKENS } from '../../tokens/token-decoder.js';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import {
  either,
  int,
  listOf,
  modelId,
  oneOf,
  text,
  unsupported,
} from '../../validation/value-rule.js';

const token = int({ ge: 0 });
/** A list that no model reads is refused for its length alone: to look at millions of numbers takes long. */
const tokens = listOf(token, { least: 1, most: MOST_TOKENS });
const batch = { least: 1, most: 'embeddingsMaxInputs' } as const;

/** The body of `POST /v3/embeddings`. Fields that are not named go on as they came. */
@JsonObject({ answersWith: 'openai' })
export class CreateEmbeddingsBody {
  @Field(modelId('refused'), {
    description: 'The model as `provider/model`.',
    example: 'openai/text-embedding-3-small',
  })
  model!: string;

  @Field(
    either(text({ least: 1 }), listOf(text({ least: 1 }), batch), tokens, listOf(tokens, batch)),
    {
      description: 'One text or one list of tokens, or a batch of either.',
      example: 'The quick brown fox',
    },
  )
  input!: string | string[] | number[] | number[][];

  @OptionalField(oneOf('float', 'base64'), {
    description: 'Whether the vectors come as numbers or as base64.',
    default: 'float',
  })
  encoding_format?: 'float' | 'base64';

  @OptionalField(int({ ge: 1 }), {
    description: 'Length of the vectors, for models that can shorten them.',
  })
  dimensions?: number;

  @UserField
  user?: string;

  @MetadataField
  metadata?: Record<string, unknown>;

  @ExtraHeadersField
  extra_headers?: Record<string, string>;

  @HedgingField
  routing?: HedgingOptions;

  @OptionalField(unsupported())
  fallbacks?: never;

  @OptionalField(unsupported())
  router_candidates?: never;

  [field: string]: unknown;
}
