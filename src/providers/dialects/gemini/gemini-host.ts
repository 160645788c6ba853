import { type Place } from '../../place.js';
import { vertexRoot } from './vertex-path.js';

/** A place where Gemini's format is served: the same format, with paths and limits of its own. */
export interface GeminiHost {
  /** The path of a model's method, such as `generateContent`; the model's name is escaped. */
  path(name: string, method: string, place: Place): string;
  /** Whether calls and their results are matched by ids; elsewhere by name and order. */
  readonly takesIds: boolean;
  /** Whether Google's own tools may stand beside the caller's. */
  readonly mixesTools: boolean;
  /** Whether its models let a penalty be put on what they have said: "Penalty is not enabled". */
  readonly takesPenalties: boolean;
  /** Whether a request to be counted is wrapped, because only its contents could stand alone. */
  readonly wrapsCount: boolean;
}

/** https://ai.google.dev/api/generate-content */
export const GEMINI_API: GeminiHost = {
  path: (name, method) => `/v1beta/${geminiResource(name)}:${method}`,
  takesIds: true,
  mixesTools: true,
  takesPenalties: false,
  wrapsCount: true,
};

/**
 * Without a project it is the express mode, whose paths name neither project nor region.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
export const VERTEX: GeminiHost = {
  path(name, method, place) {
    const [, endpoint] = /^endpoints\/(.+)$/.exec(name) ?? [];
    const model = `publishers/google/models/${encodeURIComponent(name.replace(/^models\//, ''))}`;
    const called = endpoint ? `endpoints/${encodeURIComponent(endpoint)}` : model;
    return `${vertexRoot(place)}/${called}:${method}`;
  },
  // `v1` refuses an `id` in a call or its result: "Cannot find field".
  takesIds: false,
  mixesTools: false,
  takesPenalties: true,
  wrapsCount: false,
};

/** What the Gemini API calls a model: `models/…`, or `tunedModels/…` for one of the caller's own. */
export function geminiResource(name: string): string {
  const [, collection = 'models', own = name] = /^(models|tunedModels)\/(.+)$/.exec(name) ?? [];
  return `${collection}/${encodeURIComponent(own)}`;
}
