import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type CheckedBody } from '../contract/checked-body.js';
import { RequireScope } from '../http/access.js';
import { ApiRoute } from '../http/api-route.js';
import { ValidBody } from '../http/valid-body.js';
import {
  CredentialsBody,
  type ModelSettings,
  ModelSettingsBody,
  type ProviderCredentials,
  type ProviderList,
} from './dto/provider.dto.js';
import { ProviderAdmin } from './provider-admin.service.js';
import {
  CHANGE_MODEL,
  GET_CREDENTIALS,
  LIST_PROVIDERS,
  REMOVE_CREDENTIALS,
  SET_CREDENTIALS,
} from './providers-docs.js';

const ProviderName = () =>
  ApiParam({
    name: 'name',
    description: 'The provider.',
    schema: { type: 'string', example: 'openai' },
  });

/** Providers, their keys, and models. */
@ApiTags('Management')
@Controller('v3/admin')
@RequireScope('admin')
export class ProvidersController {
  constructor(private readonly providers: ProviderAdmin) {}

  @Get('providers')
  @ApiRoute(LIST_PROVIDERS)
  list(): Promise<ProviderList> {
    return this.providers.list();
  }

  @Get('providers/:name/credentials')
  @ApiRoute(GET_CREDENTIALS)
  @ProviderName()
  credentials(@Param('name') name: string): ProviderCredentials {
    return this.providers.credentials(name);
  }

  @Put('providers/:name/credentials')
  @ApiRoute(SET_CREDENTIALS)
  @ProviderName()
  setCredentials(
    @Param('name') name: string,
    @ValidBody(CredentialsBody) body: CheckedBody<CredentialsBody>,
  ): Promise<ProviderCredentials> {
    return this.providers.setCredentials(name, body.value);
  }

  @Delete('providers/:name/credentials')
  @ApiRoute(REMOVE_CREDENTIALS)
  @ProviderName()
  removeCredentials(@Param('name') name: string): Promise<ProviderCredentials> {
    return this.providers.removeCredentials(name);
  }

  @Put('models/*id')
  @ApiRoute(CHANGE_MODEL)
  @ApiParam({
    name: 'id',
    schema: { type: 'string', example: 'sandbox/echo' },
    description: '`provider/model`; the slash may be written as `%2F`.',
  })
  changeModel(
    @Param('id') id: readonly string[],
    @ValidBody(ModelSettingsBody) body: CheckedBody<ModelSettingsBody>,
  ): Promise<ModelSettings> {
    return this.providers.changeModel(id.join('/'), body.value);
  }
}
