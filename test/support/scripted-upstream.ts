import { FakeUpstream, type Received } from './fake-upstream.js';
import { API_KEY } from './gateway.js';
import { anthropicWire } from './scripted-upstream-anthropic.js';
import { chatWire } from './scripted-upstream-chat.js';
import { cohereWire } from './scripted-upstream-cohere.js';
import { converseWire } from './scripted-upstream-converse.js';
import { geminiWire } from './scripted-upstream-gemini.js';
import { responsesWire } from './scripted-upstream-responses.js';
import { type Said, type Turn, type Wire } from './scripted-upstream-wire.js';
import { useGatewayBefore } from './use-gateway.js';

/** A model behind each format, by the format's name. */
export const MODELS = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  openai: 'openai/gpt-5.4',
  gemini: 'google/gemini-3.5-flash',
  converse: 'bedrock/us.amazon.nova-lite-v1:0',
  cohere: 'cohere/command-a-reasoning-08-2025',
} as const;

const WIRES: readonly (readonly [RegExp, Wire])[] = [
  [/^\/anthropic\/v1\/messages$/, anthropicWire],
  [/^\/(openai|deepseek)\/v1\/chat\/completions$/, chatWire],
  [/^\/openai\/v1\/responses$/, responsesWire],
  [/^\/google\/.*:streamGenerateContent\b/, geminiWire],
  [/^\/aws\/.*\/converse-stream$/, converseWire],
  [/^\/cohere\/.*\/chat$/, cohereWire],
];

/** Decides what a model answers to a request. */
export type Script = (turn: Turn, request: Received) => readonly Said[];

/**
 * Providers that stream what a script says, each in its own format, and that refuse a conversation
 * whose tool calls and results do not pair, as the real ones do.
 */
export class ScriptedUpstream {
  readonly upstream = new FakeUpstream();
  /** What the last request said. */
  lastTurn: Turn | undefined;
  private script: Script = () => [{ text: 'Hello' }];
  private pause: Promise<unknown> = Promise.resolve();
  private failure: { readonly status: number; readonly message: string } | undefined;

  constructor() {
    this.upstream.answers(async (response, request) => {
      const wire = WIRES.find(([path]) => path.test(request.path))?.[1];
      const turn = wire?.read(request.body);
      this.lastTurn = turn;
      const problem = turn ? unpaired(turn) : `nothing at ${request.path}`;
      const failure = this.failure ?? (problem && { status: turn ? 400 : 404, message: problem });
      if (!wire || !turn || failure) {
        const { status, message } = failure || { status: 404, message: '' };
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ message, error: { message } }));
        return;
      }
      response.writeHead(200, { 'content-type': wire.mediaType });
      for (const [index, piece] of wire
        .stream(this.script(turn, request), request.body)
        .entries()) {
        response.write(piece);
        await new Promise((later) => setTimeout(later, 0));
        if (index === 1) await this.pause;
      }
      response.end();
    });
  }

  /** Answers every request from now on so. */
  plays(script: Script | readonly Said[]): void {
    this.upstream.received.length = 0;
    this.script = typeof script === 'function' ? script : () => script;
  }

  /** Falls silent in the middle of each answer until then. */
  pausesUntil(moment: Promise<unknown>): void {
    this.pause = moment;
  }

  /** Refuses every request in these words, until told otherwise. */
  fails(status: number | undefined, message = ''): void {
    this.failure = status === undefined ? undefined : { status, message };
  }

  /** The settings of a gateway whose providers these are. */
  get settings(): Record<string, string> {
    const { url } = this.upstream;
    return {
      ANTHROPIC_API_KEY: 'upstream-anthropic-key',
      ANTHROPIC_BASE_URL: `${url}/anthropic`,
      OPENAI_API_KEY: 'upstream-openai-key',
      OPENAI_BASE_URL: `${url}/openai/v1`,
      DEEPSEEK_API_KEY: 'upstream-deepseek-key',
      DEEPSEEK_BASE_URL: `${url}/deepseek/v1`,
      GOOGLE_API_KEY: 'upstream-google-key',
      GOOGLE_BASE_URL: `${url}/google`,
      BEDROCK_API_KEY: 'upstream-bedrock-key',
      BEDROCK_BASE_URL: `${url}/aws`,
      COHERE_API_KEY: 'upstream-cohere-key',
      COHERE_BASE_URL: `${url}/cohere`,
    };
  }
}

/** A gateway whose providers follow a script. */
export function useScriptedGateway(env: Record<string, string> = {}) {
  const scripted = new ScriptedUpstream();
  const gateway = useGatewayBefore(() => ({ ...scripted.settings, ...env }), scripted.upstream);
  /** A stream whose provider falls silent until its caller has got that line so often. */
  async function streamedAfter(times: number, line: string, path: string, body: object) {
    const heard = Promise.withResolvers<undefined>();
    scripted.pausesUntil(heard.promise);
    const answer = await gateway.begin(`POST ${path}`, body, { key: API_KEY });
    let text = '';
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.split('\n').filter((one) => one === line).length >= times) heard.resolve(undefined);
    }
    return text;
  }
  return Object.assign(gateway, { scripted, streamedAfter });
}

function unpaired({ calls, results }: Turn): string | undefined {
  const names = (list: Turn['calls']) =>
    list
      .map(({ id }) => id)
      .sort()
      .join(' ');
  if (names(calls) === names(results)) return undefined;
  return `the calls ${names(calls)} do not have the results ${names(results)}`;
}
