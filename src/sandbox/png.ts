import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

/** Cells on a side of the mosaic. */
export const GRID = 8;

/** A square mosaic, stretched to the size of a picture. */
export interface Mosaic {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Three bytes a colour. */
  readonly palette: Uint8Array;
  /** `GRID` rows of `GRID` indexes into the palette. */
  readonly cells: readonly number[];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
const INDEXED_COLOUR = 3;
const FILTER_NONE = 0;
const FILTER_UP = 2;
const compress = promisify<Buffer, { level: number }, Buffer>(deflate);

/** The mosaic as a PNG file. https://www.w3.org/TR/png-3/ */
export async function encodePng({ width, height, palette, cells }: Mosaic): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, INDEXED_COLOUR], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', await compress(scanlines(width, height, cells), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A row like the one above it is zeros under the filter "up": a picture costs its first rows only. */
function scanlines(width: number, height: number, cells: readonly number[]): Buffer {
  const stride = width + 1;
  const lines = Buffer.alloc(stride * height);
  let above = -1;
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * GRID) / height);
    lines[y * stride] = row === above ? FILTER_UP : FILTER_NONE;
    if (row === above) continue;
    for (let x = 0; x < width; x++) {
      lines[y * stride + 1 + x] = cells[row * GRID + Math.floor((x * GRID) / width)] ?? 0;
    }
    above = row;
  }
  return lines;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
