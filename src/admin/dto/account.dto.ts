import {
  ApiProperty,
  ApiPropertyOptional,
  ApiSchema,
  IntersectionType,
  OmitType,
} from '@nestjs/swagger';
import { HolderCredits } from '../../billing/dto/holder.dto.js';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { bool, float, int, listOf, text } from '../../validation/value-rule.js';

const MOST_USD = 1_000_000;

/** What a name may be. */
export const NAME = text({ least: 1, most: 200 });
/** What a list of patterns may be; an empty one would allow nothing, and look like all. */
export const PATTERNS = listOf(text({ least: 1, most: 256 }), { least: 1, most: 1_000 });
/** What counts that limit something may be. */
export const COUNT = int({ ge: 1, le: 1_000_000_000 });

const region = {
  description: 'Only models that are served there can be used, such as `eu`.',
  example: 'eu',
};
const models = {
  description: 'Patterns of the models that may be used; without it all may.',
  example: ['openai/*', 'sandbox/*'],
};
const rateLimit = {
  description: 'Requests as `N/s`, `N/m` or `N/h`, in place of the usual limit.',
  example: '100/s',
};
const maxConcurrent = { description: 'Calls that may run at once.' };

/** The body of `PATCH /v3/admin/accounts/{id}`; null takes a setting away. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class ChangeAccountBody {
  @OptionalField(NAME, { description: 'A name to tell it by.', example: 'Research' })
  name?: string;

  @OptionalField(float({ ge: 0, le: MOST_USD }), {
    description: 'The new balance in USD; the difference is booked. Null lifts the limit.',
  })
  credits?: number;

  @OptionalField(text({ least: 1 }), region)
  region?: string;

  @OptionalField(PATTERNS, models)
  models?: string[];

  @OptionalField(text({ least: 1 }), rateLimit)
  rate_limit?: string;

  @OptionalField(COUNT, maxConcurrent)
  max_concurrent?: number;

  @OptionalField(bool(), { description: 'Whether all of its keys are refused.' })
  disabled?: boolean;
}

/** What an account begins with. */
class AccountBeginning {
  @Field(NAME, { description: 'A name to tell it by.', example: 'Research' })
  name!: string;

  @OptionalField(float({ ge: 0, le: MOST_USD }), {
    description: 'What it may spend, in USD; null or left out for no limit.',
    example: 25,
  })
  credits?: number;
}

/** The body of `POST /v3/admin/accounts`. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class CreateAccountBody extends IntersectionType(
  AccountBeginning,
  OmitType(ChangeAccountBody, ['name', 'credits', 'disabled'] as const),
) {}

/** An account's money. */
export class Credits extends HolderCredits {}

/** An account, as the management API shows it. */
export class Account {
  @ApiProperty({ description: 'Its id.', example: 'acc_default' })
  id!: string;

  @ApiProperty({ description: 'A name to tell it by.', example: 'Research' })
  name!: string;

  @ApiProperty({
    type: () => Credits,
    nullable: true,
    description: 'Its money; null where it may spend without limit.',
  })
  credits!: Credits | null;

  @ApiProperty({ type: String, nullable: true, ...region })
  region!: string | null;

  @ApiProperty({ type: [String], nullable: true, ...models })
  models!: string[] | null;

  @ApiProperty({ type: String, nullable: true, ...rateLimit })
  rate_limit!: string | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, ...maxConcurrent })
  max_concurrent?: number;

  @ApiProperty({ format: 'date-time', description: 'When it was made.' })
  created_at!: string;

  @ApiProperty({ description: 'Whether all of its keys are refused.' })
  disabled!: boolean;
}

/** A page of accounts. */
@ApiSchema({ name: 'AccountList' })
export class AccountList {
  @ApiProperty({ type: () => [Account], description: 'The accounts, newest first.' })
  data!: readonly Account[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page.' })
  next_cursor!: string | null;
}
