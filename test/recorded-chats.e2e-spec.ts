import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { type Facts } from './support/recorded-answer.js';
import { asChat, asMessages } from './support/recorded-asking.js';
import {
  chatModelsFile,
  chatProviders,
  type RecordedChat,
  recordedChats,
} from './support/recorded-chats.js';
import { type Conversation, emptyConversation } from './support/recorded-conversation.js';
import { RECORDED_FOLDER } from './support/recorded-corpus.js';
import { parsed } from './support/recorded-expectation.js';
import { factsOf } from './support/recorded-facts.js';
import { type Heard, heardChat, heardMessages } from './support/recorded-heard.js';
import { meaningOf } from './support/recorded-meaning.js';
import { conversationOf } from './support/recorded-requests.js';
import { refusedAs } from './support/recorded-refusal.js';
import { replay } from './support/recorded-upstream.js';

/** Recordings that do not come through as recorded, each explained in docs/translation.md. */
const KNOWN: Readonly<Record<string, string>> = {
  'anthropic.messages.anthropic-v1-messages-post-a0f05e2e.f5b4cfb6':
    'top_p is -1, which the contract refuses',
  'anthropic.messages.anthropic-programmatic-tool-calling-1.891bf619':
    'the streams of sixteen calls in one',
  'openai.chat.chatwithbasicaudiooutputasync.2963ad1f': 'speech, of which only a part was recorded',
};

const { chats, unfit } = recordedChats();
if (chats.length === 0)
  console.warn(`skipped, because there are no recordings in ${RECORDED_FOLDER}`);

const MODELS_FILE = join(tmpdir(), `causeway-recorded-chats-${process.pid}.yaml`);

(chats.length > 0 ? describe : describe.skip)('recorded conversations', () => {
  const upstream = new FakeUpstream();
  let gateway: RunningGateway;
  beforeAll(async () => {
    await upstream.listen();
    writeFileSync(MODELS_FILE, chatModelsFile(chats, upstream.url));
    gateway = await startGateway({ ...chatProviders(upstream.url), MODELS_FILE, BREAKER: 'off' });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    rmSync(MODELS_FILE);
  });

  const driven = chats.filter(({ id }) => !(id in KNOWN));
  const answers = driven.filter(({ isError }) => !isError);
  const errors = driven.filter(({ isError }) => isError);

  describe('through the Messages API', () => {
    it.each(answers.map((chat) => [chat.id, chat] as const))('%s', async (_, chat) => {
      const isRelayed = chat.wire === 'anthropic';
      const reply = await play(chat, '/v3/v1/messages', isRelayed, asMessages);
      const want = factsOf(chat);
      if (isRefusal(reply, want)) return;
      const heard = heardMessages(chat.stream ? parsed(reply.text.split('\n')) : reply.body);
      if (isCutOff(chat, heard, want)) return;
      says(chat, heard, want);
      expect(heard.facts.stop).toBe(want.stop);
      if (want.usage) expect(heard.facts.usage).toEqual(want.usage);
    });
  });

  describe('through chat completions', () => {
    // Callers of this format reach Ollama by its own copy of it, which has recordings of its own.
    const translated = answers.filter(({ wire }) => wire !== 'ollama');
    it.each(translated.map((chat) => [chat.id, chat] as const))('%s', async (_, chat) => {
      const isRelayed = chat.wire === 'openai';
      const reply = await play(chat, '/v3/chat/completions', isRelayed, asChat);
      const want = factsOf(chat);
      if (isRefusal(reply, want)) return;
      const heard = heardChat(chat.stream ? parsed(reply.text.split('\n')) : reply.body);
      if (isCutOff(chat, heard, want)) return;
      says(chat, heard, want);
      if (isRelayed) return;
      expect(heard.finish).toBe(wasFiltered(chat) ? 'content_filter' : finishOf(want));
      const { prompt_tokens: prompt, completion_tokens: completion, ...counts } = heard.usage!;
      expect(counts.total_tokens).toBe(prompt + completion);
      const paid = want.billed ?? want.usage;
      if (!paid) return;
      const { input, output, cacheRead, cacheWrite } = paid;
      expect([prompt, completion]).toEqual([input + cacheRead + cacheWrite, output]);
      expect(counts.prompt_tokens_details.cached_tokens).toBe(cacheRead);
    });
  });

  describe.each(['/v3/v1/messages', '/v3/chat/completions'])('refused, through %s', (path) => {
    it.each(errors.map((chat) => [chat.id, chat] as const))('%s', async (_, chat) => {
      const reply = await play(chat, path, false, asMessages, hello);
      refusedAs(chat.response, reply, path);
    });
  });

  it('comes through as recorded in 99 of 100 cases at least', () => {
    const ids = new Set([...chats.map(({ id }) => id)]);
    expect(Object.keys(KNOWN).filter((id) => !ids.has(id))).toEqual([]);
    expect(Object.keys(KNOWN).length / chats.length).toBeLessThanOrEqual(0.01);
    const told = readFileSync('docs/translation.md', 'utf8');
    expect(Object.keys(KNOWN).filter((id) => !told.includes(id))).toEqual([]);
    const counts = Map.groupBy(unfit.values(), (reason) => reason);
    const left = [...counts].map(([reason, ids]) => `${ids.length} ${reason}`);
    console.log(`${chats.length} conversations; not driven: ${left.join(', ')}`);
  });

  /** Asks for what was recorded, answers as the provider did, and proves what the provider was sent. */
  async function play(
    chat: RecordedChat,
    path: string,
    isRelayed: boolean,
    written: (said: Conversation) => object,
    said = conversationIn(chat),
  ) {
    const { asked, model, provider, stream } = chat;
    const own = isRelayed && asked ? asked : written(said);
    const isChat = path.endsWith('completions');
    const usage = isChat && { stream_options: { include_usage: true } };
    const body = { ...own, model: `${provider}/${model}`, ...(stream && { stream, ...usage }) };
    const before = upstream.received.length;
    upstream.answers(replay(chat, isChat ? 7 : undefined));
    const reply = await supertest(gateway.url)
      .post(path)
      .set('authorization', `Bearer ${API_KEY}`)
      .send(body);
    const [sent, ...again] = upstream.received.slice(before);
    // What was refused for now may be sent again, but nothing else.
    const isPatient =
      [408, 429, 503, 529].includes(chat.response.status) ||
      (!chat.isError && factsOf(chat).failed);
    expect({ sent: sent !== undefined, text: sent !== undefined || reply.text }).toEqual({
      sent: true,
      text: true,
    });
    expect(again.filter(({ text }) => !isPatient || text !== sent!.text)).toEqual([]);
    expect(sent!.text).not.toContain(API_KEY);
    if (chat.isError) return reply;
    if (isRelayed) expect(sent!.body).toMatchObject(unchanged(asked ?? {}));
    else {
      expect(meaningOf(conversationOf(chat.wire, sent!.body))).toMatchObject(
        known(meaningOf(said)),
      );
    }
    return reply;
  }
});

/** A request that says what was recorded, or as much of it as can be said in every format. */
function conversationIn({ wire, asked }: RecordedChat): Conversation {
  const said = asked && conversationOf(wire, asked);
  if (said && said.odd.length === 0 && said.turns.length > 0) return said;
  return { ...hello, tools: said?.tools ?? [], stop: said?.stop ?? [] };
}

const hello: Conversation = {
  ...emptyConversation(),
  turns: [{ role: 'user', parts: [{ text: 'Hello' }] }],
};

/** What a relayed request keeps as it was; nulls say nothing. */
function unchanged(asked: object): object {
  const fields = Object.entries(asked).filter(
    ([name, value]) => value !== null && !DECIDED_HERE.has(name),
  );
  return Object.fromEntries(fields);
}

const DECIDED_HERE = new Set(['model', 'stream', 'stream_options', 'anthropic_version']);

/** What was asked for; what was not may be filled in. */
function known(meaning: object): object {
  return Object.fromEntries(Object.entries(meaning).filter(([, value]) => value !== undefined));
}

/** An error that came with status 200, and before anything was said, is told as an error. */
function isRefusal(reply: { status: number; text: string }, want: Facts): boolean {
  const isEmpty =
    want.text + want.refusal === '' && want.thinking === '' && want.calls.length === 0;
  if ((want.failed || !want.ended) && isEmpty && reply.status >= 400) return true;
  expect({ status: reply.status, text: reply.status === 200 || reply.text }).toEqual({
    status: 200,
    text: true,
  });
  return false;
}

/** A stream that breaks off in an error says so, behind what came before. */
function isCutOff({ stream }: RecordedChat, { facts }: Heard, want: Facts): boolean {
  if (!stream || (!want.failed && want.ended)) return false;
  expect(facts.failed).toBe(true);
  expect(want.text.startsWith(facts.text)).toBe(true);
  return true;
}

function says({ provider, model }: RecordedChat, heard: Heard, want: Facts): void {
  expect(heard.model).toBe(`${provider}/${model}`);
  expect(heard.bill).toMatchObject({ provider, cost: expect.any(Number) });
  const { text, refusal, thinking, calls } = heard.facts;
  // Where there is no place for a refusal it is text; a reason that is none of the answer may be shown.
  const said = text + (want.refusal === '' ? '' : refusal);
  expect({ said, thinking }).toEqual({ said: want.text + want.refusal, thinking: want.thinking });
  expect(calls.map(({ name }) => name)).toEqual(want.calls.map(({ name }) => name));
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  for (const [index, { id, input }] of want.calls.entries()) {
    const isOwn = id && want.calls.findIndex((call) => call.id === id) === index;
    if (isOwn) expect(calls[index]!.id).toBe(id);
    if (typeof input === 'object') expect(calls[index]!.input).toEqual(input);
  }
}

/** By what providers end an answer that a filter of theirs, or a guardrail of the operator's, cuts. */
const FILTERED =
  /\W(?:finish_?reason|stopReason|blockReason)\W+(?:content_filter(?:ed)?|guardrail_intervened|SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|MODEL_ARMOR)\W/i;

function wasFiltered({ response }: RecordedChat): boolean {
  return FILTERED.test(JSON.stringify(response));
}

/** Why an answer ended, in OpenAI's words. */
function finishOf({ stop, text, thinking, calls }: Facts): string {
  switch (stop) {
    case 'max_tokens':
      return 'length';
    case 'tool_use':
      return 'tool_calls';
    case 'refusal':
      return 'content_filter';
    case null:
      return text === '' && thinking === '' && calls.length === 0 ? 'content_filter' : 'stop';
    default:
      return 'stop';
  }
}
