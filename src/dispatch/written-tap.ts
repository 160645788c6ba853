import { type Usage } from '../contract/usage.js';
import {
  type Bill,
  type ProviderError,
  type RawEvent,
  type StreamTap,
} from '../providers/provider.js';
import { type SurfaceWriter } from './surface.js';

/** A translated stream for a caller of another format: counted in the neutral shape, then written. */
export class WrittenTap implements StreamTap {
  constructor(
    private readonly neutral: StreamTap,
    private readonly writer: SurfaceWriter,
  ) {}

  take(event: RawEvent): Buffer | undefined {
    this.neutral.take(event);
    return this.writer.write(event);
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
