import { type FileHandle } from 'node:fs/promises';
import { imageHeader } from '../contract/image-header.js';

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What the header of an image says; undefined when there is none, or no pixel. */
export async function imageSizeOf(file: FileHandle, bytes: number): Promise<ImageSize | undefined> {
  for (const most of HEADER_BYTES) {
    const head = Buffer.allocUnsafe(Math.min(most, bytes));
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const size = sizeIn(head.subarray(0, bytesRead));
    if (size || bytes <= most) return size;
  }
  return undefined;
}

/** A JPEG may have metadata of some megabytes in front of its header. */
const HEADER_BYTES = [65_536, 8 * 1024 * 1024] as const;

function sizeIn(head: Uint8Array): ImageSize | undefined {
  const size = imageHeader(head)?.size;
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}
