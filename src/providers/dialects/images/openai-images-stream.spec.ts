import { describe, expect, it } from '@jest/globals';
import { completedReply } from './openai-images-stream.js';

const DONE = '{"type":"image_generation.completed",\n"b64_json":"AAAA","created_at":5}';
const PARTIAL = '{"type":"image_generation.partial_image",\n"b64_json":"AA"}';

function stream(...events: readonly string[]): string {
  return events.map((data) => `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`).join('');
}

function read(text: string): unknown {
  const reply = completedReply(Buffer.from(text));
  return reply && (JSON.parse(reply.toString()) as unknown);
}

describe('a stream of images', () => {
  it.each(['\n', '\r\n', '\r'])('is read where its lines end with %j', (end) => {
    const text = `: hello\n\n${stream(PARTIAL, '', DONE, '[DONE]')}`;
    const whole = { created: 5, data: [{ b64_json: 'AAAA' }] };
    expect(read(text.replaceAll('\n', end))).toEqual(whole);
  });

  it('has no image where only a piece of it came', () => {
    expect(read(stream(PARTIAL))).toBeUndefined();
    expect(read(stream(PARTIAL, DONE).slice(0, -10))).toBeUndefined();
  });

  it.each([
    '{"error":{"code":"moderation_blocked"}}',
    '{"type":"error","code":"moderation_blocked"}',
  ])('is the error that it ends with: %s', (error) => {
    expect(read(stream(PARTIAL, error))).toMatchObject({ error: { code: 'moderation_blocked' } });
  });
});
