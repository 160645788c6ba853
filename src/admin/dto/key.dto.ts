import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import {
  bool,
  either,
  float,
  int,
  listOf,
  nested,
  oneOf,
  text,
} from '../../validation/value-rule.js';
import { COUNT, NAME, PATTERNS } from './account.dto.js';

const WINDOWS = ['day', 'week', 'month', 'total'] as const;
const LONGEST_OVERLAP_S = 30 * 24 * 3_600;

const models = {
  description: 'Patterns of the models that it may use; without it all of its account’s.',
  example: ['sandbox/*'],
};
const rateLimit = {
  description: 'Requests as `N/s`, `N/m` or `N/h`, beside the limit of its account.',
  example: '10/s',
};
const tokens = { description: 'Tokens that it may use a minute.' };
const concurrent = { description: 'Calls that may run at once.' };
const expiry = { description: 'When it ends, in ISO 8601 or Unix seconds.' };
const spend = { description: 'What it may spend in a window that starts anew at 0:00 UTC.' };

/** What a key may spend. */
@JsonObject({ unknownFields: 'refused' })
export class KeySpendLimit {
  @Field(float({ ge: 0, le: 9_000_000 }), { description: 'USD.', example: 5 })
  amount!: number;

  @Field(oneOf(...WINDOWS), { description: 'The window that it counts in.' })
  per!: (typeof WINDOWS)[number];
}

/** The body of `PATCH /v3/admin/keys/{id}`; null takes a setting away. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class ChangeKeyBody {
  @OptionalField(NAME, { description: 'A name to tell it by.', example: 'Laptop' })
  name?: string;

  @OptionalField(either(text({ least: 1 }), float({ ge: 0 })), expiry)
  expires_at?: string | number;

  @OptionalField(PATTERNS, models)
  models?: string[];

  @OptionalField(text({ least: 1 }), rateLimit)
  rate_limit?: string;

  @OptionalField(COUNT, tokens)
  tokens_per_minute?: number;

  @OptionalField(COUNT, concurrent)
  max_concurrent?: number;

  @OptionalField(nested(KeySpendLimit), spend)
  spend_limit?: KeySpendLimit;

  @OptionalField(bool(), { description: 'Whether it is refused.' })
  disabled?: boolean;
}

/** What a key begins with. */
class KeyBeginning {
  @Field(NAME, { description: 'A name to tell it by.', example: 'Laptop' })
  name!: string;

  @OptionalField(oneOf('live', 'sandbox'), {
    whenAbsent: 'live',
    description:
      'A `sandbox` key is answered by the sandbox, whatever model it names, for nothing.',
  })
  type!: 'live' | 'sandbox';

  @OptionalField(listOf(oneOf('inference', 'admin'), { least: 1, most: 1 }), {
    whenAbsent: ['inference'],
    description: 'What it is for: calls to models, or this management API.',
  })
  scopes!: ('inference' | 'admin')[];
}

/** The body of `POST /v3/admin/accounts/{id}/keys`. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused' })
export class CreateKeyBody extends IntersectionType(
  KeyBeginning,
  OmitType(ChangeKeyBody, ['name', 'disabled'] as const),
) {}

/** The body of `POST /v3/admin/keys/{id}/rotate`, which may be left out. */
@JsonObject({ answersWith: 'openai', unknownFields: 'refused', mayBeAbsent: true })
export class RotateKeyBody {
  @OptionalField(int({ ge: 0, le: LONGEST_OVERLAP_S }), {
    default: 3_600,
    description: 'How long the old key is still good, in seconds.',
  })
  overlap_seconds?: number;
}

/** A key, as the management API shows it. */
export class Key {
  @ApiProperty({ description: 'Its id.', example: 'key_0a1b2c3d4e5f60718293a4b5' })
  id!: string;

  @ApiProperty({ description: 'The beginning of its text.', example: 'cw_live_q7Xd' })
  prefix!: string;

  @ApiProperty({ description: 'A name to tell it by.', example: 'Laptop' })
  name!: string;

  @ApiProperty({ enum: ['live', 'sandbox'], description: 'Whether providers answer it.' })
  type!: 'live' | 'sandbox';

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: ['inference', 'admin'] },
    description: 'What it is for.',
  })
  scopes!: ('inference' | 'admin')[];

  @ApiProperty({ type: [String], nullable: true, ...models })
  models!: string[] | null;

  @ApiProperty({ type: String, nullable: true, ...rateLimit })
  rate_limit!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, ...tokens })
  tokens_per_minute!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, ...concurrent })
  max_concurrent!: number | null;

  @ApiProperty({ type: () => KeySpendLimit, nullable: true, ...spend })
  spend_limit!: KeySpendLimit | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ends.',
  })
  expires_at!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made.' })
  created_at!: string;

  @ApiProperty({ description: 'Whether it is refused.' })
  disabled!: boolean;
}

/** A key as plain data. */
export type KeyObject = Pick<Key, keyof Key>;

/** A key that was just made. */
export class NewKey extends Key {
  @ApiProperty({
    description: 'Its text, which is shown this once.',
    example: 'cw_live_q7Xd0Vn6m1hVJ8yU2kT3bPz4sC5dE6fG7hI8jK9lM0n',
  })
  key!: string;
}

/** A page of keys. */
export class KeyList {
  @ApiProperty({ type: () => [Key], description: 'The keys, newest first.' })
  data!: readonly Key[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page.' })
  next_cursor!: string | null;
}
