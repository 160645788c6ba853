import { GatewayError } from '../../src/contract/gateway-error.js';

/** Turns of a conversation and the blocks in them, as the Messages API writes them. */
export const user = (...content: object[]) => ({ role: 'user', content });
export const assistant = (...content: object[]) => ({ role: 'assistant', content });
export const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
export const use = (id: string, name = 'f', input: object = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const result = (id: string, content: unknown, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});

/** The error that something is refused with. @throws Error when it is not refused. */
export function refusalOf(attempt: () => unknown): GatewayError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('was not refused');
}
