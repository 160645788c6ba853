import { anthropic } from './anthropic/anthropic.js';
import { openai } from './openai/openai.js';
import { type Provider } from './provider.js';
import { sandbox } from './sandbox/sandbox.js';

/** Every provider that is built in; a new one is a folder and a line here. */
export const PROVIDERS: readonly Provider[] = [anthropic, openai, sandbox];
