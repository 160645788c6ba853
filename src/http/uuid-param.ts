import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { unprocessable } from './body-refusals.js';
import { type GatewayRequest } from './gateway-request.js';
import { readUuid } from '../validation/uuid.js';
import { validationEntries } from './validation-entries.js';

/** A UUID in the path, in its canonical form; another text is a 422. */
export const UuidParam = createParamDecorator((name: string, context: ExecutionContext) => {
  const { params } = context.switchToHttp().getRequest<GatewayRequest>();
  const value = String(params[name]);
  const reading = readUuid(value);
  if ('uuid' in reading) return reading.uuid;
  const problem = { type: 'uuid_parsing', place: [name], value, ctx: reading } as const;
  throw unprocessable(validationEntries([problem], 'path'));
});
