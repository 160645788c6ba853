import { describe, expect, it } from '@jest/globals';
import { timeSliced } from '../json/time-sliced.js';
import { bytesInDataUrl, holdsBase64, isDataUrl } from './data-url.js';

const PNG = 'data:image/png;base64,';

describe('a data: address', () => {
  it.each(['png', 'jpg', 'jpeg', 'webp', 'gif'])('holds a %s', (type) => {
    expect(isDataUrl(`data:image/${type};base64,AAAA`)).toBe(true);
  });

  it.each(['data:image/svg+xml;base64,AAAA', 'data:image/png,AAAA', 'https://x.org/a.png', ''])(
    'holds no image: %s',
    (url) => {
      expect(isDataUrl(url)).toBe(false);
    },
  );

  it.each(['A', 'AAAA', 'AA==', 'AAA=', 'A=', 'az09+/'])('ends as base64: %s', async (base64) => {
    expect(await timeSliced(holdsBase64(PNG + base64))).toBe(true);
  });

  it.each([
    '',
    '=',
    '==',
    'A===',
    'AA=A',
    'AA AA',
    'AA\n',
    'AA-_',
    'AAé',
    '=AAA',
    'AAA\u0141AAAA',
    'AA==AAAAAAAA',
  ])('does not end as base64: %j', async (base64) => {
    expect(await timeSliced(holdsBase64(PNG + base64))).toBe(false);
  });

  it('is looked through to its end, however long it is', async () => {
    const long = 'AAAA'.repeat(200_000);
    expect(await timeSliced(holdsBase64(`${PNG}${long}AA==`))).toBe(true);
    for (const at of [0, 262_143, 262_144, long.length - 1]) {
      for (const foreign of ['-', '\u0141', '=']) {
        const url = `${PNG}${long.slice(0, at)}${foreign}${long.slice(at + 1)}`;
        expect(await timeSliced(holdsBase64(url))).toBe(foreign === '=' && at === long.length - 1);
      }
    }
  });

  it('is decoded piece by piece', () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 500_000 }, (_, index) => index % 251));
    const pieces = [...bytesInDataUrl(PNG + bytes.toString('base64'))];
    expect(pieces.length).toBeGreaterThan(1);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });
});
