import { type Format } from '../contract/endpoint.js';
import { conversationWay } from '../providers/serves.js';
import { type Candidates } from './available-models.js';
import { type Choice } from './choice.js';
import { type DropReason } from './hard-filters.js';

/**
 * Leaves out, for what only the caller's own format can say, the candidates that it would be translated for.
 */
export function relayedAlone(
  { targets, dropped }: Candidates,
  { format, choice }: { readonly format: Format; readonly choice: Choice },
  reason: DropReason,
): Candidates {
  const isRelayed = (target: Candidates['targets'][number]): boolean =>
    'relay' in (conversationWay(target, format, choice) ?? {});
  const lacking = targets.filter((target) => !isRelayed(target));
  return {
    targets: targets.filter(isRelayed),
    dropped: [...lacking.map(({ model }) => ({ model: model.id, reason })), ...dropped],
  };
}
