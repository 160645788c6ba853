import { listOf, someText } from '../../../json/values.js';
import { type MadeImage } from './image-result.js';

/** The images of an answer in OpenAI's format: its `data`. */
export function openaiItems(body: object): MadeImage[] {
  const items = listOf((body as { data?: unknown }).data) as (WireItem | null)[];
  return items.flatMap((item) => {
    const base64 = someText(item?.b64_json);
    const url = someText(item?.url);
    if (base64 === undefined && url === undefined) return [];
    const revisedPrompt = someText(item?.revised_prompt);
    return [
      {
        ...(base64 === undefined ? { url: url ?? '' } : { base64 }),
        ...(revisedPrompt !== undefined && { revisedPrompt }),
        mediaType: someText(item?.mime_type),
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
