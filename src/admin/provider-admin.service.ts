import { Injectable } from '@nestjs/common';
import { TriesReports } from '../billing/tries-report.service.js';
import { GatewayError } from '../contract/gateway-error.js';
import { isoOf } from '../http/moment.js';
import { CatalogueAdministration } from '../models/catalogue-administration.service.js';
import { CatalogueService } from '../models/catalogue.service.js';
import { type Circuit } from '../upstream/breaker.js';
import { Deployments } from '../upstream/deployments.js';
import { Health } from '../upstream/health.service.js';
import { type CatalogueRow, readOverride } from '../models/model-override.js';
import { missingPrices, pricingObject } from '../models/pricing-fields.js';
import { CREDENTIAL } from '../models/provider-rows.js';
import { invalidValue } from '../http/parameter-error.js';
import {
  type CredentialsBody,
  type DeploymentHealth,
  type ModelCircuit,
  type ModelSettings,
  type ModelSettingsBody,
  type ProviderCredentials,
  type ProviderList,
} from './dto/provider.dto.js';
import { missing } from './settings.js';

/** Shows providers, keeps their keys, and changes models. */
@Injectable()
export class ProviderAdmin {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly administration: CatalogueAdministration,
    private readonly tries: TriesReports,
    private readonly health: Health,
    private readonly deployments: Deployments,
  ) {}

  async list(): Promise<ProviderList> {
    const { snapshot } = this.catalogue;
    const tried = await this.tries.byProvider(Date.now() - RECENT_MS);
    const recent = new Map(tried.map((row) => [row.provider, row]));
    return {
      data: snapshot.providers.map(({ name }) => {
        const { tries = 0, failures = 0, p50_ms = null, p95_ms = null } = recent.get(name) ?? {};
        return {
          name,
          configured: snapshot.connection(name) !== undefined,
          credentials: this.catalogue.keySource(name),
          ...this.circuits(name),
          deployments: this.deploymentsOf(name),
          requests: tries,
          success_rate: tries > 0 ? (tries - failures) / tries : null,
          p50_ms,
          p95_ms,
        };
      }),
    };
  }

  /** @throws GatewayError 404 for an unknown provider. */
  credentials(provider: string): ProviderCredentials {
    this.confirm(provider);
    const source = this.catalogue.keySource(provider);
    const storedAt = this.administration.keyStoredAt(provider);
    return {
      provider,
      configured: source !== null,
      source,
      updated_at: storedAt === undefined ? null : isoOf(storedAt),
    };
  }

  /**
   * @throws GatewayError 400 for what is no key, for a provider that takes none, and without
   * `ENCRYPTION_KEY`; 404 for an unknown provider.
   */
  async setCredentials(
    provider: string,
    { api_key: key }: CredentialsBody,
  ): Promise<ProviderCredentials> {
    this.confirm(provider);
    if (provider === 'sandbox') throw invalidValue('name', 'the sandbox takes no key');
    if (!CREDENTIAL.test(key)) throw invalidValue('api_key', 'expected visible ASCII');
    await this.administration.setKey(provider, key);
    return this.credentials(provider);
  }

  /** @throws GatewayError 404 for an unknown provider. */
  async removeCredentials(provider: string): Promise<ProviderCredentials> {
    this.confirm(provider);
    await this.administration.removeKey(provider);
    return this.credentials(provider);
  }

  /**
   * Lays settings over a model's row in place of those that were laid over it before.
   *
   * @throws GatewayError 400 for a setting that makes no sense, 404 for an unknown model.
   */
  async changeModel(id: string, settings: ModelSettingsBody): Promise<ModelSettings> {
    const row = this.rowOf(id);
    const problems: string[] = [];
    const { pricing } = readOverride(settings, problems);
    const absent = pricing ? missingPrices(row.model.endpoints, pricing) : [];
    if (absent.length > 0) problems.push(`pricing needs ${absent.join(', ')} (0 if it is free)`);
    const [problem] = problems;
    if (problem !== undefined) {
      const param = problem.split(/[. ]/, 1)[0] ?? '';
      throw new GatewayError(400, 'invalid_value', `Invalid settings: ${problem}.`, { param });
    }
    await this.administration.override(id, settings);
    const { model, enabled } = this.rowOf(id);
    const { endpoints, regions = [] } = model;
    return { id, enabled, pricing: pricingObject(model.pricing, endpoints), regions };
  }

  private deploymentsOf(provider: string): DeploymentHealth[] {
    const connection = this.catalogue.snapshot.connection(provider);
    const states = connection ? this.deployments.states(connection) : [];
    return states.map(({ restMs, ...told }) => ({ ...told, rest_ms: restMs }));
  }

  /** A provider is as the worst model is that it serves: one may be disabled, or gone. */
  private circuits(provider: string): { circuit: Circuit; models: ModelCircuit[] } {
    const { snapshot } = this.catalogue;
    const models = this.health
      .models()
      .filter(({ model: id }) => id.startsWith(`${provider}/`) && snapshot.row(id)?.enabled)
      .map(({ p50Ms, ...told }) => ({ ...told, p50_ms: p50Ms }));
    const worst = (['open', 'half_open'] as const).find((one) =>
      models.some(({ circuit }) => circuit === one),
    );
    return { circuit: worst ?? 'closed', models };
  }

  private rowOf(id: string): CatalogueRow {
    const row = this.catalogue.snapshot.row(id);
    if (row) return row;
    throw missing('model', id);
  }

  private confirm(provider: string): void {
    const { providers } = this.catalogue.snapshot;
    if (!providers.some(({ name }) => name === provider)) throw missing('provider', provider);
  }
}

const RECENT_MS = 15 * 60_000;
