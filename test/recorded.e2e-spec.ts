import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  modelsFile,
  RECORDED_FOLDER,
  type Recording,
  recordings,
} from './support/recorded-corpus.js';
import {
  answerOf,
  callOf,
  eventsOf,
  parsed,
  refusalOf,
  upstreamCallOf,
} from './support/recorded-expectation.js';
import { replay } from './support/recorded-upstream.js';
import { useGateway } from './support/use-gateway.js';

/** What the contract refuses before any call, although the provider once took it. */
const REFUSED: Readonly<Record<string, string>> = {
  'anthropic.messages.anthropic-v1-messages-post-a0f05e2e.f5b4cfb6': 'top_p is -1',
  'anthropic.messages.test-anthropic-native-tool-search-streaming.751969f7':
    'the content of a block is an object',
  'anthropic.messages.test-anthropic-advisor-tool-message-replay.c9d6dc86':
    'the content of a block is an object',
  'anthropic.messages.test-anthropic-code-execution-tool-container-reuse.48e3483b':
    'the content of a block is an object',
  'anthropic.messages.anthropic-web-fetch.1b0f0c12': 'the content of a block is an object',
};

/** What is no exchange with a provider. */
const UNFIT: Readonly<Record<string, string>> = {
  'anthropic.messages.anthropic-programmatic-tool-calling-1.891bf619':
    'the streams of sixteen calls in one, without their requests',
  'anthropic.error.anthropic-web-fetch-tool-error.a809afd9':
    'an ordinary message under a status that somebody made up, without its request',
};

const corpus = recordings();
if (corpus.length === 0)
  console.warn(`skipped, because there are no recordings in ${RECORDED_FOLDER}`);

const folder = mkdtempSync(join(tmpdir(), 'causeway-recorded-'));
const MODELS_FILE = join(folder, 'models.yaml');
writeFileSync(MODELS_FILE, modelsFile(corpus));

(corpus.length > 0 ? describe : describe.skip)('recorded exchanges', () => {
  const { upstream, post } = useGateway({ MODELS_FILE });
  const tally = new Map<string, { ran: number; passed: number }>();
  afterAll(() => {
    rmSync(folder, { recursive: true });
    const counts = [...tally].map(([title, { ran, passed }]) => `${passed} of ${ran} ${title}`);
    console.log(`passed:\n  ${counts.join('\n  ')}`);
  });

  const fit = corpus.filter(({ id }) => !(id in UNFIT));
  const errors = fit.filter(({ kind }) => kind === 'error');
  const answers = fit.filter(({ id, kind }) => kind !== 'error' && !(id in REFUSED));
  const streams = answers.filter(({ stream }) => stream);
  const usageStreams = streams.filter(
    ({ request }) => request.body.stream_options?.include_usage === true,
  );

  const whole = answers.filter(({ stream }) => !stream);
  prove('whole', whole, async (recording) => {
    const reply = await play(recording, 200);
    expect(reply.body).toEqual(answerOf(recording));
  });

  prove('streamed', streams, async (recording) => {
    const { text } = await play(recording, 200);
    expect(parsed(text.split('\n'))).toEqual(eventsOf(recording, 'as asked'));
  });

  prove('streamed byte by byte', streams, async (recording) => {
    const { text } = await play(recording, 200, { chunkBytes: 1 });
    expect(parsed(text.split('\n'))).toEqual(eventsOf(recording, 'as asked'));
  });

  prove('streamed without asking for usage', usageStreams, async (recording) => {
    const { text } = await play(recording, 200, { without: 'stream_options' });
    expect(parsed(text.split('\n'))).toEqual(eventsOf(recording, 'hidden'));
  });

  prove('refused by the provider', errors, async (recording) => {
    const { status, body } = refusalOf(recording);
    const reply = await play(recording, status);
    expect(reply.body).toEqual(body);
    if (status === 429) expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  const refused = fit.filter(({ id }) => id in REFUSED);
  prove('refused by the gateway', refused, async (recording) => {
    const before = upstream.received.length;
    const { path, body, headers } = callOf(recording);
    await post(path, body).set(headers).expect(422);
    expect(upstream.received.length).toBe(before);
  });

  /** One test for each recording, counted by provider and operation. */
  function prove(
    title: string,
    chosen: readonly Recording[],
    check: (recording: Recording) => Promise<void>,
  ): void {
    describe(title, () => {
      for (const recording of chosen) {
        it(recording.id, async () => {
          const group = `${recording.provider} ${recording.op}, ${title}`;
          const counts = tally.get(group) ?? { ran: 0, passed: 0 };
          tally.set(group, counts);
          counts.ran += 1;
          await check(recording);
          counts.passed += 1;
        });
      }
    });
  }

  /** Sends what was recorded, answers as the provider did, and proves what the provider was sent. */
  async function play(
    recording: Recording,
    status: number,
    { chunkBytes, without = '' }: { chunkBytes?: number; without?: string } = {},
  ) {
    const { path, headers, body } = callOf(recording);
    const want = upstreamCallOf(recording);
    const before = upstream.received.length;
    upstream.answers(replay(recording, chunkBytes));
    const reply = await post(path, { ...body, [without]: undefined }).set(headers);
    expect([reply.status, reply.status === status || reply.text]).toEqual([status, true]);
    const [sent, ...again] = upstream.received.slice(before);
    expect(again).toEqual([]);
    expect({ path: sent?.path, body: sent?.body }).toEqual({ path: want.path, body: want.body });
    expect(sent?.headers).toMatchObject(want.headers);
    for (const name of want.absent) expect(sent?.headers).not.toHaveProperty([name]);
    return reply;
  }
});
