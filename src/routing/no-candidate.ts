import { GatewayError } from '../contract/gateway-error.js';
import { type Dropped } from './rank-models.js';

/** So many models are named in a message; of the others it says how many there are. */
const MOST_NAMED = 50;

/** The error of a request that no model can take, with the reason for each. */
export function noCandidate(dropped: readonly Dropped[]): GatewayError {
  const named = dropped.slice(0, MOST_NAMED).map(({ model, reason }) => `${model}: ${reason}`);
  const more = dropped.length - named.length;
  const reasons = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  const message = 'No model that you may use can take this request';
  return new GatewayError(
    400,
    'router_no_candidate',
    reasons ? `${message}: ${reasons}.` : `${message}.`,
    { param: 'model' },
  );
}
