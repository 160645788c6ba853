import { type Type } from '@nestjs/common';
import { type CheckedBody } from '../contract/checked-body.js';

/**
 * Fields that have passed the checks of the management API's own body.
 *
 * @throws GatewayError 400 that names the first field which is wrong.
 */
export async function checkedFields<T extends object>(
  dto: Type<T>,
  fields: object,
): Promise<CheckedBody<T>> {
  const { bodyCheck } = await import('../http/body-check.js');
  const { BODY_REFUSALS } = await import('../http/body-refusals.js');
  const value = { ...fields };
  const bytes = Buffer.from(JSON.stringify(value));
  const { problems, edits } = bodyCheck(dto, NO_LIMITS).check(value);
  const [first, ...rest] = problems;
  if (first) throw BODY_REFUSALS.openai.problems([first, ...rest]);
  return { value: value as T, bytes, edits };
}

/** No body of the management API is bounded by a setting. */
const NO_LIMITS = { embeddingsMaxInputs: 0 };
