import { type Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { type Rule } from './value-rule.js';

/** Under this name the field decorators register with class-validator. */
export const FIELD = 'causeway:field';
const SHAPE = 'causeway:shape';

/** What is said about one field of a DTO. */
export interface FieldSpec {
  readonly rule: Rule;
  /** A field that is not required may also be null, which is the same as leaving it out. */
  readonly required: boolean;
  /** What goes on in place of a field that is absent or null. */
  readonly whenAbsent?: unknown;
}

/** Which error body a refused request is answered with; it also decides whether values are coerced. */
export type AnswerStyle = 'http-validation' | 'openai';

/** What is said about a DTO as a whole. */
export interface ObjectShape {
  /** What the OpenAPI document calls it, where that is not the name of its class. */
  readonly schemaName?: string;
  /** Needed on a whole body only: a nested object follows its body. */
  readonly answersWith?: AnswerStyle;
  readonly unknownFields?: 'kept' | 'refused';
  /** Of these fields one is set and the others are absent or null. */
  readonly exactlyOneOf?: readonly string[];
  /** A request without any body counts as an empty object. */
  readonly mayBeAbsent?: true;
}

/** The fields of a DTO in the order of their declaration, those it inherits last. */
export function fieldsOf(dto: Type): readonly (FieldSpec & { readonly name: string })[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', false, false)
    .filter((metadata) => metadata.name === FIELD)
    .map((metadata) => {
      const [spec] = metadata.constraints as [FieldSpec];
      return { ...spec, name: metadata.propertyName };
    });
}

/** Notes what is said about a DTO as a whole. */
export function describeShape(dto: object, shape: ObjectShape): void {
  Reflect.defineMetadata(SHAPE, shape, dto);
}

/** What was said about this DTO itself, not about one it was made from. */
export function shapeOf(dto: Type): ObjectShape {
  return (Reflect.getOwnMetadata(SHAPE, dto) as ObjectShape | undefined) ?? {};
}
