import { GatewayError } from '../contract/gateway-error.js';
import { type Dropped } from './rank-models.js';

/** So many models of a reason are named in a message; of the others it says how many there are. */
const MOST_NAMED = 10;

/** The error of a request that no model can take, with the models of each reason. */
export function noCandidate(dropped: readonly Dropped[]): GatewayError {
  const message = 'No model that you may use can take this request';
  const reasons = [...Map.groupBy(dropped, ({ reason }) => reason)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, models]) => {
      const more = models.length - MOST_NAMED;
      const named = models.slice(0, MOST_NAMED).map(({ model }) => model);
      return `${reason}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    });
  return new GatewayError(
    400,
    'router_no_candidate',
    `${[message, ...(reasons.length > 0 ? [reasons.join('; ')] : [])].join(': ')}.`,
    { param: 'model' },
  );
}
