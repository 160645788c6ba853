/**
 * The format of an image, told by the first characters of its base64 (the file's magic bytes).
 *
 * @returns `png`, `jpeg`, `webp` or `gif`; undefined for anything else.
 */
export function imageFormat(base64: Buffer): string | undefined {
  const head = base64.toString('latin1', 0, 12);
  if (head.startsWith('iVBORw0KGgo')) return 'png';
  if (head.startsWith('/9j/')) return 'jpeg';
  if (head.startsWith('UklGR')) return 'webp';
  return head.startsWith('R0lGOD') ? 'gif' : undefined;
}

/** `<width>x<height>` of a PNG from the first 32 characters of its base64 (the IHDR chunk). */
export function pngSize(base64: Buffer): string | undefined {
  if (imageFormat(base64) !== 'png') return undefined;
  const header = Buffer.from(base64.toString('latin1', 0, 32), 'base64');
  if (header.length < 24) return undefined;
  return `${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`;
}
