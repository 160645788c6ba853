import { type Endpoint } from '../../contract/endpoint.js';
import { type Model } from '../../contract/model.js';
import { type Fields } from '../../json/values.js';
import { type Place } from '../place.js';
import { type Dialect } from '../provider.js';

/**
 * Makes the path of a call where a format is served at another one, or refuses the call.
 *
 * @throws GatewayError 400 for what is not served there.
 */
export type PathTo = (
  path: string,
  call: {
    readonly model: Model;
    readonly place: Place;
    /** In the caller's words, or translated into the neutral ones. */
    readonly asked: Fields;
  },
) => string;

/** The same format at other paths. */
export function atPath<E extends Endpoint>(dialect: Dialect<E>, pathTo: PathTo): Dialect<E> {
  const { relay, codec } = dialect;
  return {
    ...dialect,
    ...(relay && {
      relay: {
        ...relay,
        request: (call) => {
          const request = relay.request(call);
          return { ...request, path: pathTo(request.path, { ...call, asked: call.body }) };
        },
      },
    }),
    ...(codec && {
      codec: {
        ...codec,
        encode: (call) =>
          codec.encode(call).map((made) => {
            return { ...made, path: pathTo(made.path, { ...call, asked: call.request }) };
          }),
      },
    }),
  };
}
