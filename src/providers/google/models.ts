import { type Capabilities, type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, SEARCH, TOOLS } from '../chat-model.js';

const SENSES: Capabilities = { input_modalities: ['text', 'image', 'file', 'audio'] };
const GEMINI = [SENSES, TOOLS, REASONING, SCHEMA, CACHING, SEARCH];
const LIMITS = [1_048_576, 65_536] as const;

/**
 * Gemini on Google's own API, newest first. Models for images, speech and live talk are left out.
 * https://ai.google.dev/gemini-api/docs/models, …/deprecations
 */
export const models: readonly ModelSpec[] = [
  gemini('gemini-4-neon', 'Gemini 4 Neon', '2026-11-18'),
  gemini('gemini-4-hydrogen', 'Gemini 4 Hydrogen', '2026-11-12'),
  gemini('gemini-4-carbon', 'Gemini 4 Carbon', '2026-11-10'),
  gemini('gemini-4-argon', 'Gemini 4 Argon', '2026-10-13'),
  gemini('gemini-3.8-flash', 'Gemini 3.8 Flash', '2026-09-02'),
  gemini('gemini-3.7-flash', 'Gemini 3.7 Flash (served by 3.8 Flash now)', '2026-08-13'),
  gemini('gemini-3.6-flash', 'Gemini 3.6 Flash', '2026-07-21'),
  gemini('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', '2026-07-21'),
  gemini('gemini-3.5-flash', 'Gemini 3.5 Flash', '2026-05-19'),
  gemini('gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite', '2026-05-07'),
  gemini('gemini-3.1-pro-preview', 'Gemini 3.1 Pro (preview)', '2026-02-19'),
  gemini('gemini-3-flash-preview', 'Gemini 3 Flash (preview)', '2025-12-17'),
  gemini('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', '2025-07-22'),
  gemini('gemini-2.5-flash', shutDown('Gemini 2.5 Flash'), '2025-06-17'),
  gemini('gemini-2.5-pro', shutDown('Gemini 2.5 Pro'), '2025-06-17'),
];

function gemini(name: string, description: string, released: string): ModelSpec {
  return { ...chatModel(name, LIMITS, GEMINI, released), description };
}

/** Google answers for these with newer models from that day, at the newer models' prices. */
function shutDown(name: string): string {
  return `${name} (shut down by Google on 2026-12-01)`;
}
