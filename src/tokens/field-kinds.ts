/**
 * What a field of a request holds where its name tells, alone or with what stands around it:
 * - `attachment` names one or holds its bytes, wherever it stands;
 * - `attached` does so in one of the holders, and may be text anywhere else;
 * - `drawing` is one in a call of image generation;
 * - `json` is what a model reads as JSON wherever it stands: schemas, examples, what most tools are called with;
 * - `call` is JSON in a call of a tool of Messages, and a conversation elsewhere;
 * - `sealed` is what a model has thought, for it to read again: `npm test -- src/tokens` has what
 *   providers have counted for it.
 */
export type FieldKind = 'attachment' | 'attached' | 'drawing' | 'json' | 'call' | 'sealed';

const KINDS: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries<FieldKind>({
    image_url: 'attachment',
    video_url: 'attachment',
    audio_url: 'attachment',
    file_url: 'attachment',
    file_id: 'attachment',
    file_data: 'attachment',
    b64_json: 'attachment',
    data: 'attached',
    url: 'attached',
    result: 'drawing',
    input_schema: 'json',
    input_examples: 'json',
    parameters: 'json',
    schema: 'json',
    arguments: 'json',
    input: 'call',
    encrypted_content: 'sealed',
    signature: 'sealed',
    thought_signature: 'sealed',
  }),
);

/** Objects in which a field that is `attached` is an attachment. */
const HOLDERS = new Set([
  ...['source', 'file', 'image', 'audio', 'video', 'input_audio', 'inline_data'],
  ...['image_url', 'video_url', 'audio_url'],
]);

/** Types of objects whose data is sealed. */
const SEALED_DATA: ReadonlySet<unknown> = new Set(['redacted_thinking', 'reasoning.encrypted']);

/** Undefined for most fields. */
export function kindOfField(name: string): FieldKind | undefined {
  return KINDS.get(name);
}

/**
 * @param type of the object that the field is in.
 * @param holder the field that this object is.
 */
export function isAttachment(kind: FieldKind | undefined, type: unknown, holder: string): boolean {
  if (kind === 'attached') return type !== 'text' && HOLDERS.has(holder);
  return kind === 'attachment' || (kind === 'drawing' && type === 'image_generation_call');
}

/** @param type as for `isAttachment`; that of a call of a tool ends so. */
export function isJson(kind: FieldKind | undefined, type: unknown): boolean {
  return (
    kind === 'json' || (kind === 'call' && typeof type === 'string' && type.endsWith('tool_use'))
  );
}

/** @param type as for `isAttachment`. */
export function isSealed(kind: FieldKind | undefined, type: unknown): boolean {
  return kind === 'sealed' || (kind === 'attached' && SEALED_DATA.has(type));
}
