import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Model } from '../contract/model.js';
import { anthropicModel, anthropicPage, conversing, type PageQuery } from './anthropic-page.js';
import { type Catalogue } from './catalogue.js';
import { CatalogueService } from './catalogue.service.js';
import { type AnthropicModel, type AnthropicModelList } from './dto/anthropic-model.dto.js';
import { type ModelObject } from './dto/model-object.dto.js';
import { visibleTo } from './model-access.js';
import { modelLists, modelObject, type ModelLists } from './model-lists.js';

/** What a caller, or nobody in particular, is told of the models. */
@Injectable()
export class ModelsService {
  private readonly written = new WeakMap<Catalogue, ModelLists>();
  private readonly sorted = new WeakMap<Catalogue, readonly Model[]>();

  constructor(private readonly catalogue: CatalogueService) {}

  /** The lists of the current catalogue. */
  get lists(): ModelLists {
    const { snapshot } = this.catalogue;
    const lists = this.written.get(snapshot) ?? modelLists(snapshot);
    this.written.set(snapshot, lists);
    return lists;
  }

  /** @throws GatewayError 404 if there is no such model for the caller. */
  retrieve(caller: Caller | undefined, id: string): ModelObject {
    return modelObject(this.find(caller, id));
  }

  /** @throws GatewayError 400 if the query is wrong. */
  anthropicPage(caller: Caller | undefined, query: PageQuery): AnthropicModelList {
    const { snapshot } = this.catalogue;
    const sorted = this.sorted.get(snapshot) ?? conversing(snapshot.models);
    this.sorted.set(snapshot, sorted);
    const models = caller ? sorted.filter((model) => visibleTo(caller, model)) : sorted;
    return anthropicPage(models, query);
  }

  /** @throws GatewayError 404 if there is no such model for the caller. */
  retrieveAnthropic(caller: Caller | undefined, id: string): AnthropicModel {
    return anthropicModel(this.find(caller, id));
  }

  private find(caller: Caller | undefined, id: string): Model {
    const model = this.catalogue.snapshot.find(id);
    if (model && visibleTo(caller, model)) return model;
    const message = `The model '${id}' does not exist or is not enabled on your account.`;
    throw new GatewayError(404, 'model_not_found', message, { param: 'model' });
  }
}
