import { BYTES_PER_TOKEN } from '../contract/usage.js';
import { tokensBeyond, windowsIn } from './text-density.js';

/** So many windows of a body's texts are looked at, closely, one in so many characters. */
const CLOSE_WINDOWS = 256;
const CLOSE = 1_024;
/** Beyond them it is one in so many, of the same text or of the next one. */
const APART = 8_192;
/** What was looked at last counts most, as texts are like those around them. */
const FADING = 0.75;

/**
 * How dense the texts of a body are. Long conversations have thousands of texts, and choosing a model has
 * no time to look at all: those that are passed over count as those before them.
 */
export class Density {
  private windows = 0;
  private passed = 0;
  private bytes = 0;
  private beyond = 0;

  /**
   * How many more tokens the text may have than one of prose with as many bytes.
   *
   * @param bytes of the text, which is not empty.
   */
  beyondProse(text: string, bytes: number): number {
    const isClose = this.windows < CLOSE_WINDOWS;
    this.passed += bytes;
    if (!isClose && this.passed < APART) return (this.beyond * bytes) / this.bytes;
    const step = isClose ? CLOSE : APART;
    const beyond = tokensBeyond(text, bytes / BYTES_PER_TOKEN, step);
    this.windows += windowsIn(text, step);
    this.passed = 0;
    this.bytes = FADING * this.bytes + bytes;
    this.beyond = FADING * this.beyond + beyond;
    return beyond;
  }
}
