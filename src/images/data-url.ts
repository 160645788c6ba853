/** The form of an address that holds an image itself. */
const DATA_URL = /^data:image\/(png|jpe?g|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Characters that are decoded at once: a multiple of four. */
const STEP = 262_144;

/** Whether an address is one that holds an image itself, as base64. */
export function isDataUrl(url: string): boolean {
  return DATA_URL.test(url);
}

/** The bytes in a `data:` address, decoded piece by piece. */
export function* bytesInDataUrl(url: string): Generator<Buffer> {
  for (let at = url.indexOf(',') + 1; at < url.length; at += STEP) {
    yield Buffer.from(url.slice(at, at + STEP), 'base64');
  }
}
