import { type Place } from '../../place.js';

/**
 * What stands in front of everything on Vertex AI. Without a project the path names neither it nor the
 * region: an address of one's own may do so.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
 */
export function vertexRoot({ project, region }: Place): string {
  if (project === undefined) return '/v1';
  const location = encodeURIComponent(region ?? 'global');
  return `/v1/projects/${encodeURIComponent(project)}/locations/${location}`;
}

/** Whether a model is another maker's, as `maker/model` is; `models/…` and `endpoints/…` are Google's own words. */
export function isOfOtherMaker(name: string): boolean {
  return /^(?!models\/|endpoints\/)[^/]+\//.test(name);
}
