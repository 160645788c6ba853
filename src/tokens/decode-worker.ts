/**
 * A thread of its own for turning tokens back into text: reading the vocabulary takes a third of a
 * second. Messages are `{inputs}`, answers `{texts}` or `{refused}`.
 */
import { decode } from 'gpt-tokenizer/encoding/cl100k_base';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ inputs }: { inputs: readonly number[][] }) => {
  const texts: string[] = [];
  for (const [position, tokens] of inputs.entries()) {
    const text = textOf(tokens);
    if (text === undefined) {
      parentPort?.postMessage({ refused: position });
      return;
    }
    texts.push(text);
  }
  parentPort?.postMessage({ texts });
});

function textOf(tokens: readonly number[]): string | undefined {
  try {
    const text = decode(tokens);
    // Half a character is no text.
    return text === '' ? undefined : text;
  } catch {
    // A number that is no token.
    return undefined;
  }
}
