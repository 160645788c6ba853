import { ApiProperty } from '@nestjs/swagger';

/** The account behind a key. */
export class HolderAccount {
  @ApiProperty({ description: 'Its id.', example: 'acc_default' })
  id!: string;

  @ApiProperty({ description: 'Its name.', example: 'default' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The region that its models have to be served in; null for any.',
  })
  region!: string | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Patterns of the models that it may use; null for all.',
  })
  models!: readonly string[] | null;
}

/** An account's money, as its keys' holders see it. */
export class HolderCredits {
  @ApiProperty({ description: 'What may still be spent, in USD, without what is held.' })
  balance!: number;

  @ApiProperty({ description: 'What is set aside for calls that are running, in USD.' })
  held!: number;

  @ApiProperty({ description: 'What was spent, in USD.' })
  spent!: number;
}

/** The key that was sent. */
export class HolderKey {
  @ApiProperty({ description: 'Its id.' })
  id!: string;

  @ApiProperty({ description: 'Its name.', example: 'Laptop' })
  name!: string;

  @ApiProperty({ enum: ['live', 'sandbox'], description: 'Whether providers answer it.' })
  type!: 'live' | 'sandbox';

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: ['inference', 'admin'] },
    description: 'What it is for.',
  })
  scopes!: readonly ('inference' | 'admin')[];

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Patterns of the models that it may use; null for all of its account’s.',
  })
  models!: readonly string[] | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ends.',
  })
  expires_at!: string | null;
}

/** A limit, and what is left of it. */
export class HolderLimit {
  @ApiProperty({ enum: ['account', 'key'], description: 'Whether its keys share it.' })
  of!: 'account' | 'key';

  @ApiProperty({
    enum: ['requests', 'tokens', 'calls', 'spend'],
    description: 'What it counts: requests, tokens, calls at once, or USD.',
  })
  counts!: 'requests' | 'tokens' | 'calls' | 'spend';

  @ApiProperty({ minimum: 0, description: 'How much there is in a window.' })
  limit!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The window: `second`, `minute`, `hour`, `day`, `week`, `month` or `total`.',
    example: 'minute',
  })
  window!: string | null;

  @ApiProperty({ minimum: 0, description: 'How much of it is left.' })
  remaining!: number;
}

/** Who holds a key, and what it may do. */
export class Holder {
  @ApiProperty({ type: () => HolderAccount, description: 'The account behind the key.' })
  account!: HolderAccount;

  @ApiProperty({
    type: () => HolderCredits,
    nullable: true,
    description: 'The account’s money; null where it may spend without limit.',
  })
  credits!: HolderCredits | null;

  @ApiProperty({ type: () => HolderKey, description: 'The key.' })
  key!: HolderKey;

  @ApiProperty({ type: () => [HolderLimit], description: 'Every limit of account and key.' })
  limits!: readonly HolderLimit[];
}
