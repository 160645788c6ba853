import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ADMIN_KEY, API_KEY } from './gateway.js';

export interface Schema {
  readonly [keyword: string]: any;
}

export interface Content {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, { summary: string; value: any }>>;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, { $ref: string }>>;
  /** Absent where a response has no body. */
  readonly content?: Readonly<Record<string, Content>>;
}

/** One operation of the document and where it stands. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

const ID = 'openapi';
/** Headers that HTTP itself, Node or a cache reads; all others are ours to document. */
const STANDARD = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/** A gateway's document, with its schemas ready to judge values. */
export class ApiDocument {
  readonly operations: readonly Operation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  private constructor(readonly json: any) {
    formats.default(this.ajv);
    this.ajv.addSchema(json, ID);
    this.operations = Object.entries<any>(json.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]) => ({ ...operation, path, method })),
    );
  }

  static async of(url: string): Promise<ApiDocument> {
    return new ApiDocument(await (await fetch(`${url}/docs/openapi.json`)).json());
  }

  operation(id: string): Operation {
    return this.operations.find(({ operationId }) => operationId === id)!;
  }

  /** What is wrong with a value by the schema at that place, such as `['components', 'schemas']`. */
  problems(place: readonly string[], value: unknown): string[] {
    const pointer = place
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = this.ajv.getSchema(`${ID}#/${pointer}`) as ValidateFunction;
    if (validate(value)) return [];
    return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** What the document does not say, or says otherwise, of a response that was really given. */
  async contradictions(operation: Operation, response: Response): Promise<string[]> {
    const { path, method } = operation;
    const status = String(response.status);
    const documented = operation.responses[status];
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    const text = await response.text();
    if (!documented) return [`status ${status}: ${text}`];
    if (!documented.content) {
      const body = text === '' ? [] : [`a body with ${status}`];
      return [...body, ...this.headerProblems(documented, response.headers)];
    }
    if (!documented.content[type]) return [`content type ${type} of ${status}`];
    const value = type === 'application/json' ? JSON.parse(text) : text;
    const place = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
    return [...this.problems(place, value), ...this.headerProblems(documented, response.headers)];
  }

  private headerProblems({ headers: documented }: DocumentedResponse, headers: Headers): string[] {
    const known = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].filter((name) => !STANDARD.has(name) && !known.has(name));
    const required = Object.keys(documented).filter(
      (name) => this.json.components.headers[name].required,
    );
    const missing = required.filter((name) => !headers.has(name));
    return [...unknown.map((name) => `header ${name}`), ...missing.map((name) => `no ${name}`)];
  }
}

/** An operation's path with the examples of its path parameters in it. */
function pathOf({ path, parameters }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters.find((parameter) => parameter.name === name)!.schema.example),
  );
}

/** Whether it is answered to nobody without a key. */
export function needsKey({ security }: Operation): boolean {
  return security.length > 0 && security.every((way) => Object.keys(way).length > 0);
}

/** A key that may do this, and one that may not. */
export function keysOf({ path }: Operation): { good: string; wrong: string } {
  return path.startsWith('/v3/admin/')
    ? { good: ADMIN_KEY, wrong: API_KEY }
    : { good: API_KEY, wrong: ADMIN_KEY };
}

/** The bodies that the document offers for an operation, by name. */
export function requestExamples({ requestBody }: Operation): [string, any][] {
  const [content] = Object.values(requestBody?.content ?? {});
  const { examples = {} } = content ?? {};
  return Object.entries(examples).map(([name, { value }]) => [name, value]);
}

/** Sends a request for an operation, by default its first example with a good key. */
export function send(
  url: string,
  operation: Operation,
  {
    path = pathOf(operation),
    key = keysOf(operation).good,
    headers = {},
    body = requestExamples(operation)[0]?.[1],
  }: {
    path?: string;
    key?: string | undefined;
    headers?: Record<string, string>;
    body?: unknown;
  } = {},
): Promise<Response> {
  const taken = operation.requestBody?.content ?? {};
  const isForm = typeof body === 'object' && FORM in taken && !('application/json' in taken);
  return fetch(url + path, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? formOf(body) : textOf(body) }),
  });
}

const FORM = 'multipart/form-data';

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The form with these values; a file has its value as its text. */
function formOf(values: object | null): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values ?? {})) {
    form.set(name, name === 'file' ? new File([value], 'file.txt') : String(value));
  }
  return form;
}
