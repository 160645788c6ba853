/** How an address begins that holds an image itself, as base64. */
const DATA_URL = /^data:image\/(png|jpe?g|webp|gif);base64,/;
const END = /^[A-Za-z0-9+/]+={0,2}$/;
/** Characters that make three bytes. */
const QUAD = 4;
/** Characters that are looked at, or decoded, at once. */
const STEP = 65_536 * QUAD;

/** Whether an address is one that holds an image itself, going by its beginning. */
export function isDataUrl(url: string): boolean {
  return DATA_URL.test(url);
}

/** Whether what a `data:` address holds is base64 to its end, found out in steps. */
export function* holdsBase64(url: string): Generator<void, boolean> {
  const start = url.indexOf(',') + 1;
  const whole = url.length - ((url.length - start) % QUAD) - QUAD;
  for (let at = start; at < whole; at += STEP) {
    yield;
    if (!isBase64(url.slice(at, Math.min(at + STEP, whole)))) return false;
  }
  return END.test(url.slice(Math.max(start, whole)));
}

/** Whether these whole quads, which are not the last, come back the same: quicker than a pattern. */
function isBase64(quads: string): boolean {
  return !quads.endsWith('=') && Buffer.from(quads, 'base64').toString('base64') === quads;
}

/** The bytes in a `data:` address, decoded piece by piece. */
export function* bytesInDataUrl(url: string): Generator<Buffer> {
  for (let at = url.indexOf(',') + 1; at < url.length; at += STEP) {
    yield Buffer.from(url.slice(at, at + STEP), 'base64');
  }
}
