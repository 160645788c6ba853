type Json = Record<string, any>;

/** What a request says, whatever its format. */
export interface Conversation {
  readonly system: string[];
  readonly turns: Turn[];
  readonly tools: { name: string; description?: string; schema?: Json }[];
  choice?: { readonly type: string; readonly name?: string };
  max?: number;
  temperature?: number;
  topP?: number;
  stop: readonly string[];
  /** What only this format can say. */
  readonly odd: string[];
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly parts: Part[];
}

export type Part =
  | { readonly text: string }
  | { readonly image: { readonly type?: string; readonly data?: string; readonly url?: string } }
  | { readonly call: { readonly id: string; readonly name: string; readonly input: unknown } }
  | { readonly result: { readonly id: string; readonly text: string } };

export function emptyConversation(): Conversation {
  return { system: [], turns: [], tools: [], stop: [], odd: [] };
}

export function settings({ max, temperature, topP, stop }: Json) {
  return {
    max: max ?? undefined,
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    stop: (stop ?? []) as string[],
  };
}
