import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assembled } from '../../../test/support/translation.js';
import { type ServerEvent } from '../provider.js';
import { BlockQueue } from './block-queue.js';
import { messageEnd, messageStart } from './message-events.js';
import { messagesCall } from '../../../test/support/translation.js';

async function* message(blocks: readonly ServerEvent[]): AsyncGenerator<ServerEvent> {
  yield await Promise.resolve(messageStart(messagesCall({})));
  yield* blocks;
  yield* messageEnd({ stop_reason: 'end_turn', stop_sequence: null }, undefined);
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), key: fc.nat(4) }) },
  fc.record({ kind: fc.constant('begin' as const), key: fc.nat(4) }),
  fc.record({ kind: fc.constant('end' as const), key: fc.nat(4) }),
);

describe('BlockQueue', () => {
  it('keeps blocks apart and in order however their pieces are mixed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const queue = new BlockQueue();
        const out: ServerEvent[] = [];
        const texts = new Map<number, string>();
        const ended = new Set<number>();
        for (const [at, { kind, key }] of steps.entries()) {
          if (kind === 'begin') {
            out.push(...queue.begin(String(key), { type: 'text', text: '' }));
            if (!texts.has(key)) texts.set(key, '');
          } else if (kind === 'end') {
            out.push(...queue.end(String(key)));
            if (texts.has(key)) ended.add(key);
          } else {
            out.push(...queue.add(String(key), { type: 'text_delta', text: `${at},` }));
            const isOpen = texts.has(key) && !ended.has(key);
            if (isOpen) texts.set(key, `${texts.get(key)}${at},`);
          }
        }
        out.push(...queue.endAll());
        const { content } = await assembled(message(out));
        expect(content.map(({ text }) => text)).toEqual([...texts.values()]);
      }),
    );
  });

  it('shows the first block at once and holds back the next until it is over', () => {
    const queue = new BlockQueue();
    const types = (events: Iterable<ServerEvent>) => [...events].map(({ name }) => name);
    expect(types(queue.begin('a', { type: 'text', text: '' }))).toEqual(['content_block_start']);
    expect(types(queue.begin('b', { type: 'text', text: '' }))).toEqual([]);
    expect(types(queue.add('b', { type: 'text_delta', text: '2' }))).toEqual([]);
    expect(types(queue.add('a', { type: 'text_delta', text: '1' }))).toEqual([
      'content_block_delta',
    ]);
    expect(types(queue.end('a'))).toEqual([
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
    ]);
  });
});
