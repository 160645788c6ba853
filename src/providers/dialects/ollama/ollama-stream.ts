import { parsedObject } from '../../../json/values.js';
import { type CallContext, type ServerEvent } from '../../provider.js';
import { BlockQueue } from '../block-queue.js';
import { BROKEN_OFF, brokenAnswer } from '../broken-answer.js';
import { messageEnd, messageError, messageStart } from '../message-events.js';
import {
  OLLAMA_SIGNATURE,
  type OllamaAnswer,
  ollamaStop,
  ollamaUsage,
  spokenBy,
} from './ollama-reading.js';
import { errorIn } from '../provider-error.js';
import { toolUses } from '../tool-uses.js';

/**
 * The lines of an Ollama answer as Anthropic's stream events. Tool calls come whole.
 * https://docs.ollama.com/api/streaming
 *
 * @throws GatewayError 502 when the stream ends without its last line or is not JSON.
 */
export async function* eventsOfOllama(
  events: AsyncIterable<ServerEvent>,
  call: CallContext<'messages'>,
): AsyncGenerator<ServerEvent> {
  const blocks = new OllamaBlocks(call);
  let isStarted = false;
  for await (const { data } of events) {
    const answer = parsedObject(data) as OllamaAnswer | undefined;
    if (!answer) throw brokenAnswer('The provider sent a line that is no JSON object.');
    // A server in front of it may put its error otherwise.
    if (answer.error || typeof answer.message === 'string') {
      yield messageError(errorIn(answer));
      return;
    }
    if (!isStarted) yield messageStart(call);
    isStarted = true;
    yield* blocks.take(answer);
    if (answer.done !== true) continue;
    yield* blocks.end();
    yield* messageEnd(ollamaStop(answer, blocks.calls), ollamaUsage(answer));
    return;
  }
  throw brokenAnswer(BROKEN_OFF);
}

/** One block after another, as Ollama says them. */
class OllamaBlocks {
  calls = 0;
  private readonly queue = new BlockQueue();
  private readonly toolUse: ReturnType<typeof toolUses>;
  private open: { readonly key: string; readonly kind: 'text' | 'thinking' } | undefined;
  private made = 0;

  constructor(call: CallContext<'messages'>) {
    this.toolUse = toolUses(call);
  }

  *take(answer: OllamaAnswer): Generator<ServerEvent> {
    const { thinking, text, calls } = spokenBy(answer);
    yield* this.say('thinking', thinking);
    yield* this.say('text', text);
    for (const { id, function: called } of calls) {
      yield* this.end();
      this.calls++;
      const key = String(this.made++);
      yield* this.queue.begin(key, this.toolUse({ id, name: called?.name, input: {} }));
      const given = called?.arguments ?? {};
      const partial_json = typeof given === 'string' ? given : JSON.stringify(given);
      yield* this.queue.add(key, { type: 'input_json_delta', partial_json });
      yield* this.queue.end(key);
    }
  }

  *end(): Generator<ServerEvent> {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    if (open.kind === 'thinking') {
      yield* this.queue.add(open.key, { type: 'signature_delta', signature: OLLAMA_SIGNATURE });
    }
    yield* this.queue.end(open.key);
  }

  private *say(kind: 'text' | 'thinking', said: string): Generator<ServerEvent> {
    if (said === '') return;
    const isText = kind === 'text';
    if (this.open?.kind !== kind) {
      yield* this.end();
      this.open = { key: String(this.made++), kind };
      const opening = isText
        ? { type: kind, text: '' }
        : { type: kind, thinking: '', signature: '' };
      yield* this.queue.begin(this.open.key, opening);
    }
    const { key } = this.open;
    const delta = isText
      ? { type: 'text_delta', text: said }
      : { type: 'thinking_delta', thinking: said };
    yield* this.queue.add(key, delta);
  }
}
