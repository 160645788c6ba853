import { type Place } from '../place.js';
import { type Codec, type Dialect, type Relay } from '../provider.js';
import { anthropicCodec } from './anthropic-codec.js';
import { anthropicCountTokensRelay } from './anthropic-count-tokens.js';
import { anthropicHeaders, anthropicRelay } from './anthropic-relay.js';
import { messagesBody } from './anthropic-request.js';
import { vertexRoot } from './vertex-path.js';

/**
 * Anthropic's Messages on Vertex AI: its own format, with the model in the path and the version in the
 * body. https://docs.anthropic.com/en/api/claude-on-vertex-ai
 */
const relay: Relay = {
  ...anthropicRelay,
  request: (call) => {
    const { headers, edits } = anthropicRelay.request(call);
    const path = predictPath(call, call.model.name, call.stream);
    return { path, headers, edits: new Map([...edits, ...VERSION, ['model', undefined]]) };
  },
};

const codec: Codec<'messages'> = {
  ...anthropicCodec,
  encode: (call) => {
    const { model: _inPath, ...body } = messagesBody(call);
    return [
      {
        path: predictPath(call, call.model.name, call.stream),
        headers: anthropicHeaders(call.headers),
        body: { json: { ...body, anthropic_version: VERTEX_VERSION } },
        framing: call.stream ? 'sse' : 'none',
      },
    ];
  },
};

/** Counting is a model of its own there; the one that is asked about stays in the body. */
const countRelay: Relay = {
  ...anthropicCountTokensRelay,
  request: (call) => {
    const { headers, edits } = anthropicCountTokensRelay.request(call);
    const path = predictPath(call, 'count-tokens', false);
    return { path, headers, edits: new Map([...edits, ...VERSION]) };
  },
};

/** Claude on Vertex: Anthropic’s format, but for where the model and the version stand. */
export const vertexAnthropic: Dialect<'messages'> = { format: 'anthropic', relay, codec };
/** Counting tokens for it. */
export const vertexAnthropicCount: Dialect<'count-tokens'> = {
  format: 'anthropic',
  relay: countRelay,
};

const VERTEX_VERSION = 'vertex-2023-10-16';
const VERSION: readonly [string, string][] = [
  ['anthropic_version', JSON.stringify(VERTEX_VERSION)],
];

function predictPath({ place }: { place: Place }, model: string, stream: boolean): string {
  // Google's own examples write the version's `@` as it is.
  const name = encodeURIComponent(model).replaceAll('%40', '@');
  const method = stream ? 'streamRawPredict' : 'rawPredict';
  return `${vertexRoot(place)}/publishers/anthropic/models/${name}:${method}`;
}
