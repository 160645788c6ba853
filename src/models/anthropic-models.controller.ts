import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller } from '../contract/caller.js';
import { type PageQuery } from './anthropic-page.js';
import {
  type AnthropicModel,
  AnthropicModelDto,
  type AnthropicModelList,
  AnthropicModelListDto,
} from './dto/anthropic-model.dto.js';
import { ModelsService } from './models.service.js';
import { OptionalCaller } from './optional-caller.js';

/** Model discovery of Anthropic's clients. */
@ApiTags('Models')
@ApiBearerAuth('AuthBearer')
@Controller('v3/v1/models')
export class AnthropicModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get()
  @ApiOperation({ summary: "List the chat models in Anthropic's shape" })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
  })
  @ApiQuery({ name: 'after_id', required: false, description: 'The page after this model' })
  @ApiQuery({ name: 'before_id', required: false, description: 'The page before this model' })
  @ApiOkResponse({ type: AnthropicModelListDto })
  list(
    @OptionalCaller() caller: Caller | undefined,
    @Query() query: PageQuery,
  ): AnthropicModelList {
    return this.models.anthropicPage(caller, query);
  }

  @Get('*id')
  @ApiOperation({ summary: "Get one model in Anthropic's shape" })
  @ApiParam({ name: 'id', type: String, example: 'anthropic/claude-sonnet-4-5' })
  @ApiOkResponse({ type: AnthropicModelDto })
  retrieve(
    @OptionalCaller() caller: Caller | undefined,
    @Param('id') id: readonly string[],
  ): AnthropicModel {
    return this.models.retrieveAnthropic(caller, id.join('/'));
  }
}
