import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  mixin,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CONFIG, type Config } from '../config/config.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { bodyCheck, type BodyCheck } from './body-check.js';
import { checkedRequest } from './checked-request.js';
import { shapeOf } from '../validation/dto-metadata.js';
import { type GatewayRequest } from './gateway-request.js';

/**
 * The request's body as a `CheckedBody` of the DTO, read only now that the guards have let the
 * request pass. It also documents the body.
 */
export function ValidBody<T extends object>(dto: Type<T>): ParameterDecorator {
  const decorate = createParamDecorator(
    (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<GatewayRequest>(),
    [
      (controller, method) => {
        documentBody(controller, method, dto);
      },
    ],
  );
  return decorate(pipeFor(dto));
}

/** A pipe class for each DTO, so that its check is compiled when the application starts. */
function pipeFor<T extends object>(dto: Type<T>): Type<PipeTransform> {
  class BodyPipe implements PipeTransform<GatewayRequest, Promise<CheckedBody<T>>> {
    private readonly check: BodyCheck;

    constructor(@Inject(CONFIG) private readonly config: Config) {
      this.check = bodyCheck(dto, config);
    }

    transform(request: GatewayRequest): Promise<CheckedBody<T>> {
      return checkedRequest(request, this.check, this.config);
    }
  }
  return mixin(BodyPipe);
}

function documentBody(controller: object, method: string | symbol | undefined, dto: Type): void {
  if (method === undefined) return;
  const descriptor = Object.getOwnPropertyDescriptor(controller, method);
  const required = !shapeOf(dto).mayBeAbsent;
  if (descriptor) ApiBody({ type: dto, required })(controller, method, descriptor);
}
