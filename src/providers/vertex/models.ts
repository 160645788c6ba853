import { type ModelSpec } from '../../contract/model.js';
import { models as anthropicModels } from '../anthropic/models.js';
import { models as googleModels } from '../google/models.js';

/** https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai */
const claude: readonly ModelSpec[] = anthropicModels
  .filter(({ aliasOf, description }) => !aliasOf && !description?.includes('retired'))
  // Google writes a model's date behind an `@`.
  .map((spec) => ({ ...spec, name: spec.name.replace(/-(\d{8})$/, '@$1') }));

/** https://cloud.google.com/vertex-ai/generative-ai/docs/models */
const gemini: readonly ModelSpec[] = googleModels
  .filter(({ name, endpoints }) => /^gemini-[23]/.test(name) && endpoints.includes('messages'))
  // What stands in brackets is about the Gemini API.
  .map(({ description, ...spec }) => ({
    ...spec,
    description: description?.replace(/ \(.*\)$/, '') ?? spec.name,
  }));

/** The same models as at their makers, each under its name on Vertex AI. */
export const models: readonly ModelSpec[] = [...claude, ...gemini];
