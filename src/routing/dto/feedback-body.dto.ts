import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { float, text } from '../../validation/value-rule.js';

/** The body of `POST /v3/feedback`. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class FeedbackBody {
  @Field(text({ least: 1, most: 128 }), {
    description: 'The `x-request-id` of the answer that this is about.',
    example: 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58',
  })
  request_id!: string;

  @Field(float({ ge: 0, le: 1 }), {
    description: 'From 0, useless, to 1, as good as can be.',
    example: 1,
  })
  score!: number;

  @OptionalField(text({ most: 1_000 }), { description: 'Why; kept with the score.' })
  note?: string;
}
