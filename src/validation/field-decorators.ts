import { ApiExtraModels, ApiHideProperty, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { registerDecorator } from 'class-validator';
import { describeShape, FIELD, type FieldSpec, type ObjectShape } from './dto-metadata.js';
import { Refusal } from './validation-problem.js';
import { readerOf, type Terms } from './dto-reader.js';
import { type Rule } from './value-rule.js';
import { referredDtos, type RuleSchema, ruleSchema } from './openapi-schema.js';

/** What the documentation says of a field beside its rule. */
export interface FieldDocs {
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
}

/** A field that must be there: registers its rule with class-validator and its OpenAPI schema. */
export function Field(rule: Rule, docs: FieldDocs = {}): PropertyDecorator {
  return field({ rule, required: true }, docs);
}

/** A field that may be left out or null; `whenAbsent` is what goes on in its place. */
export function OptionalField(
  rule: Rule,
  { whenAbsent, ...docs }: FieldDocs & { readonly whenAbsent?: unknown } = {},
): PropertyDecorator {
  if (whenAbsent === undefined) return field({ rule, required: false }, docs);
  return field({ rule, required: false, whenAbsent }, { default: whenAbsent, ...docs });
}

/** A DTO of a JSON object; fields it does not name are kept unless it says otherwise. */
export function JsonObject(shape: ObjectShape = {}): ClassDecorator {
  return (dto) => {
    describeShape(dto, shape);
    const schema = {
      name: shape.schemaName ?? dto.name,
      additionalProperties: shape.unknownFields !== 'refused',
      ...(shape.exactlyOneOf && { oneOf: shape.exactlyOneOf.map(isSet) }),
    };
    ApiSchema(schema)(dto);
  };
}

/** The schema of the objects that have this field, other than as null. */
function isSet(name: string): object {
  return { required: [name], properties: { [name]: { not: { type: 'null' } } } };
}

/** For class-validator's own `validate`, which knows neither settings nor coercion. */
const AS_THEY_ARE: Terms = {
  strictness: 'strict',
  limits: { embeddingsMaxInputs: Infinity },
  mostProblems: 1,
};

function field(spec: FieldSpec, docs: FieldDocs): PropertyDecorator {
  const { rule, required } = spec;
  return (prototype, property) => {
    registerDecorator({
      name: FIELD,
      target: prototype.constructor,
      propertyName: String(property),
      constraints: [spec],
      validator: {
        validate: (value: unknown) =>
          (!required && (value ?? null) === null) ||
          !(readerOf(rule, AS_THEY_ARE)(value) instanceof Refusal),
      },
    });
    ApiExtraModels(...referredDtos(rule))(prototype.constructor);
    const describe =
      rule.kind === 'unsupported' ? ApiHideProperty() : ApiProperty(documented(spec, docs));
    describe(prototype, property);
  };
}

function documented({ rule, required }: FieldSpec, docs: FieldDocs): object {
  const schema = ruleSchema(rule);
  const stated = rule.kind === 'nested' ? { type: () => rule.dto } : schema;
  return { ...stated, ...docs, required, ...(!required && orNull(schema)) };
}

/** What lets null through as well; `nullable` would wrap a union in another one. */
function orNull({ anyOf }: RuleSchema): object {
  return anyOf ? { anyOf: [...anyOf, { type: 'null' }] } : { nullable: true };
}
