import { type CallContext, type Codec, type ServerEvent } from '../../provider.js';
import { anthropicCodec } from './anthropic-codec.js';
import { withoutAutomaticCache } from '../automatic-cache.js';
import { claudeBetas, claudeVersion } from './bedrock-anthropic-relay.js';
import { claudeError } from '../converse/bedrock-errors.js';
import { bedrockPath } from '../converse/bedrock-model.js';
import { callersEvents } from './claude-spelling.js';
import { refuseBeyondCloud } from './claude-refusals.js';

/**
 * Claude on Bedrock by Anthropic's own body, for callers of another format.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
 */
export const bedrockAnthropicCodec: Codec<'messages'> = {
  ...anthropicCodec,

  encode: (call) => [
    {
      path: bedrockPath(call.model.name, call.stream ? 'invoke-with-response-stream' : 'invoke'),
      body: { json: claudeBody(call) },
      framing: call.stream ? 'aws-event-stream' : 'none',
    },
  ],

  decodeStream: (events, call) => callersEvents(withErrors(events), call),
};

async function* withErrors(events: AsyncIterable<ServerEvent>): AsyncGenerator<ServerEvent> {
  for await (const event of events) yield claudeError(event) ?? event;
}

/**
 * A Messages request as InvokeModel takes it for a Claude.
 * @throws GatewayError 400 for what it lacks there.
 */
export function claudeBody(call: CallContext<'messages'>): object {
  refuseBeyondCloud(call.request, call.model);
  const [upstream] = anthropicCodec.encode(call);
  const body = upstream?.body && 'json' in upstream.body ? upstream.body.json : {};
  const {
    model: _inThePath,
    stream: _byThePath,
    anthropic_version: version,
    anthropic_beta: own,
    ...fields
  } = withoutAutomaticCache(body as Record<string, unknown>);
  const betas = claudeBetas(call.headers, own);
  return {
    ...fields,
    anthropic_version: claudeVersion(version),
    ...(betas && { anthropic_beta: betas }),
  };
}
