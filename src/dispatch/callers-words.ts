import { GatewayError } from '../contract/gateway-error.js';
import { type NeutralRequest } from '../contract/neutral.js';
import { originOf } from '../contract/origin.js';
import { type Fields } from '../json/values.js';
import { type Surface } from './surface.js';

/** A refused request: as its caller wrote it, and as the codec was given it. */
interface Refused {
  readonly body: Fields;
  readonly request: NeutralRequest;
  readonly surface: Surface;
}

/**
 * A codec's refusal, which names a place of the neutral shape, with the place of the caller's own request
 * instead: the part that the refused one was made of, else the field that the surface read it from.
 */
export function inCallersWords(error: unknown, refused: Refused): unknown {
  if (!(error instanceof GatewayError) || !refused.surface.names) return error;
  const { status, code, message, details } = error;
  if (details.param === undefined || status !== 400) return error;
  const param = partAt(details.param, refused) ?? fieldAt(details.param, refused);
  const said = message.replace(details.param, () => param);
  return new GatewayError(status, code, said, { ...details, param });
}

/** The place of the innermost part on the way that says where it comes from. */
function partAt(param: string, { body, request, surface }: Refused): string | undefined {
  const steps = stepsOf(param);
  let value: unknown = request;
  let found: { readonly origin: string; readonly rest: readonly string[] } | undefined;
  for (const [index, step] of steps.entries()) {
    value = memberOf(value, step);
    const origin = isHolder(value) ? originOf(value) : undefined;
    if (origin !== undefined) found = { origin, rest: steps.slice(index + 1) };
  }
  if (!found) return undefined;
  let at = found.origin;
  for (const step of found.rest) {
    // Two lists need not have the same places.
    const next = `${at}.${surface.names?.members.get(step) ?? step}`;
    if (isIndex(step) || valueAt(body, next) === undefined) break;
    at = next;
  }
  return at;
}

/** The first field of the caller's by which the longest known part of the path may have been said. */
function fieldAt(param: string, { body, surface }: Refused): string {
  const steps = stepsOf(param);
  for (let length = steps.length; length > 0; length--) {
    const known = steps.slice(0, length).join('.');
    const fields = surface.names?.fields.get(known);
    if (!fields) continue;
    const said = fields.find((field) => (valueAt(body, field) ?? null) !== null) ?? fields[0];
    return said === undefined || said === known ? param : said;
  }
  return param;
}

/** `tools[0].type` as `tools`, `0` and `type`. */
function stepsOf(path: string): readonly string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '');
}

function valueAt(body: Fields, path: string): unknown {
  return stepsOf(path).reduce<unknown>(memberOf, body);
}

function memberOf(value: unknown, step: string): unknown {
  return isHolder(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** An object or a list. */
function isHolder(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isIndex(step: string): boolean {
  return /^\d+$/.test(step);
}
