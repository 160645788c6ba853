import { ApiParam } from '@nestjs/swagger';
import { GatewayError, type ValidationEntry } from '../contract/gateway-error.js';
import { type QueryDocs } from '../http/api-query.js';
import { type RouteDocs } from '../http/api-route.js';
import { unprocessable } from '../http/body-refusals.js';
import { UploadForm } from './dto/file-requests.dto.js';
import { DeletedFiles, FileList, FileResponse, UploadResponse } from './dto/file-response.dto.js';
import { fileNotFound } from './file-answers.js';
import { unsupported } from './file-kind.js';

const ID = '0b6f1f2e-8d0c-4c53-9a57-3f1f6a1d2c4b';
const FILE = {
  file_id: ID,
  file_name: 'prices.csv',
  file_size: 21,
  file_mimetype: 'text/csv',
  purpose: 'general',
  metadata: {},
  created_at: '2026-11-20T09:30:00.000Z',
  expires_at: '2026-12-20T09:30:00.000Z',
};
const COMMON = { family: 'fastapi', access: 'key' } as const;
const NOT_FOUND = fileNotFound();

/** The id in a path. */
export const FileIdParam = ApiParam({
  name: 'file_id',
  description: 'The `file_id` of a file.',
  schema: { type: 'string', format: 'uuid', example: ID },
});

/** The query of `GET /v3/upload`. */
export const LIST_QUERIES: Readonly<Record<string, QueryDocs>> = {
  purpose: {
    description: 'Only files that were uploaded for this.',
    schema: { type: 'string', maxLength: 50 },
  },
  page: {
    description: 'Which page, from 1.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  limit: {
    description: 'How many files a page has.',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
};

/** `POST /v3/upload` */
export const UPLOAD_FILE: RouteDocs = {
  ...COMMON,
  operationId: 'uploadFile',
  summary: 'Upload a file',
  description: `Keeps a file for some days. Images may be edited by their \`file_id\` (\`POST /v3/images/edits\`);
a conversation takes files whole, and a \`file_id\` there is one of the model's own provider. What a file is is
told by its content: PNG, JPEG, WebP, GIF, PDF, UTF-8 text, CSV, JSON, MP3, WAV, MP4 or an office document
(OOXML, OpenDocument), of at most 100 MB; anything else is 415, and so is an image that is declared as
another type than it has. Images may have 100 million pixels. Every key of the account can use the file.`,
  form: {
    description: 'A form with the file and what is to be done with it.',
    type: UploadForm,
    examples: {
      table: { file: 'name,price\napple,1.5\n', expires_in_days: 7, purpose: 'general' },
    },
  },
  answers: {
    200: {
      description: 'The file, as it is kept.',
      type: UploadResponse,
      examples: { table: FILE },
    },
  },
  errors: [
    new GatewayError(400, 'invalid_request', 'The form is broken: Unexpected end of form.'),
    new GatewayError(413, 'request_too_large', 'The file is larger than 104857600 bytes.'),
    unsupported('The type is not known.'),
    wrong({ type: 'missing', loc: ['body', 'file'], msg: 'Field required' }),
    507,
  ],
};

/** `GET /v3/upload` */
export const LIST_FILES: RouteDocs = {
  ...COMMON,
  operationId: 'listFiles',
  summary: 'List your files',
  description: 'The files of your account that have not expired, newest first.',
  answers: {
    200: {
      description: 'A page of files.',
      type: FileList,
      examples: {
        'one-file': { items: [FILE], total: 1, page: 1, limit: 100, total_pages: 1 },
      },
    },
  },
  errors: [
    wrong({
      type: 'greater_than_equal',
      loc: ['query', 'page'],
      msg: 'Input should be greater than or equal to 1',
      ctx: { ge: 1 },
    }),
  ],
};

/** `DELETE /v3/upload` */
export const DELETE_ALL_FILES: RouteDocs = {
  ...COMMON,
  operationId: 'deleteAllFiles',
  summary: 'Delete all of your files',
  description: 'Deletes every file of your account.',
  answers: { 200: deleted(3) },
};

/** `POST /v3/upload/delete` */
export const DELETE_FILES: RouteDocs = {
  ...COMMON,
  operationId: 'deleteFiles',
  summary: 'Delete several files',
  description: 'Deletes the files of your account by these ids; unknown ones are passed over.',
  requests: { 'one-file': { file_ids: [ID] } },
  answers: { 200: deleted(1) },
  errors: [
    400,
    413,
    415,
    wrong({
      type: 'too_short',
      loc: ['body', 'file_ids'],
      msg: 'List should have at least 1 item after validation, not 0',
      ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
    }),
  ],
};

/** `GET /v3/upload/{file_id}` */
export const GET_FILE: RouteDocs = {
  ...COMMON,
  operationId: 'getFile',
  summary: 'See one of your files',
  description: 'What is known of a file. Its bytes are for other endpoints only.',
  answers: { 200: { description: 'The file.', type: FileResponse, examples: { table: FILE } } },
  errors: [400, NOT_FOUND, wrongId()],
};

/** `DELETE /v3/upload/{file_id}` */
export const DELETE_FILE: RouteDocs = {
  ...COMMON,
  operationId: 'deleteFile',
  summary: 'Delete one of your files',
  description: 'Deletes a file of your account.',
  answers: { 200: deleted(1) },
  errors: [400, NOT_FOUND, wrongId()],
};

function deleted(count: number) {
  return {
    description: 'How many were deleted.',
    type: DeletedFiles,
    examples: { deleted: { deleted_count: count } },
  };
}

function wrong(entry: ValidationEntry): GatewayError {
  return unprocessable([entry]);
}

function wrongId(): GatewayError {
  const error = 'invalid character: found `n` at 1';
  return wrong({
    type: 'uuid_parsing',
    loc: ['path', 'file_id'],
    msg: `Input should be a valid UUID, ${error}`,
    ctx: { error },
  });
}
