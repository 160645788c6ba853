import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyCheck } from '../src/http/body-check.js';
import { CreateImageEditBody } from '../src/images/dto/create-image-edit-body.dto.js';
import { type RunningGateway, startGateway } from './support/gateway.js';
import { ApiDocument, type Schema } from './support/openapi.js';

describe('the schemas of the OpenAPI document', () => {
  let gateway: RunningGateway;
  let document: ApiDocument;
  beforeAll(async () => {
    gateway = await startGateway();
    document = await ApiDocument.of(gateway.url);
  });
  afterAll(() => gateway.close());

  const schemas = (): Record<string, Schema> => document.json.components.schemas;

  it('describes every field and leaves none without a type', () => {
    const wrong: string[] = [];
    for (const [name, schema] of Object.entries(schemas())) {
      for (const [place, field] of fieldsIn(schema, name)) {
        if (!field.description) wrong.push(`${place}: no description`);
        if (!isTyped(field)) wrong.push(`${place}: no type`);
      }
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(schemas()).filter((name) => /^Object$|Dto$/.test(name))).toEqual([]);
  });

  it('states the limits of the Messages body', () => {
    const { AnthropicMessagesBody: body, Message, ContentBlock } = schemas();
    expect(body).toMatchObject({ required: ['model', 'messages'], additionalProperties: true });
    expect(body!.properties).toMatchObject({
      max_tokens: { type: ['integer', 'null'], minimum: 1, default: 1024 },
      temperature: { type: ['number', 'null'], minimum: 0, maximum: 2 },
      top_p: { type: ['number', 'null'], minimum: 0, maximum: 1 },
      top_k: { type: ['integer', 'null'] },
      stream: { type: ['boolean', 'null'], default: false },
      system: {
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }, { type: 'null' }],
      },
      stop_sequences: { type: ['array', 'null'], items: { type: 'string' } },
      fallbacks: { type: ['array', 'null'], maxItems: 3, items: { type: 'string' } },
      extra_headers: { type: ['object', 'null'], additionalProperties: { type: 'string' } },
    });
    expect(Message).toMatchObject({
      required: ['role', 'content'],
      additionalProperties: true,
      properties: {
        role: { enum: ['user', 'assistant', 'system'] },
        content: {
          anyOf: [
            { type: 'string' },
            { type: 'array', items: { $ref: '#/components/schemas/ContentBlock' } },
          ],
        },
      },
    });
    expect(ContentBlock).toMatchObject({ required: ['type'], additionalProperties: true });
  });

  it('states the limits of the other bodies', () => {
    const { CreateImageBody: image, CreateEmbeddingsBody: embeddings, ImageRef } = schemas();
    expect(image).toMatchObject({ required: ['model', 'prompt'], additionalProperties: true });
    expect(image!.properties).toMatchObject({
      prompt: { type: 'string', minLength: 1, maxLength: 32000 },
      n: { type: ['integer', 'null'], minimum: 1, maximum: 10 },
      size: { type: ['string', 'null'] },
    });
    expect(schemas().CreateImageEditBody!.properties.images).toMatchObject({
      minItems: 1,
      maxItems: 16,
    });
    expect(ImageRef).toMatchObject({ additionalProperties: false });
    expect(embeddings).toMatchObject({ required: ['model', 'input'], additionalProperties: true });
    const integers = { type: 'array', items: { type: 'integer' } };
    expect(embeddings!.properties).toMatchObject({
      input: {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { type: 'string' } },
          integers,
          { type: 'array', items: integers },
        ],
      },
      encoding_format: { enum: ['float', 'base64', null], default: 'float' },
      dimensions: { type: ['integer', 'null'], minimum: 1 },
    });
  });

  it.each([
    [{ file_id: 'a' }, true],
    [{ image_url: 'data:' }, true],
    [{ file_id: null, image_url: 'data:' }, true],
    [{ file_id: 'a', image_url: null }, true],
    [{ file_id: 'a', image_url: 'data:' }, false],
    [{ file_id: null, image_url: null }, false],
    [{ file_id: null }, false],
    [{}, false],
    [{ file_id: 'a', url: 'data:' }, false],
  ])('takes the image reference %j as the service does: %s', (reference, taken) => {
    const problems = document.problems(['components', 'schemas', 'ImageRef'], reference);
    expect(problems.length === 0).toBe(taken);
    const body = { model: 'sandbox/image', prompt: 'A', images: [reference] };
    const { check } = bodyCheck(CreateImageEditBody, { embeddingsMaxInputs: 1 });
    expect(check(body).problems.length === 0).toBe(taken);
  });

  it('requires of the answers what they always have', () => {
    const all = schemas();
    expect(all.AnthropicMessagesResponse!.required).toEqual(['id', 'model', 'content', 'usage']);
    expect(all.Usage!.required).toEqual(['input_tokens', 'output_tokens']);
    expect(all.ImageItem!.required).toEqual(['b64_json', 'url', 'revised_prompt']);
    expect(all.ValidationError!.required).toEqual(['loc', 'msg', 'type']);
    expect(all.HTTPValidationError!.properties.detail.items).toEqual({
      $ref: '#/components/schemas/ValidationError',
    });
    expect(all.ImagesResponse!.properties.cost.type).toEqual(['number', 'null']);
  });
});

/** Every field of a schema, those of schemas inside it too. */
function fieldsIn(schema: Schema, place: string): [string, Schema][] {
  const fields = Object.entries<Schema>(schema.properties ?? {});
  const inner = [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])];
  return [
    ...fields.flatMap(([name, field]): [string, Schema][] => [
      [`${place}.${name}`, field],
      ...fieldsIn(field, `${place}.${name}`),
    ]),
    ...inner
      .filter((each) => typeof each === 'object')
      .flatMap((each: Schema) => fieldsIn(each, place)),
  ];
}

/** A type, of an object also what may be in it. */
function isTyped(schema: Schema): boolean {
  const forms = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (forms) return forms.every(isTyped);
  if (schema.$ref) return true;
  const types = [schema.type].flat();
  if (types.includes('object')) return 'properties' in schema || 'additionalProperties' in schema;
  if (types.includes('array')) return schema.items !== undefined;
  return types[0] !== undefined;
}
