import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { imageHeader } from './image-header.js';

const hex = (...parts: string[]) => Buffer.from(parts.join('').replace(/\s/g, ''), 'hex');
const PNG = hex('89504e470d0a1a0a 0000000d 49484452', '00000500 000002d0', '0806000000');
const GIF = hex('474946383961', '4001 c800', '800000');
const riff = (chunk: string) => hex('52494646 00000000 57454250', chunk);
const LOSSY = riff('56503820 00000000 000000 9d012a 4001 c8c0');
const LOSSLESS = riff('5650384c 00000000 2f 3f c1 31 00 0000000000');
const SMALLEST = riff('5650384c 06000000 2f 41 6c 6f 00 6b');
const EXTENDED = riff('56503858 0a000000 10 000000 3f0100 c70000');
const JPEG = hex(
  'ffd8',
  `ffe0 0010 ${'00'.repeat(14)}`,
  `ffff e1 0006 ffc0 ffff`,
  'ffc4 0004 0000 0000',
  'ffc2 0011 08 00c8 0140 03',
  '00'.repeat(9),
);

describe('imageHeader', () => {
  it.each([
    ['png', PNG, 1280, 720],
    ['gif', GIF, 320, 200],
    ['webp', LOSSY, 320, 200],
    ['webp', LOSSLESS, 320, 200],
    ['webp', SMALLEST, 11330, 446],
    ['webp', EXTENDED, 320, 200],
    ['jpeg', JPEG, 320, 200],
  ])('reads the size of a %s', (format, bytes, width, height) => {
    expect(imageHeader(bytes)).toEqual({ format, size: { width, height } });
    // Where it stands in its buffer makes no difference.
    const inside = Buffer.concat([Buffer.alloc(7), bytes]).subarray(7);
    expect(imageHeader(inside)).toEqual({ format, size: { width, height } });
  });

  it('knows a JPEG whose size stands further on', () => {
    expect(imageHeader(hex('ffd8 ffe1 ffff', '00'.repeat(40)))).toEqual({ format: 'jpeg' });
  });

  it.each([
    ['nothing', ''],
    ['text', Buffer.from('hello, this is text and no image').toString('hex')],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('hex')],
    ['a zip', '504b0304 14000000 0000000000000000000000000000000000000000'],
    ['half a PNG', PNG.subarray(0, 20).toString('hex')],
    ['a PNG without its header', '89504e470d0a1a0a 0000000d 49444154 00000001 00000001'],
    ['sound in RIFF', '52494646 00000000 57415645 666d7420 10000000 010001000000000000000000'],
    ['half a GIF', GIF.subarray(0, 7).toString('hex')],
  ])('finds no image in %s', (_what, bytes) => {
    expect(imageHeader(hex(bytes))).toBeUndefined();
  });

  it('never throws, whatever comes after the magic bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(PNG, GIF, LOSSY, JPEG, EXTENDED),
        fc.nat(30),
        fc.uint8Array({ maxLength: 60 }),
        (image, kept, rest) => {
          imageHeader(Buffer.concat([image.subarray(0, kept), rest]));
        },
      ),
    );
  });
});
