import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Caller } from '../contract/caller.js';
import { Public } from '../http/access.js';
import { ApiRoute } from '../http/api-route.js';
import { type ModelObject } from './dto/model-object.dto.js';
import {
  GET_MODEL,
  LIST_EMBEDDING_MODELS,
  LIST_IMAGE_MODELS,
  LIST_MODELS,
  MODEL_ID,
} from './models-docs.js';
import { ModelsService } from './models.service.js';
import { OptionalCaller } from './optional-caller.js';

/** The lists are JSON text already. */
const AsJson = () => Header('content-type', 'application/json; charset=utf-8');

/** The lists of models, for OpenAI’s clients and Anthropic’s. */
@ApiTags('Models')
@Controller('v3')
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get('models')
  @Public()
  @AsJson()
  @ApiRoute(LIST_MODELS)
  @ApiQuery({
    name: 'view',
    required: false,
    schema: { type: 'string', enum: ['models'] },
    description: '`models` puts the providers of the same model together.',
  })
  list(@OptionalCaller() caller: Caller | undefined, @Query('view') view: unknown): string {
    return view === 'models' ? this.models.lists.grouped(caller) : this.models.lists.models(caller);
  }

  @Get('images/models')
  @AsJson()
  @ApiRoute(LIST_IMAGE_MODELS)
  images(@OptionalCaller() caller: Caller | undefined): string {
    return this.models.lists.images(caller);
  }

  @Get('embeddings/models')
  @Public()
  @AsJson()
  @ApiRoute(LIST_EMBEDDING_MODELS)
  embeddings(@OptionalCaller() caller: Caller | undefined): string {
    return this.models.lists.embeddings(caller);
  }

  @Get('models/*id')
  @Public()
  @ApiRoute(GET_MODEL)
  @ApiParam(MODEL_ID)
  retrieve(
    @OptionalCaller() caller: Caller | undefined,
    @Param('id') id: readonly string[],
  ): ModelObject {
    return this.models.retrieve(caller, id.join('/'));
  }
}
