import { type Capabilities, type ModelSpec } from '../contract/model.js';

/** What a model that makes images can do beside making them from text. */
interface ImageAbilities {
  /** Images that the provider makes in one call. */
  readonly most?: number;
  /** `only`: it has to be given an image. */
  readonly edits?: boolean | 'only';
  readonly mask?: boolean;
  /** The provider fetches an `https:` address of a source image itself. */
  readonly remoteUrls?: boolean;
  /** Those that the provider documents. */
  readonly sizes?: readonly string[];
}

/**
 * The row of a model that makes images.
 *
 * @param released the day of its release, `YYYY-MM-DD`, where the provider says it.
 */
export function imageModel(
  name: string,
  description: string,
  { most = 1, edits = false, mask = false, remoteUrls = false, sizes }: ImageAbilities = {},
  released?: string,
): ModelSpec {
  const capabilities: Capabilities = {
    input_modalities: edits ? ['text', 'image'] : ['text'],
    output_modalities: ['image'],
    max_images: most,
    ...(sizes && { sizes }),
    ...(mask && { mask }),
    ...(edits && remoteUrls && { remote_urls: true }),
  };
  return {
    name,
    endpoints: edits === 'only' ? ['image-edits'] : edits ? ['images', 'image-edits'] : ['images'],
    description,
    created: released === undefined ? 0 : Date.parse(`${released}T00:00:00Z`) / 1_000,
    capabilities,
  };
}
