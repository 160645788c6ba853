import { GatewayError } from '../contract/gateway-error.js';
import { type ProviderConnection, type ServerEvent } from '../providers/provider.js';

/** Shorter texts are no keys, and may stand in any sentence. */
const SHORTEST_KEY = 8;

/** Longer answers are vectors and pictures, which repeat nothing and would take time to search. */
const LONGEST_ECHO_BYTES = 1024 * 1024;

/** What is hidden, and what stands in its place. */
type Part = readonly [secret: string, name: string];

/**
 * The keys and the addresses with which a provider is called, and the project of a cloud that pays for it.
 * Providers repeat what they were sent, and their words go on to callers, for whom none of it is meant.
 */
export class Secrets {
  private readonly keys: readonly Part[];
  private readonly places: readonly Part[];

  constructor(connection: ProviderConnection) {
    const ways = connection.deployments ?? [connection];
    this.keys = ways.flatMap(({ apiKey = '' }) =>
      apiKey.length < SHORTEST_KEY ? [] : [[apiKey, '[key]'] as const],
    );
    const { project } = connection.place;
    this.places = [
      ...ways.map(({ baseUrl }): Part => [baseUrl.host, '[host]']),
      ...(project === undefined ? [] : [[`projects/${project}`, 'projects/[project]'] as const]),
    ];
  }

  /** A good answer, as a caller may read it: a host may stand in any, a key of ours in none. */
  hiddenInAnswer(bytes: Buffer): Buffer {
    if (bytes.length > LONGEST_ECHO_BYTES) return bytes;
    if (!this.keys.some(([key]) => bytes.includes(key))) return bytes;
    return Buffer.from(hidden(bytes.toString('latin1'), this.keys), 'latin1');
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

  /** An event, as a caller may hear of it; undefined where it may as it is. */
  hiddenInEvent({ data: said, name }: ServerEvent): ServerEvent | undefined {
    if (this.hidden(said) === said) return undefined;
    const isError = ERROR_NAME.test(name ?? '') || ERROR_MEMBER.test(said);
    const data = isError ? this.hidden(said) : hidden(said, this.keys);
    if (data === said) return undefined;
    // Only between its tokens can JSON have lines, and a frame has one for all of it.
    return { name, data: data.replaceAll('\n', ' ') };
  }

  private hidden(text: string): string {
    return hidden(hidden(text, this.keys), this.places);
  }
}

function hidden(text: string, parts: readonly Part[]): string {
  return parts.reduce((told, [secret, name]) => told.replaceAll(secret, name), text);
}

const ERROR_NAME = /error|exception|failed/i;
/** In a text it would stand with backslashes. */
const ERROR_MEMBER = /"error"\s*:\s*["{]/;
