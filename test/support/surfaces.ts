const messages = [{ role: 'user', content: 'Hello' }];

/** Where a conversation is held, and the least that is asked there beside a model. */
export const SURFACES = [
  ['/v3/v1/messages', { max_tokens: 9, messages }],
  ['/v3/chat/completions', { messages }],
  ['/v3/responses', { input: 'Hello' }],
] as const;
