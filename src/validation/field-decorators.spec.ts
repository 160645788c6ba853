import { describe, expect, it } from '@jest/globals';
import { Controller, type INestApplication, Module, Post } from '@nestjs/common';
import { ApiResponse, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ChatCompletionsBody } from '../chat/dto/chat-completions-body.dto.js';
import { CONFIG } from '../config/config.js';
import { CreateEmbeddingsBody } from '../embeddings/dto/create-embeddings-body.dto.js';
import { CreateImageBody } from '../images/dto/create-image-body.dto.js';
import { CreateImageEditBody } from '../images/dto/create-image-edit-body.dto.js';
import { AnthropicMessagesBody } from '../messages/dto/anthropic-messages-body.dto.js';
import { CountTokensBody } from '../messages/dto/count-tokens-body.dto.js';
import { bodyCheck } from '../http/body-check.js';
import { Field, JsonObject } from './field-decorators.js';
import { HTTPValidationError } from '../http/http-validation-error.dto.js';
import { text } from './value-rule.js';
import { ValidBody } from '../http/valid-body.js';

@Controller()
class EveryBodyController {
  @Post('messages')
  @ApiResponse({ status: 422, type: HTTPValidationError })
  messages(@ValidBody(AnthropicMessagesBody) body: unknown) {
    return body;
  }

  @Post('count')
  count(@ValidBody(CountTokensBody) body: unknown) {
    return body;
  }

  @Post('chat')
  chat(@ValidBody(ChatCompletionsBody) body: unknown) {
    return body;
  }

  @Post('embeddings')
  embeddings(@ValidBody(CreateEmbeddingsBody) body: unknown) {
    return body;
  }

  @Post('images')
  images(@ValidBody(CreateImageBody) body: unknown) {
    return body;
  }

  @Post('edits')
  edits(@ValidBody(CreateImageEditBody) body: unknown) {
    return body;
  }
}

@Module({
  controllers: [EveryBodyController],
  providers: [{ provide: CONFIG, useValue: { bodyLimitBytes: 1000, embeddingsMaxInputs: 10 } }],
})
class EveryBodyModule {}

describe('the document of the DTOs', () => {
  it('is OpenAPI 3.1 and says what the checks check', async () => {
    const module = await Test.createTestingModule({ imports: [EveryBodyModule] }).compile();
    const app: INestApplication = module.createNestApplication();
    const options = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
    const document = SwaggerModule.createDocument(app, options);
    const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    expect(await new Validator().validate(plain)).toMatchObject({ valid: true });

    const schemas = document.components?.schemas as Record<string, any>;
    expect(Object.keys(schemas).sort()).toEqual([
      'AnthropicMessagesBody',
      'ChatCompletionsBody',
      'ContentBlock',
      'CountTokensBody',
      'CreateEmbeddingsBody',
      'CreateImageBody',
      'CreateImageEditBody',
      'HTTPValidationError',
      'HedgingOptions',
      'ImageRef',
      'Message',
      'RoutingOptions',
      'ValidationError',
    ]);
    const { properties, required, additionalProperties } = schemas['AnthropicMessagesBody'];
    expect([required, additionalProperties]).toEqual([['model', 'messages'], true]);
    expect(properties.max_tokens).toMatchObject({
      type: ['integer', 'null'],
      minimum: 1,
      default: 1024,
    });
    expect(properties.temperature).toMatchObject({
      type: ['number', 'null'],
      minimum: 0,
      maximum: 2,
    });
    expect(properties.fallbacks).toMatchObject({ type: ['array', 'null'], maxItems: 3 });
    expect(properties.extra_headers).toMatchObject({ additionalProperties: { type: 'string' } });
    expect(properties.messages.items).toEqual({ $ref: '#/components/schemas/Message' });
    expect(schemas['Message'].properties.role.enum).toEqual(['user', 'assistant', 'system']);
    const list = (items: object) => ({ type: 'array', items });
    const map = { type: 'object', additionalProperties: true };
    expect(schemas['Message'].properties.content.anyOf).toEqual([
      { type: 'string' },
      list({ $ref: '#/components/schemas/ContentBlock' }),
    ]);
    expect(properties.system.anyOf).toEqual([{ type: 'string' }, list(map), { type: 'null' }]);
    expect(schemas['ContentBlock'].properties.content.anyOf).toEqual([
      { type: 'string' },
      list({}),
      map,
      { type: 'null' },
    ]);
    expect(schemas['CreateImageBody'].properties.prompt).toMatchObject({
      minLength: 1,
      maxLength: 32_000,
    });
    expect(schemas['CreateImageBody'].properties).not.toHaveProperty('fallbacks');
    expect(schemas['ImageRef'].additionalProperties).toBe(false);
    expect(schemas['ValidationError'].required).toEqual(['loc', 'msg', 'type']);
    expect(document.paths['/edits']?.post?.requestBody).toMatchObject({
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/CreateImageEditBody' } },
      },
    });
    await app.close();
  });
});

describe('a DTO that does not say how it answers', () => {
  it('is an error at the start', () => {
    @JsonObject()
    class SilentBody {
      @Field(text())
      name!: string;
    }
    expect(() => bodyCheck(SilentBody, { embeddingsMaxInputs: 1 })).toThrow('SilentBody');
  });
});
