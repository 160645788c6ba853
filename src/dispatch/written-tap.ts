import { type Usage } from '../contract/usage.js';
import {
  type Bill,
  type ProviderError,
  type RawEvent,
  type StreamTap,
} from '../providers/provider.js';
import { LONGEST_REPLY_BYTES } from '../upstream/read-reply.js';
import { tooMuch } from '../upstream/too-much.js';
import { type SurfaceWriter } from './surface.js';

/** A translated stream for a caller of another format: counted in the neutral shape, then written. */
export class WrittenTap implements StreamTap {
  /** Of the events whose text the writer keeps. */
  private keptBytes = 0;

  /** @param hold is told of the bytes of each event that stay in memory, as of an answer that comes whole. */
  constructor(
    private readonly neutral: StreamTap,
    private readonly writer: SurfaceWriter,
    private readonly hold: (bytes: number) => void,
  ) {}

  /** @throws GatewayError 502 when what is kept is longer than an answer may be, and what the taps throw. */
  take(event: RawEvent): Buffer | undefined {
    this.neutral.take(event);
    if (this.writer.repeats) this.keep(event.data.length);
    return this.writer.write(event);
  }

  private keep(bytes: number): void {
    this.keptBytes += bytes;
    if (this.keptBytes > LONGEST_REPLY_BYTES) {
      throw tooMuch('The provider sent an answer that is too long.');
    }
    this.hold(bytes);
  }

  closing(bill: Bill): Buffer {
    return this.writer.closing(bill);
  }

  get state(): StreamTap['state'] {
    return this.neutral.state;
  }

  get complete(): boolean {
    return this.neutral.complete;
  }

  get usage(): Usage | undefined {
    return this.neutral.usage;
  }

  get tools(): Partial<Usage> | undefined {
    return this.neutral.tools;
  }

  get isFinal(): boolean {
    return this.neutral.isFinal;
  }

  get outputBytes(): number {
    return this.neutral.outputBytes;
  }

  get error(): ProviderError | undefined {
    return this.neutral.error;
  }
}
