import { GatewayError } from '../../contract/gateway-error.js';
import { NO_USAGE, type Usage } from '../../contract/usage.js';
import { type Member, scanArray, scanObject } from '../../json/scan.js';
import { type Codec, type Relay, type RelayedReply, type UpstreamReply } from '../provider.js';
import { errorIn } from './provider-error.js';
import { openaiEmbeddingsUsage } from './usage.js';

/**
 * OpenAI's embeddings for requests that fit one call, passed through without parsing the vectors.
 * https://platform.openai.com/docs/api-reference/embeddings
 */
export const openaiEmbeddingsRelay: Relay = {
  request: ({ model }) => ({
    path: '/embeddings',
    headers: {},
    edits: new Map([
      ['model', JSON.stringify(model.name)],
      // Free-form metadata is kept with the request; the provider refuses the field.
      ['metadata', undefined],
    ]),
  }),

  reply(bytes, { model, body }): RelayedReply | undefined {
    const members = scanObject(bytes);
    const find = (key: string) => members?.findLast((member) => member.key === key);
    const data = find('data');
    const usage = openaiEmbeddingsUsage(parseMember(bytes, find('usage')));
    if (!data) return errorReply(bytes, find('error'));
    if (!usage || !isOrdered(bytes, data, body.encoding_format === 'base64' ? '"' : '[')) {
      return undefined;
    }
    const splices = new Map([
      ['object', '"list"'],
      ['model', JSON.stringify(model.id)],
    ]);
    return { usage, splices, outputBytes: 0 };
  },
};

/** OpenAI's embeddings in as many calls as the model's limit on inputs wants, decoded to numbers. */
export const openaiEmbeddingsCodec: Codec<'embeddings'> = {
  encode({ request, model }) {
    const { metadata, ...forwarded } = request;
    return batches(request.input, model.capabilities.max_input_items ?? 2048).map((input) => ({
      path: '/embeddings',
      framing: 'none',
      body: { json: { ...forwarded, model: model.name, input } },
    }));
  },

  decode(replies) {
    const decoded = replies.map(readReply);
    return {
      result: {
        vectors: decoded.flatMap(({ vectors }) => vectors),
        promptTokens: total(decoded.map(({ promptTokens }) => promptTokens)),
        totalTokens: total(decoded.map(({ totalTokens }) => totalTokens)),
      },
      usage: sumOf(decoded.map(({ usage }) => usage)),
    };
  },
};

function errorReply(bytes: Buffer, error: Member | undefined): RelayedReply | undefined {
  const said = error && errorIn({ error: parseMember(bytes, error) });
  return said && { usage: undefined, splices: new Map(), outputBytes: 0, error: said };
}

/** Whether the vectors stand in the order of the input and in the encoding that was asked for. */
function isOrdered(bytes: Buffer, data: Member, opening: string): boolean {
  const items = scanArray(bytes, data.valueStart);
  return (
    items?.every(({ start }, position) => {
      const members = scanObject(bytes, start);
      const index = members?.find((member) => member.key === 'index');
      const vector = members?.find((member) => member.key === 'embedding');
      return (
        vector?.valueStart !== undefined &&
        bytes[vector.valueStart] === opening.charCodeAt(0) &&
        members?.some((member) => member.key === 'object') === true &&
        parseMember(bytes, index) === position
      );
    }) === true
  );
}

function parseMember(bytes: Buffer, member: Member | undefined): unknown {
  if (!member) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', member.valueStart, member.end)) as unknown;
  } catch {
    return undefined;
  }
}

type Input = string | readonly string[] | readonly number[] | readonly (readonly number[])[];

/** One array of tokens is one input; every other array is a list of inputs. */
function batches(input: Input, most: number): readonly Input[] {
  if (typeof input === 'string' || typeof input[0] === 'number' || input.length <= most) {
    return [input];
  }
  const parts: Input[] = [];
  for (let at = 0; at < input.length; at += most) parts.push(input.slice(at, at + most));
  return parts;
}

interface EmbeddingsBody {
  data?: unknown;
  usage?: { prompt_tokens?: unknown; total_tokens?: unknown } | null;
}

function readReply(reply: UpstreamReply): {
  vectors: (readonly number[])[];
  promptTokens: number | undefined;
  totalTokens: number | undefined;
  usage: Usage | undefined;
} {
  const body = parsed(reply);
  if (!Array.isArray(body?.data)) throw notEmbeddings();
  const vectors: (readonly number[])[] = [];
  body.data.forEach((entry: unknown, position) => {
    const item = entry as { index?: unknown; embedding?: unknown } | null;
    const index = typeof item?.index === 'number' ? item.index : position;
    const vector = toNumbers(item?.embedding);
    if (!vector || vectors[index] || index >= (body.data as unknown[]).length)
      throw notEmbeddings();
    vectors[index] = vector;
  });
  const usage = openaiEmbeddingsUsage(body.usage);
  const prompt = usage?.inputTokens;
  const totalTokens = body.usage?.total_tokens;
  return {
    vectors,
    promptTokens: prompt,
    totalTokens: typeof totalTokens === 'number' ? totalTokens : prompt,
    usage,
  };
}

function parsed(reply: UpstreamReply): EmbeddingsBody | null {
  try {
    return reply.json() as EmbeddingsBody | null;
  } catch {
    throw notEmbeddings();
  }
}

/** Numbers, or the base64 of little-endian float32. */
function toNumbers(embedding: unknown): readonly number[] | undefined {
  if (Array.isArray(embedding)) return embedding as number[];
  if (typeof embedding !== 'string') return undefined;
  const bytes = Buffer.from(embedding, 'base64');
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getFloat32(index * 4, true));
}

function total(counts: readonly (number | undefined)[]): number | undefined {
  return counts.includes(undefined)
    ? undefined
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

function sumOf(usages: readonly (Usage | undefined)[]): Usage | undefined {
  if (usages.includes(undefined)) return undefined;
  return { ...NO_USAGE, inputTokens: total(usages.map((usage) => usage?.inputTokens)) ?? 0 };
}

function notEmbeddings(): GatewayError {
  return new GatewayError(502, 'upstream_error', 'The provider sent an answer that is broken.');
}
