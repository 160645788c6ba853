import { type NeutralRequest } from '../../../contract/neutral.js';
import { resultsIn, runsOf, saidBesides, systemBlocks, type Turn } from '../conversation-runs.js';
import { isSinceGemini3 } from './gemini-generation.js';
import { type GeminiHost } from './gemini-host.js';
import { contentParts, type GeminiPart, mediaPart, textParts } from './gemini-parts.js';
import { type Proof, proofIn, UNCHECKED_SIGNATURE } from './gemini-proofs.js';
import { serverToolPart } from './gemini-server-tools.js';
import { functionName } from './gemini-tools.js';
import { nested, objectOf, type Placed, stringOf, untranslatable } from '../placed-blocks.js';

/** A turn on the wire. https://ai.google.dev/api/caching#Content */
interface GeminiContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly GeminiPart[];
}

/**
 * A conversation as `systemInstruction` and `contents`. Gemini has no system turns: those before the
 * conversation join the instruction, later ones stay in their place as the user's words.
 * https://ai.google.dev/api/generate-content
 *
 * @throws GatewayError 400 naming the block that lacks a field or has no counterpart.
 */
export function geminiContents(
  request: NeutralRequest,
  name: string,
  host: GeminiHost,
): { systemInstruction?: object; contents: readonly GeminiContent[] } {
  const [first = [], ...later] = runsOf(request);
  const start = first.findIndex(({ role }) => role !== 'system');
  const leading = first.slice(0, start < 0 ? first.length : start);
  const system = [
    ...systemBlocks(request),
    ...saidBesides(leading).flatMap(({ blocks }) => blocks),
  ];
  const writer = new ContentWriter(host, isSinceGemini3(name));
  const contents = [first.slice(leading.length), ...later].flatMap((run) => writer.content(run));
  const parts = system.flatMap(textParts);
  return { ...(parts.length > 0 && { systemInstruction: { parts } }), contents };
}

/** A function that the model has called. */
interface Called {
  /** On the wire. */
  readonly name: string;
  /** How many calls came before this one. */
  readonly order: number;
}

/** Writes the contents in their order, because a result names its call by id and Gemini by name. */
class ContentWriter {
  /** By the ids of the calls. */
  private readonly calls = new Map<string, Called>();

  constructor(
    private readonly host: GeminiHost,
    private readonly isNewest: boolean,
  ) {}

  content(run: readonly Turn[]): GeminiContent[] {
    const isModel = run[0]?.role === 'assistant';
    const parts = isModel ? this.modelParts(run) : this.userParts(run);
    return parts.length === 0 ? [] : [{ role: isModel ? 'model' : 'user', parts }];
  }

  private modelParts(run: readonly Turn[]): GeminiPart[] {
    const parts: GeminiPart[] = [];
    const callIds = new Map<GeminiPart, string>();
    const proofs: CallProof[] = [];
    let waiting: string | undefined;
    for (const place of run.flatMap(({ blocks }) => blocks)) {
      if (isThinking(place)) {
        const proof = proofIn(place.block);
        parts.push(...thoughtParts(place, proof));
        if (proof?.signed === 'call') proofs.push(proof);
        if (proof?.signed === 'next') waiting = proof.signature;
        continue;
      }
      const [part, ...others] = this.modelPart(place);
      if (!part) continue;
      if (part.functionCall) callIds.set(part, stringOf(place, 'id'));
      const isSigned = waiting !== undefined && !part.functionCall;
      parts.push(isSigned ? { ...part, thoughtSignature: waiting } : part, ...others);
      if (isSigned) waiting = undefined;
    }
    if (waiting !== undefined) parts.push({ text: '', thoughtSignature: waiting });
    return withCallsSigned(parts, callIds, proofs, this.isNewest);
  }

  private modelPart(place: Placed): GeminiPart[] {
    const { type } = place.block;
    if (type === 'text') return textParts(place);
    if (type === 'tool_use') return [this.functionCall(place)];
    if (type === 'image') return [mediaPart(objectOf(place, 'source'), 'image/png')];
    if (type === 'document') return contentParts(place);
    return [serverToolPart(place, this.host)];
  }

  private functionCall(place: Placed): GeminiPart {
    const id = stringOf(place, 'id');
    const name = functionName(stringOf(place, 'name'));
    this.calls.set(id, { name, order: this.calls.size });
    const args = objectOf(place, 'input').block;
    return { functionCall: { ...(this.host.takesIds && { id }), name, args } };
  }

  /** Results come first and in the order of their calls, which is all that matches them on Vertex. */
  private userParts(run: readonly Turn[]): GeminiPart[] {
    const orderOf = (id: string): number => this.calls.get(id)?.order ?? -1;
    const results = [...resultsIn(run)]
      .sort(([one], [other]) => orderOf(one) - orderOf(other))
      .map(([id, places]) => this.functionResponse(id, places));
    const said = saidBesides(run).flatMap(({ role, blocks }) =>
      blocks.flatMap(role === 'system' ? textParts : contentParts),
    );
    return [
      ...results.map(({ part }) => part),
      ...results.flatMap(({ attachments }) => attachments),
      ...said,
    ];
  }

  /**
   * One for each call, which may be answered in several pieces: Gemini counts them.
   * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
   */
  private functionResponse(
    id: string,
    places: readonly Placed[],
  ): { part: GeminiPart; attachments: GeminiPart[] } {
    const called = this.calls.get(id);
    if (!called) {
      const at = `${places[0]?.at ?? 'messages'}.tool_use_id`;
      throw untranslatable(at, 'names no tool_use of an earlier turn.');
    }
    const given = places.flatMap((place) => nested(place, 'content')).flatMap(resultParts);
    const text = given.flatMap((part) => part.text ?? []).join('\n');
    const media = given.filter((part) => part.text === undefined);
    const isInside = (part: GeminiPart): boolean => this.isNewest && isNestable(part);
    const inside = media.filter(isInside);
    const functionResponse = {
      ...(this.host.takesIds && { id }),
      name: called.name,
      response: places.some(isFailure) ? { error: text } : { output: text },
      ...(inside.length > 0 && { parts: inside }),
    };
    const attachments = media.filter((part) => !isInside(part));
    return { part: { functionResponse }, attachments };
  }
}

function isFailure({ block }: Placed): boolean {
  return block.is_error === true;
}

/** A tool search answers with the names of tools, which are all on offer already. */
function resultParts(place: Placed): GeminiPart[] {
  return place.block.type === 'tool_reference'
    ? [{ text: stringOf(place, 'tool_name') }]
    : contentParts(place);
}

function isNestable({ inlineData }: GeminiPart): boolean {
  return inlineData !== undefined && NESTABLE.has(inlineData.mimeType);
}

const NESTABLE = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/pdf',
  'text/plain',
]);

type CallProof = Extract<Proof, { signed: 'call' }>;

function isThinking({ block }: Placed): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** Thinking goes back to Gemini where Gemini itself proved it; that of others is left out. */
function thoughtParts({ block }: Placed, proof: Proof | undefined): GeminiPart[] {
  if (!proof) return [];
  const { signed, signature: thoughtSignature } = proof;
  const text = typeof block.thinking === 'string' ? block.thinking : '';
  if (signed === 'thought') return [{ text, thought: true, thoughtSignature }];
  return [
    ...(text !== '' ? [{ text, thought: true as const }] : []),
    ...(signed === 'empty' ? [{ text: '', thoughtSignature }] : []),
  ];
}

/**
 * Signatures at their calls; one whose call has another id now goes to the first that has none. Gemini
 * signs the first call of a step only, and what another model called has no signature at all.
 */
function withCallsSigned(
  parts: readonly GeminiPart[],
  callIds: ReadonlyMap<GeminiPart, string>,
  proofs: readonly CallProof[],
  isNewest: boolean,
): GeminiPart[] {
  const ids = new Set(callIds.values());
  const byId = new Map(proofs.map(({ id, signature }) => [id, signature]));
  const strays = proofs.filter(({ id }) => !ids.has(id)).map(({ signature }) => signature);
  let isFirst = true;
  return parts.map((part) => {
    const id = callIds.get(part);
    if (id === undefined) return part;
    const unchecked = isFirst && isNewest ? UNCHECKED_SIGNATURE : undefined;
    isFirst = false;
    const thoughtSignature = byId.get(id) ?? strays.shift() ?? unchecked;
    return thoughtSignature === undefined ? part : { ...part, thoughtSignature };
  });
}
