import { type Placed, textIn, unsupported } from '../http/request-fields.js';

/** The refusal of an item, a part or a tool that has no counterpart, or that does not say its type. */
export function unknownType(place: Placed): Error {
  const type = textIn(place, 'type');
  return unsupported(`${place.at}.type`, `'${type}' has no counterpart for this model.`);
}
