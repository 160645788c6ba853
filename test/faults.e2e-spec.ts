import { describe, expect, it } from '@jest/globals';
import { good, KINDS } from './support/fault-answers.js';
import { endingOf, expectNoSecrets, expectPaid, told } from './support/fault-endings.js';
import { PATIENCE_MS, useFaultyProvider } from './support/fault-gateway.js';
import { FAULT_MODES, sends, TOLD } from './support/fault-modes.js';

/** An answer comes a second after the gateway's patience; a busy machine may take one itself. */
const LONGEST_MS = PATIENCE_MS + 2_000;
/** Two more tries, a second apart, where the provider says when it will be back. */
const LONGEST_RETRIES_MS = 4_000;

describe('A provider that', () => {
  const provider = useFaultyProvider();

  const everyKind = () => Promise.all(KINDS.map((kind) => provider.ask(kind)));

  describe.each(FAULT_MODES)('$name', ({ name, act, whole, stream }) => {
    const isAskedAgain = whole === 'overloaded' || name.includes('503');

    it('costs its callers one well-formed answer, and nothing is left of it', async () => {
      const before = provider.upstream.received.length;
      provider.upstream.answers(act);
      const replies = await everyKind();
      for (const [index, kind] of KINDS.entries()) {
        const reply = replies[index]!;
        const ending = kind === 'stream' ? stream : whole;
        expect([kind, endingOf(reply)]).toEqual([kind, told(ending, kind)]);
        expectNoSecrets(reply);
        if (ending === 400 || ending === 429) expect(reply.text).toContain(TOLD);
        if (ending === 429) expect(reply.headers.get('retry-after')).toBe('7');
        if (ending !== 'answer') {
          expect(reply.ms).toBeLessThan(isAskedAgain ? LONGEST_RETRIES_MS : LONGEST_MS);
        }
        expectPaid(ending, await provider.booked(reply.id));
      }
      await provider.settled();
      // What may have been done and billed is not asked for twice.
      const asked = provider.upstream.received.length - before;
      if (!isAskedAgain) expect(asked).toBe(KINDS.length);

      provider.upstream.answers(good);
      expect((await everyKind()).map(endingOf)).toEqual(KINDS.map(() => 'answer'));
    });
  });
});

describe('UF-10 A provider that sends JSON which is no message', () => {
  const provider = useFaultyProvider();
  const messages = [{ role: 'user', content: 'Hello' }];
  const model = 'anthropic/claude-haiku-4-5';
  const TRANSLATED = [
    ['/v3/chat/completions', { model, messages }],
    ['/v3/responses', { model, input: 'Hello' }],
  ] as const;

  it.each([[null], [[]], [{ content: [null] }], [{ content: 'text' }], [{ content: [1, {}] }]])(
    'costs callers of another format a 502, and nothing else (%j)',
    async (body) => {
      provider.upstream.answers(sends(JSON.stringify(body)));
      for (const request of TRANSLATED) {
        const reply = await provider.ask(request);
        expect(endingOf(reply)).toBe(502);
        expectPaid(502, await provider.booked(reply.id));
      }
    },
  );
});

describe('UF-10 A provider that answers with nothing in it', () => {
  const provider = useFaultyProvider();
  const messages = [{ role: 'user', content: 'Hello' }];
  const chat = ['/v3/chat/completions', { model: 'openai/gpt-4o-mini', messages }] as const;
  const usage = { prompt_tokens: 1, completion_tokens: 0, input_tokens: 1, output_tokens: 0 };

  it.each([
    ['no choice', chat, '{"id":"c","choices":[],"usage":', '}'],
    ['no image', 'images', '{"created":1,"data":[],"usage":', '}'],
    ['an empty image', 'images', '{"created":1,"data":[{"b64_json":""}],"usage":', '}'],
    [
      'words for an image',
      'images',
      '{"created":1,"data":[{"b64_json":"I can\'t."}],"usage":',
      '}',
    ],
    ['no vector', 'embeddings', '{"object":"list","data":[],"usage":', '}'],
    ['no choice in a stream', [chat[0], { ...chat[1], stream: true }], 'data: {"usage":', '}\n\n'],
  ] as const)('costs the caller a 502, and nothing else (%s)', async (_, request, head, tail) => {
    const isStream = head.startsWith('data:');
    const type = isStream ? 'text/event-stream' : 'application/json';
    const text = head + JSON.stringify(usage) + tail + (isStream ? 'data: [DONE]\n\n' : '');
    provider.upstream.answers(sends(text, 200, { 'content-type': type }));
    const reply = await provider.ask(request);
    expect(endingOf(reply)).toBe(502);
    expectPaid(502, await provider.booked(reply.id));
  });
});

describe('UF-1 A provider whose port is closed', () => {
  const nowhere = 'http://127.0.0.1:1/v1';
  const provider = useFaultyProvider({ OPENAI_BASE_URL: nowhere, ANTHROPIC_BASE_URL: nowhere });

  it.each(KINDS)('costs the caller of %s a 502, and nothing else', async (kind) => {
    const reply = await provider.ask(kind);
    expect(endingOf(reply)).toBe(502);
    expectNoSecrets(reply);
    expectPaid(502, await provider.booked(reply.id));
    await provider.settled();
  });
});
