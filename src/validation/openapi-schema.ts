import { getSchemaPath } from '@nestjs/swagger';
import { type Type } from '@nestjs/common';
import { type NumberRule, type Rule } from './value-rule.js';

/** The part of an OpenAPI 3.1 schema that a rule can state. */
export interface RuleSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly $ref?: string;
  readonly anyOf?: readonly RuleSchema[];
  readonly [keyword: string]: unknown;
}

/** The OpenAPI schema of the values that a rule lets through. */
export function ruleSchema(rule: Rule): RuleSchema {
  switch (rule.kind) {
    case 'text':
      return stated({ type: 'string', minLength: rule.least, maxLength: rule.most });
    case 'model-id':
      return { type: 'string' };
    case 'int':
      return { type: 'integer', ...numberBounds(rule) };
    case 'float':
      return { type: 'number', ...numberBounds(rule) };
    case 'bool':
      return { type: 'boolean' };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'one-of':
      return { type: 'string', enum: [...rule.values] };
    case 'list':
      return stated({
        type: 'array',
        items: ruleSchema(rule.of),
        minItems: rule.least,
        maxItems: typeof rule.most === 'number' ? rule.most : undefined,
      });
    case 'dict':
      return { type: 'object', additionalProperties: rule.of ? ruleSchema(rule.of) : true };
    case 'nested':
      return { $ref: getSchemaPath(rule.dto) };
    case 'either':
    case 'also-in':
      return { anyOf: formsOf(rule).map(ruleSchema) };
    case 'anything':
    case 'unsupported':
      return {};
  }
}

/** The DTOs that a rule refers to. */
export function referredDtos(rule: Rule): readonly Type[] {
  switch (rule.kind) {
    case 'nested':
      return [rule.dto];
    case 'list':
      return referredDtos(rule.of);
    case 'dict':
      return rule.of ? referredDtos(rule.of) : [];
    case 'either':
    case 'also-in':
      return formsOf(rule).flatMap(referredDtos);
    default:
      return [];
  }
}

/** The forms of a union, those of a union inside it too; a plain rule is its own only one. */
function formsOf(rule: Rule): readonly Rule[] {
  if (rule.kind === 'either') return rule.branches.flatMap(formsOf);
  if (rule.kind === 'also-in') return [rule.usual, rule.other].flatMap(formsOf);
  return [rule];
}

function numberBounds({ ge, le }: NumberRule): object {
  return stated({ minimum: ge, maximum: le });
}

function stated<T extends object>(schema: T): T {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as T;
}
