import { type Endpoint } from '../../contract/endpoint.js';
import { type Fields, isText, listOf, membersOf } from '../../json/values.js';
import { atPath } from '../dialects/dialect-path.js';
import { untranslatable } from '../dialects/placed-blocks.js';
import { type Dialect } from '../provider.js';

/**
 * A dialect of OpenRouter's that has the model called which was asked for, and no other: whether the caller
 * may use that one, in their region, and what it costs, nobody would have looked at.
 * https://openrouter.ai/docs/guides/routing/model-fallbacks, …/features/server-tools/advisor, …/server-tools/fusion,
 * …/features/presets
 */
export function ofOneModel<E extends Endpoint>(dialect: Dialect<E>): Dialect<E> {
  return atPath(dialect, (path, { asked }) => {
    refuseOthers(asked);
    return path;
  });
}

/** @throws GatewayError 400 naming the field by which another model would be called. */
function refuseOthers({ models, preset, tools, plugins }: Fields): void {
  if (listOf(models).length > 0) {
    throw untranslatable('models', 'name them in `fallbacks`, as the gateway has them.');
  }
  // It may name models, hosts and tools, and nobody here has seen it.
  if ((preset ?? '') !== '') throw untranslatable('preset', ASKS);
  const tool = listOf(tools).findIndex((one) => asksOthers(membersOf(one).type));
  if (tool >= 0) throw untranslatable(`tools[${tool}].type`, ASKS);
  const plugin = listOf(plugins).findIndex((one) => membersOf(one).id === 'fusion');
  if (plugin >= 0) throw untranslatable(`plugins[${plugin}].id`, ASKS);
}

const ASKS = 'asks other models, which is not offered here.';

/** What OpenRouter runs asks other models, but for a few tools of which it says that they do not. */
function asksOthers(type: unknown): boolean {
  return isText(type) && /^(?:openrouter:|advisor_\d)/.test(type) && !ASKING_NOBODY.has(type);
}

const ASKING_NOBODY: ReadonlySet<string> = new Set(
  ['web_search', 'web_fetch', 'datetime', 'apply_patch'].map((tool) => `openrouter:${tool}`),
);
