import { GatewayError } from '../contract/gateway-error.js';
import { type ProviderConnection, type ServerEvent } from '../providers/provider.js';

/** Shorter texts are no keys, and may stand in any sentence. */
const SHORTEST_KEY = 8;

/**
 * The keys and the addresses with which a provider is called. Providers repeat what they were sent,
 * and their words go on to callers, for whom neither is meant.
 */
export class Secrets {
  private readonly parts: readonly (readonly [secret: string, name: string])[];

  constructor(connection: ProviderConnection) {
    const ways = connection.deployments ?? [connection];
    this.parts = ways.flatMap(({ baseUrl, apiKey = '' }) => [
      ...(apiKey.length < SHORTEST_KEY ? [] : [[apiKey, '[key]'] as const]),
      [baseUrl.host, '[host]'] as const,
    ]);
  }

  /** What went wrong, as a caller may hear of it. */
  hiddenInError(error: unknown): unknown {
    if (!(error instanceof GatewayError)) return error;
    const { cause, ...details } = error.details;
    const said = JSON.stringify({ message: error.message, details });
    const told = this.hidden(said);
    if (told === said) return error;
    const kept = JSON.parse(told) as Pick<GatewayError, 'message' | 'details'>;
    return new GatewayError(error.status, error.code, kept.message, { ...kept.details, cause });
  }

  /** An event that tells of an error, as a caller may hear of it; undefined where it may as it is. */
  hiddenInEvent({ data: said, name }: ServerEvent): ServerEvent | undefined {
    const data = this.hidden(said);
    if (data === said || !(ERROR_NAME.test(name ?? '') || ERROR_MEMBER.test(said)))
      return undefined;
    // Only between its tokens can JSON have lines, and a frame has one for all of it.
    return { name, data: data.replaceAll('\n', ' ') };
  }

  private hidden(text: string): string {
    return this.parts.reduce((told, [secret, name]) => told.replaceAll(secret, name), text);
  }
}

const ERROR_NAME = /error|exception|failed/i;
/** In a text it would stand with backslashes. */
const ERROR_MEMBER = /"error"\s*:\s*["{]/;
