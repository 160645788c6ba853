import { ApiProperty } from '@nestjs/swagger';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { float, text } from '../../validation/value-rule.js';

/** The body of `POST /v3/admin/accounts/{id}/credits`. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class GrantBody {
  @Field(float({ ge: -9_000_000, le: 1_000_000 }), {
    description: 'USD, with at most 12 decimals; a negative amount takes back.',
    example: 25,
  })
  amount!: number;

  @OptionalField(text({ most: 1_000 }), {
    description: 'What it is for.',
    example: 'Budget of November',
  })
  note?: string;
}

/** A change of an account's credit. */
export class LedgerEntryObject {
  @ApiProperty({ description: 'Its id.' })
  id!: string;

  @ApiProperty({
    enum: ['grant', 'charge', 'reconciled', 'refund'],
    description: 'What happened; `reconciled` is a charge of a call whose end nobody saw.',
  })
  type!: 'grant' | 'charge' | 'reconciled' | 'refund';

  @ApiProperty({ description: 'What the balance gained, in USD; negative for what was spent.' })
  amount!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The request that it is for.' })
  request_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'What it is for.' })
  note!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was booked.' })
  created_at!: string;
}

/** A page of an account's ledger. */
export class LedgerList {
  @ApiProperty({ type: () => [LedgerEntryObject], description: 'The entries, newest first.' })
  data!: readonly LedgerEntryObject[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page.' })
  next_cursor!: string | null;
}
