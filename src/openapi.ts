import { type INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import { API_HEADERS } from './http/api-headers.js';
import { INTRODUCTION, TAGS } from './openapi/introduction.js';
import { STYLE } from './openapi/style.js';

const DOCUMENT: Omit<OpenAPIObject, 'paths'> = {
  openapi: '3.1.0',
  info: {
    title: 'Causeway',
    version: '3.0.0',
    description: INTRODUCTION,
  },
  servers: [{ url: '/', description: 'This gateway' }],
  tags: [...TAGS],
  components: {
    headers: API_HEADERS,
    securitySchemes: {
      AuthBearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key of this gateway, sent as `Authorization: Bearer <key>`.',
      },
      ApiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description:
          'The same key, as Anthropic’s clients may send it; under `/v3/v1/` only. ' +
          '`Authorization` wins when both are sent.',
      },
    },
  },
};

/**
 * Swagger UI at `/docs`, the document at `/docs/openapi.json`; it is built and written when first asked for.
 */
export function serveDocumentation(app: INestApplication): void {
  let document: OpenAPIObject | undefined;
  let json: Buffer | undefined;
  const documented = (): OpenAPIObject =>
    (document ??= SwaggerModule.createDocument(app, DOCUMENT));
  app.use('/docs', documentationHeaders, sharedTexts());
  app.getHttpAdapter().get('/docs/openapi.json', (_request: Request, response: Response) => {
    json ??= Buffer.from(JSON.stringify(documented()));
    response.type('application/json').send(json);
  });
  SwaggerModule.setup('docs', app, documented, {
    raw: false,
    customSiteTitle: 'Causeway API',
    customCss: STYLE,
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
    },
  });
}

/** The page loads nothing from elsewhere and calls this gateway only; its styles are inline. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

function documentationHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set(HEADERS);
  next();
}

/** Longer than the page and than any error, which is another one each time; the script has 1 MB. */
const SHARED_FROM = 65_536;

/**
 * Express middleware that writes a long text as the same bytes for everybody. Express would make a copy for
 * each answer, and nobody needs a key to ask for many and read none.
 */
function sharedTexts() {
  const shared = new Map<string, Buffer>();
  return (_request: Request, response: Response, next: NextFunction): void => {
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      if (typeof body !== 'string' || body.length < SHARED_FROM) return send(body);
      const bytes = shared.get(body) ?? Buffer.from(body);
      shared.set(body, bytes);
      return send(bytes);
    };
    next();
  };
}
