import { GatewayError } from '../contract/gateway-error.js';
import { PIXEL } from '../http/api-call-examples.js';
import { USUAL_ERRORS } from '../http/api-error-examples.js';
import { CALL_ERRORS } from '../http/api-errors.js';
import { CALL_HEADERS, CALL_REQUEST_HEADERS } from '../http/api-headers.js';
import { type RouteDocs } from '../http/api-route.js';
import { CreateImageEditBody } from './dto/create-image-edit-body.dto.js';
import { ImageEditForm } from './dto/image-edit-form.dto.js';
import { ImagesResponse } from './dto/images-response.dto.js';

const source = { image_url: `data:image/png;base64,${PIXEL}` };
const item = { b64_json: PIXEL, url: null, revised_prompt: null };
const image = {
  created: 1795203857,
  data: [item],
  output_format: 'png',
  size: '1024x1024',
  usage: { total_tokens: 4103, input_tokens: 7, output_tokens: 4096 },
  cost: 0.01,
  provider: 'sandbox',
};

const route = {
  family: 'openai',
  access: 'key',
  sends: CALL_REQUEST_HEADERS,
  answers: {
    200: {
      description: 'The images.',
      type: ImagesResponse,
      headers: CALL_HEADERS,
      examples: {
        inline: image,
        hosted: {
          ...image,
          data: [{ ...item, b64_json: null, url: 'https://images.example/7f3a.png' }],
          usage: null,
        },
      },
    },
  },
} as const satisfies Partial<RouteDocs>;

/** `POST /v3/images/generations` */
export const GENERATE_IMAGES: RouteDocs = {
  ...route,
  operationId: 'generateImages',
  summary: 'Generate images',
  description: `Makes images from a prompt, in the format of
[OpenAI’s images](https://platform.openai.com/docs/api-reference/images/create). An image comes inline as
base64 or as an address, whichever \`response_format\` asks for, else as its provider gives it; an
address of the gateway’s own needs no key and is good for a day. More images than the provider makes at
once are made by several calls. The model decides which sizes and qualities it
takes. Fields that are not listed go on to the provider as they came; \`fallbacks\` and \`@router\` are
not supported here. With \`stream: true\` the answer is whole all the same.`,
  requests: {
    image: { model: 'sandbox/image', prompt: 'A lighthouse in a storm, oil on canvas' },
    'two-small-images': {
      model: 'sandbox/image',
      prompt: 'A lighthouse in a storm, oil on canvas',
      n: 2,
      size: '256x256',
      user: 'user-42',
    },
  },
  errors: [...CALL_ERRORS, 507],
};

/** `POST /v3/images/edits` */
export const EDIT_IMAGES: RouteDocs = {
  ...route,
  operationId: 'editImages',
  summary: 'Edit images',
  description: `Changes up to 16 images as a prompt says; the first is the canvas, the others are
references. A \`mask\` marks what to change in the canvas. In JSON an image is given by \`image_url\`,
which is a \`data:image/…;base64,…\` address or, for providers that take it, one that begins with
\`https://\`, or by \`file_id\`, the id of an upload. In a form the images are files. They are PNG, JPEG,
WebP or GIF, of at most 50 MB and 100 million pixels.`,
  json: CreateImageEditBody,
  form: {
    description:
      'A JSON object, or a form with the images as files and every other field as a text; parts may come in any order.',
    type: ImageEditForm,
    examples: {
      'one-image': {
        model: 'sandbox/image',
        prompt: 'Make it night',
        size: '256x256',
        image: ['(a file)'],
      },
    },
  },
  requests: {
    'one-image': {
      model: 'sandbox/image',
      prompt: 'Make it night',
      size: '256x256',
      images: [source],
    },
    'canvas-reference-and-mask': {
      model: 'sandbox/image',
      prompt: 'Put the second picture into the first',
      size: '256x256',
      images: [source, source],
      mask: source,
    },
  },
  errors: [
    ...CALL_ERRORS,
    507,
    ...USUAL_ERRORS[404].examples,
    new GatewayError(404, 'file_not_found', "No such file: 'b2f7'.", {
      param: 'images[0].file_id',
    }),
  ],
};
