import { type SourceImage } from './images.js';
import { type Rates } from './model.js';

/** Providers call a square of 1,024 pixels one megapixel. */
const MEGAPIXEL = 1024 * 1024;

/** To this many FLUX.2, which is paid by them, brings what is larger, and what it makes of it. */
const LARGEST = 4;

/** How many megapixels are paid for: at least one. */
export function begunMegapixels({ width, height }: { width: number; height: number }): number {
  return Math.max(1, Math.ceil((width * height) / MEGAPIXEL));
}

/**
 * An edit's source images as they are paid for, `Usage.sourceImages`. Where the price list goes by the
 * megapixel it is the begun ones of each image, of one whose size nobody here has read the most; else
 * the images themselves. https://docs.bfl.ai/quick_start/pricing
 */
export function paidSources(images: readonly SourceImage[], { perImage }: Rates): number {
  const isByMegapixel = typeof perImage === 'object' && Object.hasOwn(perImage, '1MP');
  if (!isByMegapixel) return images.length;
  return images.reduce((sum, image) => sum + sourceMegapixels(image), 0);
}

/** The begun megapixels to which FLUX.2 brings a source: the most where nobody here has read its size. */
export function sourceMegapixels(image: SourceImage | undefined): number {
  const pixels = image && 'file' in image ? image.pixels : undefined;
  return Math.min(LARGEST, pixels ? begunMegapixels(pixels) : LARGEST);
}
