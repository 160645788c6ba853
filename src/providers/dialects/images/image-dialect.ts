import {
  type Codec,
  type Dialect,
  type Decoded,
  type UpstreamCall,
  type UpstreamReply,
} from '../../provider.js';
import { type ImageCall, notTaken } from './image-request.js';
import { type Sources } from './image-sources.js';

/** How a provider makes images; with sources it changes them. */
export interface ImageDialect {
  readonly encode: (call: ImageCall, sources: Sources) => readonly UpstreamCall[];
  readonly decode: (replies: readonly UpstreamReply[], call: ImageCall) => Decoded<'images'>;
  readonly next?: (
    reply: UpstreamReply,
    call: ImageCall,
    asked?: UpstreamCall,
  ) => UpstreamCall | undefined;
  readonly cancel?: (reply: UpstreamReply) => UpstreamCall | undefined;
  readonly begun?: (
    reply: UpstreamReply,
    call: ImageCall,
  ) => Pick<Decoded<'images'>, 'image' | 'charged'>;
  readonly failure?: Codec<'images'>['failure'];
}

/** One translation at both of the image endpoints, which differ in their sources only. */
export function imageEndpoints({ encode, decode, ...rest }: ImageDialect): {
  images: readonly [Dialect<'images'>];
  'image-edits': readonly [Dialect<'image-edits'>];
} {
  return {
    images: [
      {
        format: 'native',
        codec: {
          ...rest,
          decode,
          encode: (call) => {
            checkFormat(call);
            refuseSources(call);
            return encode(call, { images: [] });
          },
        },
      },
    ],
    'image-edits': [
      {
        format: 'native',
        codec: {
          ...rest,
          decode: (replies, call) => ({ ...decode(replies, call) }),
          encode: (call) => {
            checkFormat(call);
            return encode(call, call.request);
          },
        },
      },
    ],
  };
}

/** Several formats of one provider, told apart by the model. */
export function imageDialectBy(pick: (name: string) => ImageDialect): ImageDialect {
  return {
    encode: (call, sources) => pick(call.model.name).encode(call, sources),
    decode: (replies, call) => pick(call.model.name).decode(replies, call),
    next: (reply, call, asked) => pick(call.model.name).next?.(reply, call, asked),
  };
}

/** The gateway honours it, whatever the provider gives; what it does not know nobody would. */
function checkFormat(call: ImageCall): void {
  const { response_format: format } = call.request;
  if (format == null || FORMATS.has(format)) return;
  throw notTaken(call, 'response_format', 'It may be url or b64_json.');
}

/** `base64` is Together's own word; Hugging Face's client says it to fal, too, which gives addresses. */
const FORMATS = new Set(['url', 'b64_json', 'base64']);

/** References belong to the other endpoint; here a provider would pass over them. */
function refuseSources(call: ImageCall): void {
  for (const field of ['images', 'mask']) {
    const given = (call.request as Readonly<Record<string, unknown>>)[field];
    if (given === undefined || given === null) continue;
    throw notTaken(call, field, 'Images are changed by /v3/images/edits.');
  }
}
