import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type BodyCheck, bodyCheck } from '../http/body-check.js';
import { checkedRequest } from '../http/checked-request.js';
import { cutOff } from '../http/discard-rest.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { isJson } from '../http/media-type.js';
import { CreateImageBody } from './dto/create-image-body.dto.js';
import { CreateImageEditBody } from './dto/create-image-edit-body.dto.js';
import { readEditForm } from './edit-form.js';
import { type EditInput, fromForm, fromJson } from './edit-input.js';
import { ScratchFiles } from './scratch-files.service.js';

/** Reads an edit in the form that its `Content-Type` names. */
@Injectable()
class EditPipe implements PipeTransform<GatewayRequest, Promise<EditInput>> {
  private readonly json: BodyCheck;
  private readonly form: BodyCheck;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly scratch: ScratchFiles,
  ) {
    this.json = bodyCheck(CreateImageEditBody, config);
    this.form = bodyCheck(CreateImageBody, config);
  }

  async transform(request: GatewayRequest): Promise<EditInput> {
    const type = request.headers['content-type'];
    const files = this.scratch.forRequest();
    if (isJson(type)) return fromJson(await checkedRequest(request, this.json, this.config), files);
    if (!/^multipart\/form-data(\s*;|\s*$)/i.test(type ?? '')) throw unsupported(request, NEITHER);
    if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
      throw unsupported(request, 'A form is taken without a content encoding only.');
    }
    try {
      return fromForm(await readEditForm(request, files), this.form, files);
    } catch (error) {
      await files.dispose();
      throw error;
    }
  }
}

const fromRequest = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<GatewayRequest>(),
);

/** The request's body as an `EditInput`, read only now that the guards have let the request pass. */
export const EditBody = () => fromRequest(EditPipe);

const NEITHER = 'Send the edit as application/json or as multipart/form-data.';

function unsupported(request: GatewayRequest, message: string): GatewayError {
  return cutOff(request, new GatewayError(415, 'unsupported_media_type', message));
}
