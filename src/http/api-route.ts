import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader as ApiRequestHeader,
  ApiOperation,
  ApiResponse,
  DECORATORS,
  getSchemaPath,
} from '@nestjs/swagger';
import { type DocumentedError, errorDtos, errorResponses } from './api-errors.js';
import { type ErrorStatus } from './api-error-examples.js';
import {
  type ApiHeader,
  headerReferences,
  limitedHeaders,
  type RequestHeader,
  unlimitedHeaders,
} from './api-headers.js';
import { type ErrorFamily } from '../contract/error-family.js';

/** Examples by name; a name is also what the documentation calls the example. */
export type Examples = Readonly<Record<string, unknown>>;

/** What a route answers when it does what was asked. */
export interface AnswerDocs {
  readonly description: string;
  /** The DTO of the body; of several, the body is any one. */
  readonly type: Type | readonly Type[];
  readonly examples: Examples;
  /** The bytes of an event stream, where the route can stream. */
  readonly streams?: Readonly<Record<string, string>>;
  readonly headers?: readonly ApiHeader[];
}

/** A body of `multipart/form-data`. */
interface FormDocs {
  readonly description: string;
  readonly type: Type;
  /** The values of the fields; of a file its text. */
  readonly examples: Examples;
}

/** Everything that the OpenAPI document says of a route beside its parameters. */
export interface RouteDocs {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly family: ErrorFamily;
  /** `public` routes need no key, and look at one; `probes` take none, and are not rate limited either. */
  readonly access: 'key' | 'public' | 'probe';
  /** Request headers that mean something here. */
  readonly sends?: Readonly<Record<string, RequestHeader>>;
  /** Bodies that can be sent as they are to a gateway without any provider's key. */
  readonly requests?: Examples;
  /** Of a route that takes a form instead of JSON, or beside it. */
  readonly form?: FormDocs;
  /** The DTO of the JSON body, where a form may be sent as well. */
  readonly json?: Type;
  readonly answers: Readonly<Record<number, AnswerDocs>>;
  /** Beside those that every route of its access may answer with. */
  readonly errors?: readonly DocumentedError[];
}

/** Documents a route. */
export function ApiRoute(docs: RouteDocs): MethodDecorator {
  const { operationId, summary, description, family, access, requests, form, json, answers } = docs;
  const headers = access === 'probe' ? unlimitedHeaders() : limitedHeaders(family);
  const ofBody = requests || form ? OF_A_BODY : [];
  const errors = [...(docs.errors ?? []), ...ofBody, ...ALWAYS[access]];
  const types = Object.values(answers).flatMap(({ type }) => type);
  const calls = Object.values(answers).some((answer) => answer.headers?.includes(ATTEMPTS));
  const errorHeaders = calls ? [ATTEMPTS, ...headers] : headers;
  return applyDecorators(
    ApiOperation({
      operationId,
      summary,
      description,
      security: waysIn(access, family),
      ...(form && { requestBody: formBody(form, docs) }),
    }),
    ApiExtraModels(
      ...types,
      ...errorDtos(family),
      ...(form ? [form.type] : []),
      ...(json ? [json] : []),
    ),
    ...Object.entries(docs.sends ?? {}).map(([name, { description, values }]) =>
      ApiRequestHeader({
        name,
        description,
        required: false,
        schema: { type: 'string', ...(values && { enum: [...values] }) },
      }),
    ),
    ...(requests ? [RequestExamples(requests)] : []),
    ...Object.entries(answers).map(([status, answer]) =>
      ApiResponse({ status: Number(status), ...answerResponse(answer, headers) }),
    ),
    ...errorResponses(family, errors, errorHeaders).map((response) => ApiResponse(response)),
  );
}

/** Of calls to models, also when they fail. */
const ATTEMPTS: ApiHeader = 'x-causeway-attempts';

/** The error statuses that come from in front of every route. */
const ALWAYS: Record<RouteDocs['access'], readonly ErrorStatus[]> = {
  key: [401, 403, 429, 500, 503],
  public: [401, 429, 500],
  probe: [500],
};

/** The error statuses of a route whose body does not come. */
const OF_A_BODY: readonly ErrorStatus[] = [408];

/** Ways to send a key, each of which is enough. */
const SECURITY: Record<ErrorFamily, readonly string[]> = {
  openai: ['AuthBearer'],
  anthropic: ['AuthBearer', 'ApiKey'],
  fastapi: ['AuthBearer'],
};

/** An empty way is to send none. */
function waysIn(access: RouteDocs['access'], family: ErrorFamily): Record<string, string[]>[] {
  if (access === 'probe') return [];
  const keyed = SECURITY[family].map((scheme) => ({ [scheme]: [] }));
  return access === 'public' ? [{}, ...keyed] : keyed;
}

function answerResponse(
  { description, type, examples, streams, headers = [] }: AnswerDocs,
  usual: readonly ApiHeader[],
) {
  const schemas = [type].flat().map((dto) => ({ $ref: getSchemaPath(dto) }));
  const names = [...headers, ...(streams ? (['x-accel-buffering'] as const) : []), ...usual];
  return {
    description,
    headers: headerReferences(names),
    content: {
      'application/json': {
        schema: schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas },
        examples: named(examples),
      },
      ...(streams && {
        'text/event-stream': {
          schema: { type: 'string', description: 'Server-sent events.' },
          examples: named(streams),
        },
      }),
    },
  };
}

function formBody({ description, type, examples }: FormDocs, { json, requests = {} }: RouteDocs) {
  const content = {
    ...(json && {
      'application/json': { schema: { $ref: getSchemaPath(json) }, examples: named(requests) },
    }),
    'multipart/form-data': { schema: { $ref: getSchemaPath(type) }, examples: named(examples) },
  };
  return { description, required: true, content };
}

const BODY =
  'A JSON object in UTF-8, of at most 32 MB unless the operator set another limit; it may be sent as ' +
  'gzip, deflate or br.';

/** Adds examples to the body that the route's parameters have already declared. */
function RequestExamples(examples: Examples): MethodDecorator {
  return (_controller, _name, { value: handler }) => {
    const parameters = Reflect.getMetadata(DECORATORS.API_PARAMETERS, handler as object) as
      readonly { readonly in?: string }[] | undefined;
    const withExamples = parameters?.map((parameter) =>
      parameter.in === 'body'
        ? { ...parameter, description: BODY, examples: named(examples) }
        : parameter,
    );
    Reflect.defineMetadata(DECORATORS.API_PARAMETERS, withExamples, handler as object);
  };
}

/** `tool-call` shows as "Tool call". */
function named(examples: Examples) {
  return Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [
      name,
      { summary: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' '), value },
    ]),
  );
}
