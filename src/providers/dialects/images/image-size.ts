import { begunMegapixels } from '../../../contract/megapixels.js';

/** Whole pixels. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** What a provider that is told a shape instead of pixels can be told. */
export interface Shapes {
  /** `16:9`. */
  readonly ratios: readonly string[];
  /** Its names of resolutions, with the side of a square image of each in pixels. */
  readonly resolutions: Readonly<Record<string, number>>;
  /** Sizes that it documents for ratios which its pixels meet only about, at a side of 1,024. */
  readonly documented?: Readonly<Record<string, string>>;
}

/** A size for models that take none in pixels: `16:9` and `2K`. */
export interface Shape {
  readonly ratio: string;
  readonly resolution: string;
}

/** The pixels that `1536x1024` names; undefined for any other text. */
export function pixelsOf(size: string): Pixels | undefined {
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : undefined;
}

/** `<width>x<height>`, as the image APIs write it; undefined where the pixels are not known. */
export function sizeText(pixels: Pixels | undefined): string | undefined {
  return pixels && `${pixels.width}x${pixels.height}`;
}

/**
 * The shape that gives an image of this size: a size that the provider documents, or one that has
 * exactly one of its ratios and the pixels of one of its resolutions, give or take an eighth, as such
 * providers choose the last pixels themselves. Undefined when there is none.
 */
export function shapeOf(size: Pixels, shapes: Shapes): Shape | undefined {
  for (const [resolution, side] of Object.entries(shapes.resolutions)) {
    const ratio = documentedRatio(size, side, shapes) ?? exactRatio(size, side, shapes.ratios);
    if (ratio !== undefined) return { ratio, resolution };
  }
  return undefined;
}

/** The sizes that a provider documents: its squares, and what it says of other ratios. */
export function sizesOf({ ratios, resolutions, documented = {} }: Shapes): readonly string[] {
  const others = Object.keys(documented).flatMap((size) => pixelsOf(size) ?? []);
  const sizes = Object.values(resolutions).flatMap((side) => [
    ...(ratios.includes('1:1') ? [`${side}x${side}`] : []),
    ...others.map(({ width, height }) => `${scaled(width, side)}x${scaled(height, side)}`),
  ]);
  return [...new Set(sizes)];
}

function scaled(length: number, side: number): number {
  return (length * side) / BASE_SIDE;
}

/** What a price by the megapixel is listed under: `2MP` for more than one and up to two. */
export function megapixels(pixels: Pixels): string {
  return `${begunMegapixels(pixels)}MP`;
}

const BASE_SIDE = 1024;

function documentedRatio(
  { width, height }: Pixels,
  side: number,
  { documented = {} }: Shapes,
): string | undefined {
  const times = side / BASE_SIDE;
  const base = `${width / times}x${height / times}`;
  return Object.hasOwn(documented, base) ? documented[base] : undefined;
}

function exactRatio(
  { width, height }: Pixels,
  side: number,
  ratios: readonly string[],
): string | undefined {
  const off = Math.abs(width * height - side * side) / (side * side);
  if (off > 1 / 8) return undefined;
  return ratios.find((ratio) => {
    const [across = 0, down = 0] = ratio.split(':').map(Number);
    return width * down === height * across;
  });
}
