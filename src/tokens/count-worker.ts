/**
 * A thread of its own for the tokenizer: reading its vocabulary takes a third of a second, and text
 * without spaces makes it slow. Messages are `{texts}`, answers `{tokens}`.
 */
import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';
import { parentPort } from 'node:worker_threads';

/** The tokenizer's work grows with the square of a word's length, so words are cut at this length. */
const LONGEST_PIECE = 256;
/** No text is kept, and no text is an order to the tokenizer. */
const PLAIN = { disallowedSpecial: new Set<string>() };

setMergeCacheSize(0);
parentPort?.on('message', ({ texts }: { texts: readonly string[] }) => {
  let tokens = 0;
  for (const text of texts) {
    let start = 0;
    while (start < text.length) {
      let end = start + LONGEST_PIECE;
      // A cut at a space costs no accuracy, because a token begins with its space.
      const space = end < text.length ? text.lastIndexOf(' ', end) : -1;
      if (space > start + LONGEST_PIECE / 2) end = space;
      tokens += countTokens(text.slice(start, end), PLAIN);
      start = end;
    }
  }
  parentPort?.postMessage({ tokens });
});
