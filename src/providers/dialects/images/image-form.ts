import { type FormPart } from '../../upstream-body.js';

/** Fields as the text parts of a form; a list is a part for each of its items. */
export function formValues(fields: Readonly<Record<string, unknown>>): FormPart[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((item) => ({
      name,
      value: typeof item === 'string' ? item : JSON.stringify(item),
    })),
  );
}
