import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Caller } from '../contract/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { type PageQuery } from './anthropic-page.js';
import { type AnthropicModel, type AnthropicModelList } from './dto/anthropic-model.dto.js';
import { GET_ANTHROPIC_MODEL, LIST_ANTHROPIC_MODELS, MODEL_ID } from './models-docs.js';
import { ModelsService } from './models.service.js';
import { OptionalCaller } from './optional-caller.js';

/** Model discovery of Anthropic's clients. */
@ApiTags('Models')
@Controller('v3/v1/models')
export class AnthropicModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get()
  @ApiRoute(LIST_ANTHROPIC_MODELS)
  @ApiQuery({
    name: 'before_id',
    required: false,
    schema: { type: 'string' },
    description: 'The page before this model; not together with `after_id`.',
  })
  @ApiQuery({
    name: 'after_id',
    required: false,
    schema: { type: 'string' },
    description: 'The page after this model.',
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
    description: 'How many models a page has.',
  })
  list(
    @OptionalCaller() caller: Caller | undefined,
    @Query() query: PageQuery,
  ): AnthropicModelList {
    return this.models.anthropicPage(caller, query);
  }

  @Get('*id')
  @ApiRoute(GET_ANTHROPIC_MODEL)
  @ApiParam(MODEL_ID)
  retrieve(
    @OptionalCaller() caller: Caller | undefined,
    @Param('id') id: readonly string[],
  ): AnthropicModel {
    return this.models.retrieveAnthropic(caller, id.join('/'));
  }
}
