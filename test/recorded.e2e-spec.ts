import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rmSync, writeFileSync } from 'node:fs';
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
  failsInside,
  parsed,
  refusalOf,
  upstreamCallOf,
} from './support/recorded-expectation.js';
import { replay } from './support/recorded-upstream.js';
import { useGateway } from './support/use-gateway.js';

/** What the contract refuses before any call. */
const REFUSED: Readonly<Record<string, string>> = {
  'anthropic.messages.anthropic-v1-messages-post-a0f05e2e.f5b4cfb6': 'top_p is -1',
  'anthropic.error.anthropic-completion-error.acd9f295': 'a message is no object',
  'anthropic.error.gensync.20d802eb': 'max_tokens is 0',
  'openai.error.additional-params-override-prompt.c0351664': 'prompt is empty',
  'openai.error.chat-bad-request.1b887995': 'max_tokens is 0',
  'openai.error.embeddings-bad-request.b57b751e': 'dimensions is -1',
  'openai.error.generatemultipleembeddingswithbadoptions-usingintegers.f7f5a378':
    'dimensions is -42',
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

const MODELS_FILE = join(tmpdir(), `causeway-recorded-${process.pid}.yaml`);
beforeAll(() => {
  writeFileSync(MODELS_FILE, modelsFile(corpus));
});
afterAll(() => {
  rmSync(MODELS_FILE);
});

(corpus.length > 0 ? describe : describe.skip)('recorded exchanges', () => {
  const { upstream, post } = useGateway({ MODELS_FILE });
  const tally = new Map<string, { ran: number; passed: number }>();
  afterAll(() => {
    const counts = [...tally].map(([title, { ran, passed }]) => `${passed} of ${ran} ${title}`);
    console.log(`passed:\n  ${counts.join('\n  ')}`);
  });

  const fit = corpus.filter(({ id }) => !(id in UNFIT));
  const refused = fit.filter(({ id }) => id in REFUSED);
  const accepted = fit.filter(({ id }) => !(id in REFUSED));
  const errors = accepted.filter(({ kind }) => kind === 'error');
  const answers = accepted.filter(({ kind }) => kind !== 'error');
  const streams = answers.filter(({ stream }) => stream);

  const whole = answers.filter(({ stream }) => !stream);
  prove('whole', whole, async (recording) => {
    const reply = await play(recording, 200);
    expect(reply.body).toEqual(answerOf(recording));
  });

  const unbroken = streams.filter((recording) => !failsInside(recording));
  prove('streamed', unbroken, async (recording) => {
    const { text } = await play(recording, 200);
    expect(parsed(text.split('\n'))).toEqual(eventsOf(recording, 'as asked'));
  });

  prove('streamed byte by byte', streams, async (recording) => {
    const { text } = await play(recording, 200, { chunkBytes: 1 });
    expect(parsed(text.split('\n'))).toEqual(eventsOf(recording, 'as asked'));
  });

  const wantUsage = unbroken.filter(({ request }) => request.body.stream_options?.include_usage);
  prove('streamed without asking for usage', wantUsage, async (recording) => {
    const { text } = await play(recording, 200, { without: 'stream_options' });
    expect(parsed(text.split('\n'))).toEqual(eventsOf(recording, 'hidden'));
  });

  const broken = streams.filter(failsInside);
  prove('failed before any output', broken, async (recording) => {
    // The failure is in the first piece of the stream, so nothing has gone to the caller yet.
    const reply = await play(recording, 400);
    expect(reply.body.error.type).toBe('invalid_request_error');
  });

  prove('refused by the provider', errors, async (recording) => {
    const { status, body } = refusalOf(recording);
    const reply = await play(recording, status);
    expect(reply.body).toEqual(body);
    if (status === 429) expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  prove('refused by the gateway', refused, async (recording) => {
    const before = upstream.received.length;
    const { path, body, headers } = callOf(recording);
    const status = recording.op === 'messages' ? 422 : 400;
    await post(path, body).set(headers).expect(status);
    expect(upstream.received.length).toBe(before);
  });

  it('names only recordings that there are', () => {
    const ids = new Set(corpus.map(({ id }) => id));
    expect(Object.keys({ ...REFUSED, ...UNFIT }).filter((id) => !ids.has(id))).toEqual([]);
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
    const reply = await post(path, { ...body, [without]: undefined })
      .set(headers)
      .expect(status);
    const [sent, ...again] = upstream.received.slice(before);
    // What was refused for now may be sent again, but nothing else.
    const isPatient = [408, 429, 503, 529].includes(recording.response.status);
    expect(again.filter(({ text }) => !isPatient || text !== sent?.text)).toEqual([]);
    expect({ path: sent?.path, body: sent?.body }).toEqual({ path: want.path, body: want.body });
    expect(sent?.headers).toMatchObject(want.headers);
    for (const name of want.absent) expect(sent?.headers).not.toHaveProperty([name]);
    return reply;
  }
});
