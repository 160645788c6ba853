import { ConfigError } from '../config/read-config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { Impossible, Misuse } from './command.js';
import { optionOf } from './given.js';
import { plainReason } from './plain-reason.js';
import { visible } from './table.js';

/** What is said of a failure: a line for each thing that is wrong. */
export function linesOf(error: unknown): readonly string[] {
  return (error instanceof ConfigError ? error.problems : [lineOf(error)]).map(visible);
}

/** 2 where the command line is wrong, 1 where something else is. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof Misuse || isWrongValue(error) ? 2 : 1;
}

function lineOf(error: unknown): string {
  if (error instanceof Impossible) return error.message;
  if (!(error instanceof GatewayError)) return plainReason(error);
  const { message, details } = error;
  const { param, cause } = details;
  if (cause !== undefined) return `${message} ${plainReason(cause)}`;
  if (param === undefined || !isWrongValue(error)) return message;
  const option = optionOf(param);
  const words = message.replace(/^Missing required parameter: .*/, 'is needed');
  const reason = words.replace(/^Invalid (type for )?'[^']*': /, '').replace(/\.$/, '');
  return reason.startsWith('is needed') ? `${option} ${reason}` : `${option}: ${reason}`;
}

/** The services name the field that is wrong; `id` is what a command names, not how it is used. */
function isWrongValue(error: unknown): boolean {
  return (
    error instanceof GatewayError &&
    error.status === 400 &&
    error.details.param !== undefined &&
    error.details.param !== 'id'
  );
}
