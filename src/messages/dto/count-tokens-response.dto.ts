import { ApiProperty } from '@nestjs/swagger';
import { JsonObject } from '../../validation/field-decorators.js';

/** The answer of `POST /v3/v1/messages/count_tokens`. */
@JsonObject()
export class CountTokensResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Input tokens.', example: 14 })
  input_tokens!: number;
}
