import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { geminiShapes } from './gemini-image-shapes.js';
import { megapixels, pixelsOf, shapeOf, type Shapes, sizesOf } from './image-size.js';
import { IMAGEN_SHAPES } from './imagen.js';
import { XAI_SHAPES } from './xai-images.js';

const shapes: Shapes = {
  ratios: ['1:1', '3:2', '16:9', '9:19.5'],
  resolutions: { '1k': 1024, '2k': 2048 },
};
const shape = (size: string, of = shapes) => {
  const found = shapeOf(pixelsOf(size)!, of);
  return found && `${found.ratio} ${found.resolution}`.trim();
};

describe('A size as a shape', () => {
  it.each([
    ['1024x1024', '1:1 1k'],
    ['2048x2048', '1:1 2k'],
    ['1248x832', '3:2 1k'],
    ['2496x1664', '3:2 2k'],
    ['1344x756', '16:9 1k'],
    ['720x1560', '9:19.5 1k'],
  ])('%s is %s', (size, found) => {
    expect(shape(size)).toBe(found);
  });

  it.each([
    ['of a ratio that is only about right', '1344x768'],
    ['of no listed ratio', '1792x1024'],
    ['with half again as many pixels', '1536x1024'],
    ['far too small', '256x256'],
    ['larger than any resolution', '4096x4096'],
  ])('is refused when it is %s', (_why, size) => {
    expect(shape(size)).toBeUndefined();
  });

  it.each([
    ['gemini-3-pro-image', '1376x768', '16:9 1K'],
    ['gemini-3-pro-image', '2752x1536', '16:9 2K'],
    ['gemini-3-pro-image', '4096x4096', '1:1 4K'],
    ['gemini-3.1-flash-image', '512x512', '1:1 512'],
    ['gemini-nano-banana-2.1', '512x512', undefined],
    ['gemini-3.1-flash-lite-image', '2048x2048', undefined],
    ['gemini-2.5-flash-image', '1344x768', '16:9'],
    ['gemini-2.5-flash-image', '1376x768', undefined],
  ])('knows the sizes that %s documents: %s', (name, size, found) => {
    expect(shape(size, geminiShapes(name))).toBe(found);
  });

  it('never changes a ratio, nor the pixels by more than an eighth', () => {
    const side = fc.integer({ min: 1, max: 9_999 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const found = shapeOf({ width, height }, shapes);
        if (!found) return;
        const [across, down] = found.ratio.split(':').map(Number);
        expect(width * down!).toBeCloseTo(height * across!);
        const most = shapes.resolutions[found.resolution]! ** 2;
        expect(Math.abs(width * height - most) / most).toBeLessThanOrEqual(1 / 8);
      }),
    );
  });

  it.each([
    ['gemini-2.5-flash-image', geminiShapes('gemini-2.5-flash-image'), '832x1248'],
    ['gemini-3-pro-image', geminiShapes('gemini-3-pro-image'), '4096x4096'],
    ['imagen', IMAGEN_SHAPES, '1792x2560'],
    ['xai', XAI_SHAPES, '2048x2048'],
  ])('has a list of sizes, each of which can be asked for: %s', (_, shapes, one) => {
    const sizes = sizesOf(shapes);
    expect(sizes).toContain(one);
    expect(sizes).toContain('1024x1024');
    for (const size of sizes)
      expect([size, shapeOf(pixelsOf(size)!, shapes)]).not.toContain(undefined);
  });

  it.each([
    '',
    'auto',
    '1024',
    '1024X1024',
    ' 1024x1024',
    '0x10',
    '-1x1',
    '1e3x1',
    '1.5x2',
    '100000x1',
  ])('is no size: %p', (size) => {
    expect(pixelsOf(size)).toBeUndefined();
  });

  it('is paid by the begun megapixel', () => {
    const sizes = ['256x256', '1024x1024', '1025x1024', '2048x2048'].map((size) => pixelsOf(size)!);
    expect(sizes.map(megapixels)).toEqual(['1MP', '1MP', '2MP', '4MP']);
  });
});
