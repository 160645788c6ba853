import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesCall } from '../../../../test/support/translation.js';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { type ServerEvent, type UpstreamReply } from '../../provider.js';
import { geminiDialect } from './gemini-dialect.js';

/** Recorded exchanges with Google; not part of the project. */
const FOLDER = join('..', 'shared', 'fixtures', 'recorded');
const { codec } = geminiDialect.messages[0];

interface Recording {
  readonly id: string;
  readonly request?: { readonly url?: string };
  readonly response: {
    readonly status: number;
    readonly body?: unknown;
    readonly sse?: readonly string[];
  };
}

interface Answer {
  readonly candidates?: readonly { index?: number; content?: { parts?: any[] } }[];
  readonly usageMetadata?: Record<string, number | undefined>;
}

const recorded = (
  existsSync(FOLDER) ? globSync('{gemini,vertex}/chat/*.json', { cwd: FOLDER }) : []
)
  .sort()
  .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recording)
  .filter(({ request, response }) => {
    // Google's OpenAI interface is another format, and an error is no answer.
    const isOther = JSON.stringify(response).includes('chat.completion');
    const { error } = (response.body ?? {}) as { error?: unknown };
    return !request?.url?.includes('/openai/') && !isOther && !error;
  });

/** A whole answer is one chunk; a list of chunks came as JSON instead of events. */
function chunksOf({ response: { sse, body } }: Recording): Answer[] {
  if (!sse) return (Array.isArray(body) ? body : [body]) as Answer[];
  const lines = sse.filter((line) => line.startsWith('data:'));
  return lines.map((line) => JSON.parse(line.slice('data:'.length)) as Answer);
}

const context = messagesCall({
  model: 'google/gemini-3.5-flash',
  thinking: { type: 'adaptive' },
});

async function* events(chunks: readonly Answer[]): AsyncGenerator<ServerEvent> {
  for (const chunk of chunks) yield { name: undefined, data: JSON.stringify(chunk) };
}

function said(blocks: readonly NeutralBlock[], type: string, field: string): string {
  const own = blocks.filter((block) => block.type === type);
  return own.map((block) => block[field] as string).join('');
}

async function blocksOf(chunks: readonly Answer[]): Promise<any[]> {
  const blocks: any[] = [];
  for await (const { data } of codec.decodeStream!(events(chunks), context)) {
    // What was reported on the way is no event of the message.
    if (data === '') continue;
    const { type, index, content_block, delta } = JSON.parse(data);
    if (type === 'content_block_start') blocks[index] = { ...content_block };
    if (delta?.text) blocks[index].text += delta.text;
    if (delta?.thinking) blocks[index].thinking += delta.thinking;
    if (delta?.signature) blocks[index].signature = delta.signature;
    if (delta?.partial_json) blocks[index].input = JSON.parse(delta.partial_json);
  }
  return blocks;
}

describe('answers that Google gave', () => {
  if (recorded.length === 0) {
    it.skip(`skipped: there are no recordings in ${FOLDER}`, () => undefined);
    return;
  }

  it.each(recorded.map((recording) => [recording.id, recording] as const))(
    '%s loses nothing that was said',
    async (_, recording) => {
      const chunks = chunksOf(recording);
      const parts = chunks.flatMap(({ candidates = [] }) =>
        candidates
          .filter(({ index = 0 }) => index === 0)
          .flatMap(({ content }) => content?.parts ?? []),
      );
      const finishes = JSON.stringify(chunks).match(/"finishReason"|"blockReason"/g);
      let blocks: NeutralBlock[];
      if (recording.response.sse || Array.isArray(recording.response.body)) {
        if (!finishes) {
          await expect(blocksOf(chunks)).rejects.toMatchObject({ status: 502 });
          return;
        }
        blocks = await blocksOf(chunks);
      } else {
        const reply: UpstreamReply = {
          status: 200,
          headers: {},
          bytes: Buffer.from(''),
          json: () => recording.response.body,
        };
        const decoded = codec.decode([reply], context);
        blocks = [...decoded.result.content];
        const {
          promptTokenCount,
          candidatesTokenCount,
          totalTokenCount = 0,
        } = chunks[0]?.usageMetadata ?? {};
        if (promptTokenCount !== undefined && candidatesTokenCount !== undefined) {
          const { inputTokens, cacheReadTokens, outputTokens } = decoded.usage!;
          const all = inputTokens + cacheReadTokens + outputTokens;
          // Google's own sum leaves out what its tools fed back in some answers.
          expect([all, all - (chunks[0]?.usageMetadata?.toolUsePromptTokenCount ?? 0)]).toContain(
            totalTokenCount,
          );
        }
      }
      const text = (isThought: boolean) =>
        parts
          .filter(({ thought = false }) => thought === isThought)
          .map((part) => (part.text as string | undefined) ?? '')
          .join('');
      expect(said(blocks, 'text', 'text')).toBe(text(false));
      expect(said(blocks, 'thinking', 'thinking')).toBe(text(true));
      expect(blocks.filter(({ type }) => type === 'tool_use').map(({ input }) => input)).toEqual(
        parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.args ?? {}] : [])),
      );
      expect(said(blocks, 'server_tool_use', 'type')).toBe(
        'server_tool_use'.repeat(
          parts.filter(({ executableCode, toolCall }) => executableCode ?? toolCall).length,
        ),
      );
      const kept = JSON.stringify(blocks);
      const signed = parts.filter(
        ({ functionCall, executableCode, toolCall, thoughtSignature }) =>
          thoughtSignature && (functionCall ?? executableCode ?? toolCall),
      );
      for (const { thoughtSignature } of signed) expect(kept).toContain(thoughtSignature);
    },
  );
});
