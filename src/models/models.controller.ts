import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { type Caller } from '../contract/caller.js';
import { Public } from '../http/access.js';
import {
  ModelGroupListDto,
  ModelListDto,
  type ModelObject,
  ModelObjectDto,
} from './dto/model-object.dto.js';
import { ModelsService } from './models.service.js';
import { OptionalCaller } from './optional-caller.js';

/** The lists are JSON text already. */
const AsJson = () => Header('content-type', 'application/json; charset=utf-8');

@ApiTags('Models')
@ApiExtraModels(ModelListDto, ModelGroupListDto)
@Controller('v3')
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get('models')
  @Public()
  @AsJson()
  @ApiOperation({ summary: 'List the chat and image models' })
  @ApiQuery({
    name: 'view',
    required: false,
    enum: ['models'],
    description: '`models` puts the providers of the same model together',
  })
  @ApiOkResponse({
    schema: {
      oneOf: [{ $ref: getSchemaPath(ModelListDto) }, { $ref: getSchemaPath(ModelGroupListDto) }],
    },
  })
  list(@OptionalCaller() caller: Caller | undefined, @Query('view') view: unknown): string {
    return view === 'models' ? this.models.lists.grouped(caller) : this.models.lists.models(caller);
  }

  @Get('images/models')
  @AsJson()
  @ApiBearerAuth('AuthBearer')
  @ApiOperation({ summary: "List the image models available in the caller's region" })
  @ApiOkResponse({ type: ModelListDto })
  images(@OptionalCaller() caller: Caller | undefined): string {
    return this.models.lists.images(caller);
  }

  @Get('embeddings/models')
  @Public()
  @AsJson()
  @ApiOperation({ summary: 'List the embedding models' })
  @ApiOkResponse({ type: ModelListDto })
  embeddings(@OptionalCaller() caller: Caller | undefined): string {
    return this.models.lists.embeddings(caller);
  }

  @Get('models/*id')
  @Public()
  @ApiOperation({ summary: 'Get one model' })
  @ApiParam({
    name: 'id',
    type: String,
    description: '`provider/model`; the slash may be written as `%2F`',
    example: 'openai/gpt-4o',
  })
  @ApiOkResponse({ type: ModelObjectDto })
  retrieve(
    @OptionalCaller() caller: Caller | undefined,
    @Param('id') id: readonly string[],
  ): ModelObject {
    return this.models.retrieve(caller, id.join('/'));
  }
}
