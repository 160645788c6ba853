import { Injectable, Logger } from '@nestjs/common';
import { type Answer } from '../contract/answer.js';
import { type ImageHeader, imageHeader } from '../contract/image-header.js';
import { LONGEST_TIMER_MS } from '../contract/longest-timer.js';
import { type Member, memberAt, scanArray, scanObject } from '../json/scan.js';
import { spliceMembers } from '../json/splice.js';
import { whileWanted } from '../upstream/while-wanted.js';
import { guardedFetch } from '../upstream/guarded-fetch.js';
import { bytesInDataUrl } from './data-url.js';
import { ImageStore } from './image-store.service.js';
import { MOST_IMAGE_BYTES } from './request-files.js';
import { ScratchFiles } from './scratch-files.service.js';
import { sideBySide } from './side-by-side.js';

/** How the caller wants to have its images. */
export interface Wish {
  /** `url` or `b64_json`; anything else leaves them as the provider gave them. */
  readonly format: unknown;
  /** Our own address, for images that we keep. */
  readonly ownOrigin: string;
  /** The addresses that the provider is reached at, which the operator chose. */
  readonly providerUrls: readonly URL[];
  readonly signal: AbortSignal;
  /** Counts bytes of images that are fetched, and kept in memory until the answer is sent. */
  readonly holdAnswer: (bytes: number) => void;
  /** Milliseconds that the request may still take. */
  readonly leftMs: number;
}

/**
 * Brings the images of an answer to the form that was asked for, where the provider gave the other
 * one. The answer is paid for by now, so an image that cannot be had otherwise, or in the time that is
 * left, goes out as it is.
 */
@Injectable()
export class ImageDelivery {
  private readonly logger = new Logger(ImageDelivery.name);

  constructor(
    private readonly store: ImageStore,
    private readonly scratch: ScratchFiles,
  ) {}

  async deliver(answer: Answer, wish: Wish): Promise<Answer> {
    if (wish.format !== 'url' && wish.format !== 'b64_json') return answer;
    const text = Buffer.concat(answer.body as readonly Buffer[]);
    const members = scanObject(text);
    const data = members && memberAt(members, 'data');
    const items = data && scanArray(text, data.valueStart);
    if (!items) return answer;
    const patience = AbortSignal.timeout(
      Math.min(Math.max(0, Math.ceil(wish.leftMs)), LONGEST_TIMER_MS),
    );
    const ends = AbortSignal.any([wish.signal, patience]);
    const images = items.map(({ start }) => scanObject(text, start) ?? []);
    const changes = await sideBySide(images, ends, (item, signal) =>
      this.changesOf(text, item, wish, signal),
    );
    // Nobody reads it any more.
    if (wish.signal.aborted) return answer;
    const pieces = images.flatMap((item, index) => [
      Buffer.from(index > 0 ? ',' : '['),
      ...spliceMembers(text, item, changes[index]?.edits ?? new Map()),
    ]);
    pieces.push(Buffer.from(items.length > 0 ? ']' : '[]'));
    const header = changes.find((change) => change !== undefined)?.header;
    const known = header ? knownFrom(text, members, header) : [];
    const edits = new Map<string, string | readonly Buffer[]>([['data', pieces], ...known]);
    return { ...answer, body: spliceMembers(text, members, edits) };
  }

  /** Undefined for an image that goes out as it came, also because it cannot be had otherwise. */
  private async changesOf(text: Buffer, item: readonly Member[], wish: Wish, ends: AbortSignal) {
    if (wish.signal.aborted) return undefined;
    const asked = this.inOtherForm(text, item, { ...wish, signal: ends });
    return whileWanted(asked, ends).catch((error: unknown) => {
      if (wish.signal.aborted) return undefined;
      const format = String(wish.format);
      this.logger.warn(`An image is given as it came, not as ${format}: ${String(error)}`);
      return undefined;
    });
  }

  private async inOtherForm(text: Buffer, item: readonly Member[], wish: Wish) {
    const [url, base64] = [stringIn(text, item, 'url'), memberAt(item, 'b64_json')];
    if (wish.format === 'url') {
      if (url !== undefined || !base64) return undefined;
      const bytes = Buffer.from(text.toString('latin1', base64.valueStart, base64.end), 'base64');
      const header = imageHeader(bytes);
      if (!header) return undefined;
      const path = await this.store.keep(bytes, header.format);
      return { header, edits: editsTo('url', JSON.stringify(wish.ownOrigin + path), 'b64_json') };
    }
    if (url === undefined || stringIn(text, item, 'b64_json') !== undefined) return undefined;
    const bytes = await this.read(url, wish);
    const header = imageHeader(bytes);
    if (!header) throw new Error('no image is there');
    const value = [QUOTE, Buffer.from(bytes.toString('base64'), 'latin1'), QUOTE];
    return { header, edits: editsTo('b64_json', value, 'url') };
  }

  private async read(url: string, { providerUrls, signal, holdAnswer }: Wish): Promise<Buffer> {
    const files = this.scratch.forRequest();
    const tooLarge = () => new Error('the image is too large');
    const chunks = url.startsWith('data:')
      ? bytesInDataUrl(url)
      : guardedFetch(url, { signal, trusted: providerUrls });
    try {
      const { file } = await files.receive(chunks, { most: MOST_IMAGE_BYTES, tooLarge });
      holdAnswer(file.size);
      return Buffer.from(await file.arrayBuffer());
    } finally {
      await files.dispose();
    }
  }
}

const QUOTE = Buffer.from('"');

function editsTo(member: string, value: string | readonly Buffer[], emptied: string) {
  return new Map<string, string | readonly Buffer[]>([
    [member, value],
    [emptied, 'null'],
  ]);
}

/** What the provider did not say of its images, and their own header does. */
function knownFrom(
  text: Buffer,
  members: readonly Member[],
  { format, size }: ImageHeader,
): [string, string][] {
  const known: [string, string][] = [];
  const said = (key: string) => stringIn(text, members, key) !== undefined;
  if (!said('output_format')) known.push(['output_format', JSON.stringify(format)]);
  if (size && !said('size')) known.push(['size', JSON.stringify(`${size.width}x${size.height}`)]);
  return known;
}

/** The member's text; undefined where it is none, or empty. */
function stringIn(text: Buffer, members: readonly Member[], key: string): string | undefined {
  const member = memberAt(members, key);
  if (!member || text[member.valueStart] !== 0x22) return undefined;
  return (JSON.parse(text.toString('utf8', member.valueStart, member.end)) as string) || undefined;
}
