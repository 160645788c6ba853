import { type ModelSpec } from '../../contract/model.js';

/** The sandbox's first day, so that its rows are the same on every start. */
const CREATED = Date.parse('2026-11-20T00:00:00Z') / 1_000;

/** Models that answer without any provider. The fault drills are made from `echo` by the catalogue. */
export const models: readonly ModelSpec[] = [
  {
    name: 'echo',
    endpoints: ['messages'],
    description:
      'Repeats the last user text; calls a forced tool with arguments made from its schema',
    created: CREATED,
    contextLength: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: {
      input_modalities: ['text', 'image'],
      output_modalities: ['text'],
      supports_system_messages: true,
      supports_native_streaming: true,
      supports_function_calling: true,
      supports_tool_choice: true,
    },
  },
  {
    name: 'image',
    endpoints: ['images', 'image-edits'],
    description: 'Draws a PNG of the size asked for from the prompt',
    created: CREATED,
    capabilities: {
      input_modalities: ['text', 'image'],
      output_modalities: ['image'],
      max_images: 10,
    },
  },
  {
    name: 'embedding',
    endpoints: ['embeddings'],
    description: 'Deterministic unit vectors',
    created: CREATED,
    contextLength: 8_192,
    capabilities: {
      input_modalities: ['text'],
      output_modalities: ['embedding'],
      supports_dimensions: true,
      dimensions: 256,
      max_input_items: 2_048,
    },
  },
];
