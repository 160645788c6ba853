import { describe, expect, it } from '@jest/globals';
import { crc32, inflateSync } from 'node:zlib';
import { encodePng, GRID } from './png.js';

const palette = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]);
const cells = Array.from({ length: GRID * GRID }, (_, at) => (at + Math.floor(at / GRID)) % 4);

describe('encodePng', () => {
  it.each([
    [1, 1],
    [3, 2],
    [16, 16],
    [100, 7],
    [5, 1000],
  ])('draws %i x %i pixels that a decoder gets back', async (width, height) => {
    const image = decode(await encodePng({ width, height, palette, cells }));
    const want = (x: number, y: number) =>
      cells[Math.floor((y * GRID) / height) * GRID + Math.floor((x * GRID) / width)];
    expect(image.palette).toEqual(palette);
    expect(image.rows).toEqual(
      Array.from({ length: height }, (_r, y) =>
        Array.from({ length: width }, (_c, x) => want(x, y)),
      ),
    );
  });

  it('is quick and small at the usual size', async () => {
    const started = performance.now();
    const png = await encodePng({ width: 1024, height: 1024, palette, cells });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(png.length).toBeLessThan(20_000);
  });
});

/** A reader of the one kind of PNG that is written here, strict about all of it. */
function decode(png: Buffer) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const typed = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
    chunks.push([typed.toString('latin1', 0, 4), typed.subarray(4)]);
    at += length + 12;
  }
  expect(chunks.map(([type]) => type)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const [[, header], [, colours], [, data]] = chunks as [
    [string, Buffer],
    [string, Buffer],
    [string, Buffer],
  ];
  expect([...header.subarray(8)]).toEqual([8, 3, 0, 0, 0]);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(data);
  expect(lines.length).toBe((width + 1) * height);
  const rows: number[][] = [];
  for (let y = 0; y < height; y++) {
    const [filter, ...line] = lines.subarray(y * (width + 1), (y + 1) * (width + 1));
    const above = filter === 2 ? rows[y - 1]! : [];
    expect([0, 2]).toContain(filter);
    rows.push(line.map((value, x) => (value + (above[x] ?? 0)) % 256));
  }
  return { palette: colours, rows };
}
