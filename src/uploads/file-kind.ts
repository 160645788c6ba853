import { fileTypeFromFile } from 'file-type';
import { type FileHandle, open } from 'node:fs/promises';
import { GatewayError } from '../contract/gateway-error.js';
import { MOST_PIXELS } from '../contract/image-header.js';
import { imageSizeOf } from './image-size.js';
import { pdfPages } from './pdf-pages.js';
import { textKind, textSample } from './text-kind.js';

/** What a file is, by its own bytes. */
export interface FileKind {
  readonly mediaType: string;
  /** `width` and `height` of an image, `page_count` of a PDF where it can be told. */
  readonly metadata: Readonly<Record<string, number>>;
}

/** What its sender says of a file. */
export interface Claim {
  readonly name: string;
  readonly declaredType: string;
}

/**
 * What the file at a path is. Nothing is unpacked or decoded, and it is never held in memory.
 *
 * @throws GatewayError 415 when it is nothing that is taken, or not the image it is said to be; 413
 *   for an image with too many pixels.
 */
export async function fileKind(path: string, claim: Claim): Promise<FileKind> {
  const file = await open(path, 'r');
  try {
    const mediaType = await mediaTypeOf(file, path, claim);
    checkClaim(claim.declaredType, mediaType);
    return { mediaType, metadata: await metadataOf(file, mediaType) };
  } finally {
    await file.close();
  }
}

async function mediaTypeOf(file: FileHandle, path: string, claim: Claim): Promise<string> {
  // Text first: by their first two letters alone, some texts would be images or programs.
  const sample = await textSample(file);
  if (sample?.head.startsWith('%PDF-')) return 'application/pdf';
  if (sample) {
    const isNamedCsv = claim.declaredType === 'text/csv' || /\.csv$/i.test(claim.name);
    const kind = textKind(sample, { isNamedCsv });
    if (kind === undefined) throw unsupported('Markup is not accepted.');
    return kind;
  }
  const detected = await fileTypeFromFile(path).catch(() => undefined);
  const accepted = ACCEPTED.get(detected?.mime ?? '');
  if (accepted !== undefined) return accepted;
  throw unsupported(detected ? `${detected.mime} is not accepted.` : 'The type is not known.');
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** The detected types that are taken, and what they are called. */
const ACCEPTED: ReadonlyMap<string, string> = new Map([
  ...[
    'image/png',
    'image/jpeg',
    'image/webp',
    'image/gif',
    'application/pdf',
    'audio/mpeg',
    'audio/wav',
    'video/mp4',
    'audio/mp4',
    'audio/x-m4a',
    `${OFFICE}.wordprocessingml.document`,
    `${OFFICE}.spreadsheetml.sheet`,
    `${OFFICE}.presentationml.presentation`,
    `${OPEN_DOCUMENT}.text`,
    `${OPEN_DOCUMENT}.spreadsheet`,
    `${OPEN_DOCUMENT}.presentation`,
  ].map((type) => [type, type] as const),
  // A PNG that moves is a PNG, and an Illustrator file is a PDF.
  ['image/apng', 'image/png'],
  ['application/illustrator', 'application/pdf'],
]);

/** Names that are in use for what has another one. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['image/apng', 'image/png'],
]);

function checkClaim(declared: string, detected: string): void {
  if (!declared.startsWith('image/') || (ALIASES.get(declared) ?? declared) === detected) return;
  throw unsupported(`It was declared as ${declared.slice(0, 50)}, but it is ${detected}.`);
}

async function metadataOf(
  file: FileHandle,
  mediaType: string,
): Promise<Readonly<Record<string, number>>> {
  const { size } = await file.stat();
  if (mediaType === 'application/pdf') {
    const pages = await pdfPages(file, size);
    return pages === undefined ? {} : { page_count: pages };
  }
  if (!mediaType.startsWith('image/')) return {};
  const dimensions = await imageSizeOf(file, size);
  if (!dimensions) throw unsupported('The image has no header that can be read.');
  const { width, height } = dimensions;
  if (width * height <= MOST_PIXELS) return { width, height };
  const message = `The image has ${width} × ${height} pixels; at most ${MOST_PIXELS} are taken.`;
  throw new GatewayError(413, 'request_too_large', message);
}

/** The 415 of a file that is not taken, for this reason. */
export function unsupported(reason: string): GatewayError {
  return new GatewayError(415, 'unsupported_media_type', `${TAKEN} ${reason}`);
}

const TAKEN =
  'The file must be PNG, JPEG, WebP, GIF, PDF, UTF-8 text, CSV, JSON, MP3, WAV, MP4 or an office document.';
