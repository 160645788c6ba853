import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type CheckedBody } from '../contract/checked-body.js';
import { RequireScope } from '../http/access.js';
import { ApiQueries, PAGE_QUERIES } from '../http/api-query.js';
import { ApiRoute } from '../http/api-route.js';
import { type Page } from '../http/page.js';
import { pageQuery } from '../http/query.js';
import { ValidBody } from '../http/valid-body.js';
import { AccountId } from './api-managed.js';
import {
  ChangeKeyBody,
  CreateKeyBody,
  type Key,
  type NewKey,
  RotateKeyBody,
} from './dto/key.dto.js';
import { KeyAdmin } from './key-admin.service.js';
import { CHANGE_KEY, CREATE_KEY, LIST_KEYS, REVOKE_KEY, ROTATE_KEY } from './keys-docs.js';
import { changesIn } from './settings.js';

const KeyId = () =>
  ApiParam({
    name: 'id',
    description: 'The key.',
    schema: { type: 'string', example: 'key_0a1b2c3d4e5f60718293a4b5' },
  });

/** Keys. */
@ApiTags('Management')
@Controller('v3/admin')
@RequireScope('admin')
export class KeysController {
  constructor(private readonly keys: KeyAdmin) {}

  @Post('accounts/:id/keys')
  @HttpCode(200)
  @ApiRoute(CREATE_KEY)
  @AccountId()
  create(
    @Param('id') id: string,
    @ValidBody(CreateKeyBody) body: CheckedBody<CreateKeyBody>,
  ): Promise<NewKey> {
    return this.keys.create(id, body.value);
  }

  @Get('accounts/:id/keys')
  @ApiRoute(LIST_KEYS)
  @AccountId()
  @ApiQueries(PAGE_QUERIES)
  list(@Param('id') id: string, @Query() query: object): Promise<Page<Key>> {
    return this.keys.list(id, pageQuery(query));
  }

  @Patch('keys/:id')
  @ApiRoute(CHANGE_KEY)
  @KeyId()
  change(
    @Param('id') id: string,
    @ValidBody(ChangeKeyBody) body: CheckedBody<ChangeKeyBody>,
  ): Promise<Key> {
    return this.keys.change(id, changesIn(body));
  }

  @Delete('keys/:id')
  @ApiRoute(REVOKE_KEY)
  @KeyId()
  revoke(@Param('id') id: string): Promise<Key> {
    return this.keys.revoke(id);
  }

  @Post('keys/:id/rotate')
  @HttpCode(200)
  @ApiRoute(ROTATE_KEY)
  @KeyId()
  rotate(
    @Param('id') id: string,
    @ValidBody(RotateKeyBody) body: CheckedBody<RotateKeyBody>,
  ): Promise<NewKey> {
    return this.keys.rotate(id, body.value);
  }
}
