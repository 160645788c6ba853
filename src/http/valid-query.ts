import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  mixin,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { bodyCheck, type BodyCheck } from './body-check.js';
import { unprocessable } from './body-refusals.js';
import { type GatewayRequest } from './gateway-request.js';
import { validationEntries } from './validation-entries.js';

/**
 * The query as the DTO says, read as FastAPI reads one: values are coerced, of a parameter given
 * twice the last one counts, unknown ones are left alone, and problems are a 422.
 */
export function ValidQuery<T extends object>(dto: Type<T>): ParameterDecorator {
  const decorate = createParamDecorator((_: unknown, context: ExecutionContext) => {
    const { originalUrl } = context.switchToHttp().getRequest<GatewayRequest>();
    const at = originalUrl.indexOf('?');
    return new URLSearchParams(at < 0 ? '' : originalUrl.slice(at));
  });
  return decorate(pipeFor(dto));
}

function pipeFor<T extends object>(dto: Type<T>): Type<PipeTransform> {
  class QueryPipe implements PipeTransform<URLSearchParams, T> {
    private readonly check: BodyCheck;

    constructor(@Inject(CONFIG) config: Config) {
      this.check = bodyCheck(dto, config);
    }

    transform(query: URLSearchParams): T {
      const value = Object.fromEntries(query);
      const { problems } = this.check.check(value);
      if (problems.length > 0) throw unprocessable(validationEntries(problems, 'query'));
      return value as T;
    }
  }
  return mixin(QueryPipe);
}
