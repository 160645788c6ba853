/** One thing that a scripted model does in its answer. */
export type Said =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly tool: string; readonly input: object }
  /** The provider breaks the stream off with an error of its own. */
  | { readonly error: string };

/** A tool as the request offers it. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
}

/** A tool call of the conversation, or its result; Gemini's have no ids, so names stand in. */
export interface Exchanged {
  readonly id: string;
  readonly text: string;
}

/** What a scripted model reads of a request, whatever the wire format. */
export interface Turn {
  readonly tools: readonly OfferedTool[];
  readonly calls: readonly Exchanged[];
  readonly results: readonly Exchanged[];
  /** The thinking of earlier answers, by its proofs. */
  readonly proofs: readonly string[];
}

/** How one provider's format is read and streamed. */
export interface Wire {
  readonly mediaType: string;
  read(body: any): Turn;
  stream(said: readonly Said[], body: any): readonly (string | Buffer)[];
}

/** What every scripted model says that it used. */
export const USED = { input: 1000, output: 500 };
/** What proves to its issuer that thinking is its own. */
export const PROOF = 'c2lnbmVk';

/** A text in two pieces, as a stream would cut it. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

/** A frame of a stream of server-sent events. */
export function sse(data: unknown, name?: string): string {
  const head = name === undefined ? '' : `event: ${name}\n`;
  return `${head}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** The text of a content that is a text or a list of blocks. */
export function plain(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined ? '' : JSON.stringify(content);
  return content.map((block) => block.text ?? JSON.stringify(block)).join('');
}

/** The calls and results of a conversation in the form of OpenAI's chat, which Cohere's is too. */
export function chatExchanges(messages: any): Pick<Turn, 'calls' | 'results'> {
  return {
    calls: messages
      .flatMap(({ tool_calls: calls }: any) => calls ?? [])
      .map(({ id, function: { name } }: any) => ({ id, text: name })),
    results: messages
      .filter(({ role }: any) => role === 'tool')
      .map(({ tool_call_id: id, content }: any) => ({ id, text: plain(content) })),
  };
}

/** An id that no earlier call of the conversation has. */
export function callId(prefix: string, turn: number, index: number): string {
  return `${prefix}${turn}_${index}`;
}

/** Whether the model called a tool, which is why it stopped. */
export function callsTool(said: readonly Said[]): boolean {
  return said.some((each) => 'tool' in each);
}
