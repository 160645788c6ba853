import { type RawEvent, type Relay, type RelayContext, type StreamTap } from '../../provider.js';
import { anthropicRelay } from './anthropic-relay.js';
import { bedrockBetas } from './cloud-betas.js';
import { claudeError } from '../converse/bedrock-errors.js';
import { cloudEdits } from './claude-edits.js';
import { bedrockPath } from '../converse/bedrock-model.js';

/**
 * Claude on Bedrock by Anthropic's own body: the model stands in the path, version and betas in the
 * body, and an exception in a stream becomes Anthropic's error event. The metrics that AWS adds to the
 * last event pass, as they do through Anthropic's SDK.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
 */
export const bedrockAnthropicRelay: Relay = {
  ...anthropicRelay,

  request({ model, headers, body, stream }) {
    const betas = claudeBetas(headers, body.anthropic_beta);
    return {
      path: bedrockPath(model.name, stream ? 'invoke-with-response-stream' : 'invoke'),
      headers: {},
      edits: new Map([
        ['model', undefined],
        ['stream', undefined],
        ['anthropic_version', JSON.stringify(claudeVersion(body.anthropic_version))],
        ...(betas ? ([['anthropic_beta', JSON.stringify(betas)]] as const) : []),
        ...cloudEdits({ body, model }),
      ]),
      framing: 'aws-event-stream',
    };
  },

  stream: (call) => withErrors(anthropicTap(call), call.id),
};

/** The version of the body that Bedrock knows; the caller may name another of Bedrock's. */
export function claudeVersion(asked: unknown): string {
  return typeof asked === 'string' && asked.startsWith('bedrock-') ? asked : 'bedrock-2023-05-31';
}

/** The caller's betas: those in the body as they are, those of the header as far as Bedrock goes. */
export function claudeBetas(
  headers: Readonly<Record<string, string>>,
  inBody: unknown,
): readonly unknown[] | undefined {
  const own: readonly unknown[] = Array.isArray(inBody) ? inBody : [];
  const betas = [...new Set([...own, ...bedrockBetas(headers['anthropic-beta'])])];
  return betas.length > 0 ? betas : undefined;
}

function anthropicTap(call: RelayContext): StreamTap {
  const tap = anthropicRelay.stream?.(call);
  if (!tap) throw new Error('Anthropic streams');
  return tap;
}

function withErrors(tap: StreamTap, requestId?: string): StreamTap {
  const take = tap.take.bind(tap);
  return Object.assign(tap, {
    take: (event: RawEvent) => take(framedError(event, requestId) ?? event),
  });
}

function framedError(event: RawEvent, requestId: string | undefined): RawEvent | undefined {
  const error = claudeError(event, { requestId });
  if (!error) return undefined;
  return { ...error, bytes: Buffer.from(`event: error\ndata: ${error.data}\n\n`) };
}
