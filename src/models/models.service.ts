import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { type Model } from '../contract/model.js';
import { anthropicModel, anthropicPage, conversing, type PageQuery } from './anthropic-page.js';
import { type Catalogue } from './catalogue.js';
import { CatalogueService } from './catalogue.service.js';
import { type AnthropicModel, type AnthropicModelList } from './dto/anthropic-model.dto.js';
import { type ModelObject } from './dto/model-object.dto.js';
import { mayUse, outsideRegion, servedIn, unknownModel, visibleTo } from './model-access.js';
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

  /** @throws GatewayError 404 if the account has no such model, 451 outside of its region. */
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

  /** @throws GatewayError 404 if the account has no such model, 451 outside of its region. */
  retrieveAnthropic(caller: Caller | undefined, id: string): AnthropicModel {
    return anthropicModel(this.find(caller, id));
  }

  private find(caller: Caller | undefined, id: string): Model {
    const model = this.catalogue.snapshot.find(id);
    if (!model || (caller && !mayUse(caller.accountModels, model.id))) {
      throw unknownModel(id, 'model');
    }
    if (caller && !servedIn(caller.region, model)) throw outsideRegion(id, 'model');
    return model;
  }
}
