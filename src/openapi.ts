import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** The OpenAPI document of everything that is served, generated from the code. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Causeway')
    .setVersion('3.0.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'AuthBearer')
    .build();
  return SwaggerModule.createDocument(app, options);
}

/** Swagger UI at `/docs`, the document at `/docs/openapi.json`. */
export function serveDocumentation(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'docs/openapi.json',
  });
}
