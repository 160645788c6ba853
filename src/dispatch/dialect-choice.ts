import { type Endpoint } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Dialect, type Target } from '../providers/provider.js';
import { sandbox } from '../providers/sandbox/sandbox.js';
import { type Call, isPlayed } from './call.js';

/** How the target serves the endpoint for this request; undefined where it does not. */
export function dialectFor<E extends Endpoint>(
  { body }: Call,
  { model, connection }: Target,
  endpoint: E,
): Dialect<E> | undefined {
  const asked = body.value as Readonly<Record<string, unknown>>;
  return connection.provider.endpoints[endpoint]?.find(
    ({ serves }) => serves?.(model, asked) ?? true,
  );
}

/** A sandbox key may name any model; the sandbox answers in the formats that it speaks itself. */
export function playedBySandbox(call: Call, target: Target): Target {
  if (!isPlayed(call)) return target;
  const { model, connection } = target;
  const provider = { ...connection.provider, endpoints: sandbox.endpoints };
  return { model, connection: { ...connection, provider } };
}

/** The model cannot be asked for this. */
export function unserved({ path }: Call, { model }: Target): GatewayError {
  const message = `Model(s) ${model.id} do not support ${path}`;
  return new GatewayError(400, 'model_not_supported', message, { param: 'model' });
}
