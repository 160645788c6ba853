import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRICES, type Recording, RECORDED_FOLDER } from './recorded-corpus.js';

type Json = Record<string, any>;

/** The formats in which providers were recorded holding a conversation. */
export type Wire = 'anthropic' | 'openai' | 'gemini' | 'converse' | 'cohere' | 'ollama';

/** One exchange of a conversation with a provider, in whichever format. */
export interface RecordedChat {
  readonly id: string;
  readonly wire: Wire;
  /** The provider's name here; one of its own where it was recorded in another than its usual format. */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly model: string;
  readonly stream: boolean;
  readonly isError: boolean;
  /** Undefined where only the answer was recorded. */
  readonly asked: Json | undefined;
  readonly response: Recording['response'] & {
    readonly ndjson?: readonly string[];
    readonly eventstream?: readonly Json[];
    readonly body_base64?: string;
  };
}

/** Every recorded conversation, and by id why the others are none that could be driven. */
export function recordedChats(): { chats: RecordedChat[]; unfit: Map<string, string> } {
  const chats: RecordedChat[] = [];
  const unfit = new Map<string, string>();
  for (const { path } of index().filter(({ op }) => op === 'chat' || op === 'messages')) {
    const stored = JSON.parse(readFileSync(join(RECORDED_FOLDER, path), 'utf8')) as Json;
    const read = chatOf(stored);
    if (typeof read === 'string') unfit.set(stored.id as string, read);
    else chats.push(read);
  }
  return { chats, unfit };
}

/** A models file with every model, and a provider of the operator's own for each that is not built in. */
export function chatModelsFile(chats: readonly RecordedChat[], upstream: string): string {
  const own = chats.filter(({ provider }) => !BUILT_IN.has(provider));
  const providers = own.map(({ provider, wire }) => [
    provider,
    { format: wire, base_url: `${upstream}/${provider}`, api_key_env: 'RECORDED_KEY' },
  ]);
  const row = { endpoints: ['messages'], context_length: 1e6, pricing: PRICES };
  const models = chats.map(({ provider, model }) => [`${provider}/${model}`, row]);
  // JSON is YAML.
  return JSON.stringify({
    providers: Object.fromEntries(providers),
    models: Object.fromEntries(models),
  });
}

/** The settings that switch every built-in provider on, at this upstream. */
export function chatProviders(upstream: string): Record<string, string> {
  const settings = [...BUILT_IN].flatMap((provider) => {
    const name = provider.toUpperCase().replaceAll('-', '_');
    return [
      [`${name}_API_KEY`, `upstream-${provider}-key`],
      [`${name}_BASE_URL`, `${upstream}/${provider}`],
    ];
  });
  return {
    ...Object.fromEntries(settings),
    RECORDED_KEY: 'upstream-key',
    AWS_REGION: 'us-east-1',
    VERTEX_PROJECT: 'recorded',
    VERTEX_REGION: 'us-central1',
  };
}

const BUILT_IN = new Set([
  ...['anthropic', 'openai', 'azure-openai', 'google', 'vertex', 'bedrock', 'mistral', 'cohere'],
  ...['xai', 'deepseek', 'groq', 'together', 'fireworks', 'openrouter', 'cerebras', 'perplexity'],
  ...['nebius', 'sambanova', 'moonshot', 'zai', 'alibaba', 'huggingface', 'ollama'],
]);

function index(): Json[] {
  const file = join(RECORDED_FOLDER, 'index.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json[]) : [];
}

function chatOf(stored: Json): RecordedChat | string {
  const { id, kind, stream, request, response } = stored;
  const wire = wireOf(stored);
  if (!wire) return 'another API of the provider';
  const isError = kind === 'error';
  if (isError && response.body?.type === 'message') return 'no error, under a status made up';
  if (/binary framing not stored/.test(stored.notes ?? '')) return 'recorded without its framing';
  const provider = stored.provider === 'gemini' ? 'google' : (stored.provider as string);
  const model = modelOf(stored);
  // What it is asked by Responses is driven by a provider of the operator's own, which has Chat alone.
  const usual = takesToolsByResponses(provider, model, request)
    ? undefined
    : usualWire(provider, model);
  return {
    id,
    wire,
    provider: wire === usual ? provider : `${provider}-${wire}`,
    model,
    stream,
    isError,
    asked: request?.body ?? undefined,
    response,
  };
}

function wireOf({ provider, request, response }: Json): Wire | undefined {
  const path = decodeURIComponent(
    String(request?.url ?? '').replace(/^https?:\/\/[^/]+|[?#].*$/g, ''),
  );
  if (path === '') return usualWire(provider === 'gemini' ? 'google' : provider, '');
  if (/\/invoke(-with-response-stream)?$/.test(path)) {
    const isClaude = request.body?.anthropic_version && Array.isArray(request.body.messages);
    return isClaude ? 'anthropic' : undefined;
  }
  if (provider === 'cohere' && /\/v1\/chat$/.test(path)) return undefined;
  if (/\/completions$/.test(path) && response.body?.object === 'text_completion') return undefined;
  const [, wire] = PATHS.find(([pattern]) => pattern.test(path)) ?? [];
  return wire;
}

const PATHS: readonly (readonly [RegExp, Wire])[] = [
  [/\/messages$|anthropic\/models\/.*[rR]awPredict$/, 'anthropic'],
  [/:(streamG|g)enerateContent$/, 'gemini'],
  [/\/converse(-stream)?$/, 'converse'],
  [/\/chat\/completions$|^\/v1\/chat$/, 'openai'],
  [/\/v2\/chat$/, 'cohere'],
  [/\/api\/chat$/, 'ollama'],
];

function takesToolsByResponses(
  provider: string,
  model: string,
  request: Json | undefined,
): boolean {
  return provider === 'openai' && /^gpt-5\.[5-9]/.test(model) && Boolean(request?.body?.tools);
}

/** What the provider is spoken to in here. */
function usualWire(provider: string, model: string): Wire {
  switch (provider) {
    case 'anthropic':
    case 'cohere':
    case 'ollama':
      return provider;
    case 'google':
      return 'gemini';
    case 'vertex':
      return model.startsWith('claude-') ? 'anthropic' : 'gemini';
    case 'bedrock':
      return model.includes('claude') ? 'anthropic' : 'converse';
    default:
      return 'openai';
  }
}

function modelOf({ request, response, model }: Json): string {
  const asked = request?.body?.model;
  if (typeof asked === 'string') return asked.replace(/^models\//, '');
  const path = String(request?.url ?? '').replace(/^https?:\/\/[^/]+/, '');
  const [, named] = /\/(?:deployments|models?)\/([^/:]+)/.exec(path) ?? [];
  const inPath = named ?? /\/models\/([^/]+):\w+$/.exec(path)?.[1];
  return decodeURIComponent(inPath ?? model ?? response.body?.model ?? 'recorded-model');
}
