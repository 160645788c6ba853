import { type Fields, membersOf } from '../json/values.js';
import { type Ability } from './ability.js';

const ATTACHMENTS: ReadonlyMap<string, Ability> = new Map(
  Object.entries({
    image: 'image_input',
    image_url: 'image_input',
    input_image: 'image_input',
    document: 'document_input',
    file: 'document_input',
    input_file: 'document_input',
    container_upload: 'document_input',
    input_audio: 'audio_input',
    audio: 'audio_input',
    audio_url: 'audio_input',
    video: 'video_input',
    video_url: 'video_input',
    input_video: 'video_input',
    computer_screenshot: 'image_input',
    image_generation_call: 'image_input',
    additional_tools: 'tools',
    tool_use: 'tools',
    tool_result: 'tools',
  }),
);

/** Calls of tools and what came of them, as items of responses. */
const TOOL_ITEM =
  /^(?:function|custom_tool|local_shell|shell|apply_patch|tool_search|computer)_(?:call(?:_output)?|output)$/;

/** What a tool gave back may hold a document, and that pictures; nothing real is nested deeper. */
const DEEPEST = 8;

/**
 * Notes what the parts of a content need, those inside of tools' results and documents included, and
 * the pictures that an assistant has drawn, which a chat has beside its content.
 *
 * @param content of a turn, or the turn or item itself.
 */
export function noteAttachments(content: unknown, needs: Set<Ability>, depth = 0): void {
  if (depth > DEEPEST || typeof content !== 'object' || content === null) return;
  if (Array.isArray(content)) {
    for (const block of content) noteAttachments(block, needs, depth + 1);
    return;
  }
  const { type, source, content: inside, output, images } = content as Fields;
  const ability = typeof type === 'string' && abilityFor(type);
  if (ability === 'tools') needs.add(ability);
  else if (ability && !isReadAsText(content as Fields)) {
    needs.add(ability);
    for (const inlined of inlineAbilities(content as Fields)) needs.add(inlined);
  }
  for (const inner of [inside, output, images, membersOf(source).content]) {
    noteAttachments(inner, needs, depth + 1);
  }
}

function abilityFor(type: string): Ability | undefined {
  return ATTACHMENTS.get(type) ?? (TOOL_ITEM.test(type) ? 'tools' : undefined);
}

/**
 * What bytes need beyond the name of their part: where the part is translated, a PDF is a document, a
 * picture is one and speech is speech, whatever they were sent as.
 */
function inlineAbilities({
  image_url: image,
  file_data: data,
  file,
  source,
}: Fields): readonly Ability[] {
  const types = [
    ...[image, membersOf(image).url, data, membersOf(file).file_data].map(typeOfAddress),
    membersOf(source).media_type,
  ];
  return types.flatMap((type): readonly Ability[] => {
    if (typeof type !== 'string') return [];
    const kind = /^(?:image|audio|video)(?=\/)|^application\/pdf/i.exec(type)?.[0].toLowerCase();
    return kind === undefined ? [] : [INLINE[kind] ?? 'document_input'];
  });
}

const INLINE: Readonly<Record<string, Ability>> = {
  image: 'image_input',
  audio: 'audio_input',
  video: 'video_input',
};

/** The media type of an address that holds the bytes themselves. */
function typeOfAddress(address: unknown): string | undefined {
  return typeof address === 'string' ? /^data:([^;,]*)/i.exec(address)?.[1] : undefined;
}

/** Documents of plain text or of blocks, and files of text in Responses, go to any model as text. */
function isReadAsText({ type, source, file_data: data }: Fields): boolean {
  if (type === 'input_file') return isTextType(typeOfAddress(data));
  const { type: kind } = membersOf(source);
  return type === 'document' && (kind === 'text' || kind === 'content');
}

const TEXT_FILE = /^(?:text\/|application\/json)/i;

/** Whether what has this media type is read as text; what stands behind the type is not looked at. */
export function isTextType(type: unknown): boolean {
  return typeof type === 'string' && TEXT_FILE.test(type);
}
