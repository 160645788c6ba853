import { type MadeImage } from './image-result.js';
import { listOf } from './openai-chat-reading.js';

/** The images of an answer in OpenAI's format: its `data`. */
export function openaiItems(body: object): MadeImage[] {
  const items = listOf((body as { data?: unknown }).data) as (WireItem | null)[];
  return items.flatMap((item) => {
    const base64 = text(item?.b64_json);
    const url = text(item?.url);
    if (base64 === undefined && url === undefined) return [];
    const revisedPrompt = text(item?.revised_prompt);
    return [
      {
        ...(base64 === undefined ? { url: url ?? '' } : { base64 }),
        ...(revisedPrompt !== undefined && { revisedPrompt }),
        mediaType: text(item?.mime_type),
      },
    ];
  });
}

interface WireItem {
  readonly b64_json?: unknown;
  readonly url?: unknown;
  readonly revised_prompt?: unknown;
  readonly mime_type?: unknown;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
