import { type Endpoint } from '../../src/contract/endpoint.js';
import { type GatewayError } from '../../src/contract/gateway-error.js';
import { type SourceImage } from '../../src/contract/images.js';
import { type Capabilities, type Pricing } from '../../src/contract/model.js';
import { PROVIDERS } from '../../src/providers/providers.js';
import {
  type CallContext,
  type Codec,
  type UpstreamCall,
  type UpstreamReply,
} from '../../src/providers/provider.js';
import { Base64File } from '../../src/providers/upstream-body.js';

type ImageEndpoint = Extract<Endpoint, 'images' | 'image-edits'>;

/** How a call is set up, where it is not the usual one. */
export interface Setting {
  readonly capabilities?: Capabilities;
  readonly pricing?: Pricing;
  readonly path?: string;
}

/** A provider's image codec with a call to one of its models. */
export interface ImageTrial {
  readonly codec: Codec<'images'>;
  readonly call: CallContext<'images'>;
}

/** A call with these fields; with source images it is an edit. */
export function trial(
  id: string,
  fields: Readonly<Record<string, unknown>> = {},
  { capabilities = {}, pricing = { perImage: 1n }, path = '' }: Setting = {},
): ImageTrial {
  const provider = PROVIDERS.find(({ name }) => id.startsWith(`${name}/`))!;
  const endpoint: ImageEndpoint = 'images' in fields ? 'image-edits' : 'images';
  const codec = provider.endpoints[endpoint]![0]!.codec as Codec<'images'>;
  const name = id.slice(provider.name.length + 1);
  const model = {
    ...{ id, name, provider: provider.name, endpoints: [endpoint], created: 0, listed: true },
    ...{ capabilities, pricing },
  };
  const call = {
    ...{ model, headers: {}, stream: false, inputEstimate: 1, id: 'req_1', created: 1_700_000_000 },
    place: { project: 'p', region: 'us-central1', path },
    request: { model: id, prompt: 'A cat', ...fields },
  };
  return { codec, call };
}

/** The calls that a request leads to. */
export function encoded(...made: Parameters<typeof trial>): readonly UpstreamCall[] {
  const { codec, call } = trial(...made);
  return codec.encode(call);
}

/** The one JSON body that a request leads to, with files as `<prefix|bytes>`. */
export function sentJson(...made: Parameters<typeof trial>): any {
  const [only] = encoded(...made);
  return readable((only!.body as { json: object }).json);
}

/** The one form that a request leads to, as pairs; a file is `name: type`. */
export function sentForm(...made: Parameters<typeof trial>): readonly [string, string][] {
  const [only] = encoded(...made);
  const { form } = only!.body as Extract<UpstreamCall['body'], { form: unknown }>;
  return form.map((part) => [
    part.name,
    'value' in part ? part.value : `${part.fileName}: ${part.file.type}`,
  ]);
}

function readable(value: unknown): unknown {
  if (value instanceof Base64File) return `<${value.prefix}|${value.file.size} bytes>`;
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, readable(member)]),
  );
}

/** What a function threw. */
export function thrown(work: () => unknown): GatewayError {
  try {
    work();
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error('nothing was thrown');
}

/** A source image of four bytes. */
export const FILE: SourceImage = {
  file: new Blob(['1234'], { type: 'image/png' }),
  mediaType: 'image/png',
  name: 'cat.png',
};
export const URL_SOURCE: SourceImage = { url: 'https://images.example/cat.png' };

/** A whole answer. */
export function reply(body: unknown, status = 200): UpstreamReply {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { status, headers: {}, bytes, json: () => JSON.parse(bytes.toString()) as unknown };
}
