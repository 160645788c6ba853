import { Controller, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type CheckedBody } from '../contract/checked-body.js';
import { RequireScope } from '../http/access.js';
import { ApiQueries, PAGE_QUERIES } from '../http/api-query.js';
import { ApiRoute } from '../http/api-route.js';
import { type Page } from '../http/page.js';
import { pageQuery } from '../http/query.js';
import { ValidBody } from '../http/valid-body.js';
import { AccountAdmin } from './account-admin.service.js';
import {
  CHANGE_ACCOUNT,
  CREATE_ACCOUNT,
  GET_ACCOUNT,
  GRANT_CREDITS,
  LIST_ACCOUNTS,
  LIST_LEDGER,
} from './accounts-docs.js';
import { AccountId } from './api-managed.js';
import { CreditAdmin } from './credit-admin.service.js';
import { type Account, ChangeAccountBody, CreateAccountBody } from './dto/account.dto.js';
import { GrantBody, type LedgerEntryObject } from './dto/grant.dto.js';
import { changesIn } from './settings.js';

/** Accounts and their money. */
@ApiTags('Management')
@Controller('v3/admin/accounts')
@RequireScope('admin')
export class AccountsController {
  constructor(
    private readonly accounts: AccountAdmin,
    private readonly credits: CreditAdmin,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiRoute(CREATE_ACCOUNT)
  create(@ValidBody(CreateAccountBody) body: CheckedBody<CreateAccountBody>): Promise<Account> {
    return this.accounts.create(body.value);
  }

  @Get()
  @ApiRoute(LIST_ACCOUNTS)
  @ApiQueries(PAGE_QUERIES)
  list(@Query() query: object): Promise<Page<Account>> {
    return this.accounts.list(pageQuery(query));
  }

  @Get(':id')
  @ApiRoute(GET_ACCOUNT)
  @AccountId()
  get(@Param('id') id: string): Promise<Account> {
    return this.accounts.get(id);
  }

  @Patch(':id')
  @ApiRoute(CHANGE_ACCOUNT)
  @AccountId()
  change(
    @Param('id') id: string,
    @ValidBody(ChangeAccountBody) body: CheckedBody<ChangeAccountBody>,
  ): Promise<Account> {
    return this.accounts.change(id, changesIn(body));
  }

  @Post(':id/credits')
  @HttpCode(200)
  @ApiRoute(GRANT_CREDITS)
  @AccountId()
  grant(
    @Param('id') id: string,
    @ValidBody(GrantBody) body: CheckedBody<GrantBody>,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<LedgerEntryObject> {
    return this.credits.grant(id, body.value, idempotencyKey);
  }

  @Get(':id/ledger')
  @ApiRoute(LIST_LEDGER)
  @AccountId()
  @ApiQueries(PAGE_QUERIES)
  ledger(@Param('id') id: string, @Query() query: object): Promise<Page<LedgerEntryObject>> {
    return this.credits.entries(id, pageQuery(query));
  }
}
