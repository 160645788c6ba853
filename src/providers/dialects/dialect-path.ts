import { type Endpoint } from '../../contract/endpoint.js';
import { type Model } from '../../contract/model.js';
import { type Place } from '../place.js';
import { type Dialect } from '../provider.js';

/** Makes the path of a call where a format is served at another one. */
export type PathTo = (
  path: string,
  call: { readonly model: Model; readonly place: Place },
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
          return { ...request, path: pathTo(request.path, call) };
        },
      },
    }),
    ...(codec && {
      codec: {
        ...codec,
        encode: (call) =>
          codec
            .encode(call)
            .map((upstreamCall) => ({ ...upstreamCall, path: pathTo(upstreamCall.path, call) })),
      },
    }),
  };
}
