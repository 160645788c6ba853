import { type Place } from '../../place.js';
import { type Codec, type Dialect, type Relay } from '../../provider.js';
import { withoutAutomaticCache } from '../automatic-cache.js';
import { anthropicCodec } from './anthropic-codec.js';
import { anthropicCountTokensRelay } from './anthropic-count-tokens.js';
import { anthropicHeaders, anthropicRelay } from './anthropic-relay.js';
import { messagesBody } from './anthropic-request.js';
import { cloudEdits } from './claude-edits.js';
import { vertexBetas } from './cloud-betas.js';
import { refuseBeyondCloud } from './claude-refusals.js';
import { vertexRoot } from '../gemini/vertex-path.js';

/**
 * Anthropic's Messages on Vertex AI: its own format, with the model in the path and the version in the
 * body. https://docs.anthropic.com/en/api/claude-on-vertex-ai
 */
const relay: Relay = {
  ...anthropicRelay,
  request: (call) => ({
    path: predictPath(call, call.model.name, call.stream ? 'streamRawPredict' : 'rawPredict'),
    headers: vertexHeaders(call.headers),
    edits: new Map([...cloudEdits(call), ...VERSION, ['model', undefined]]),
  }),
};

const codec: Codec<'messages'> = {
  ...anthropicCodec,
  encode: (call) => {
    refuseBeyondCloud(call.request, call.model);
    const { model: _inPath, ...body } = messagesBody(call);
    return [
      {
        path: predictPath(call, call.model.name, call.stream ? 'streamRawPredict' : 'rawPredict'),
        headers: vertexHeaders(call.headers),
        body: { json: { ...withoutAutomaticCache(body), anthropic_version: VERTEX_VERSION } },
        framing: call.stream ? 'sse' : 'none',
      },
    ];
  },
};

/** Counting is a model of its own there; the one that is asked about stays in the body. */
const countRelay: Relay = {
  ...anthropicCountTokensRelay,
  request: (call) => ({
    path: predictPath(call, 'count-tokens', 'rawPredict'),
    headers: vertexHeaders(call.headers, NOT_COUNTED),
    edits: new Map([['model', JSON.stringify(call.model.name)], ...cloudEdits(call), ...VERSION]),
  }),
};

/** Claude on Vertex: Anthropic’s format, but for where the model and the version stand. */
export const vertexAnthropic: Dialect<'messages'> = { format: 'anthropic', relay, codec };
/** Counting tokens for it. */
export const vertexAnthropicCount: Dialect<'count-tokens'> = {
  format: 'anthropic',
  relay: countRelay,
};

/** Counting refuses it where the call itself takes it. */
const NOT_COUNTED = new Set(['web-search-2025-03-05']);

function vertexHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  refused: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const betas = vertexBetas(headers['anthropic-beta']).filter((beta) => !refused.has(beta));
  return anthropicHeaders({
    ...headers,
    'anthropic-beta': betas.length > 0 ? betas.join(',') : undefined,
  });
}

const VERTEX_VERSION = 'vertex-2023-10-16';
const VERSION: readonly [string, string][] = [
  ['anthropic_version', JSON.stringify(VERTEX_VERSION)],
];

function predictPath({ place }: { place: Place }, model: string, method: string): string {
  // Google's own examples write the version's `@` as it is.
  const name = encodeURIComponent(model).replaceAll('%40', '@');
  return `${vertexRoot(place)}/publishers/anthropic/models/${name}:${method}`;
}
