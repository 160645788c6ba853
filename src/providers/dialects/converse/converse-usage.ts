import { countOrZero, NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';
import { type NeutralUsage } from '../../../contract/neutral.js';
import { listOf, membersOf } from '../../../json/values.js';
import { inItsTier } from '../service-tier.js';

/**
 * Converse's usage: as with Anthropic, `inputTokens` excludes what was read from or written to the
 * cache; `cacheDetails` tells for how long it was written. Undefined when a count that the price
 * depends on is missing or no count at all.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
export function converseUsage({ usage: wire, serviceTier: tier }: Metered): Usage | undefined {
  const usage = wire as ConverseUsage | null | undefined;
  const inputTokens = tokenCount(usage?.inputTokens);
  const outputTokens = tokenCount(usage?.outputTokens);
  const read = countOrZero(usage?.cacheReadInputTokens);
  const written = countOrZero(usage?.cacheWriteInputTokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  if (read === undefined || written === undefined) return undefined;
  const hour = (listOf(usage?.cacheDetails) as (CacheDetail | null)[])
    .filter((detail) => detail?.ttl === '1h')
    .reduce((sum, detail) => sum + (tokenCount(detail?.inputTokens) ?? 0), 0);
  const cacheWrite1hTokens = Math.min(hour, written);
  const counts = {
    ...NO_USAGE,
    inputTokens,
    outputTokens,
    cacheReadTokens: read,
    cacheWriteTokens: written - cacheWrite1hTokens,
    cacheWrite1hTokens,
  };
  return inItsTier(counts, { service_tier: membersOf(tier).type });
}

/** What an answer, or the last event of a stream, says of its price. */
export interface Metered {
  readonly usage?: unknown;
  /** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ServiceTier.html */
  readonly serviceTier?: unknown;
}

/** The counts as Anthropic names them, with what was written for an hour apart. */
export function countsOf(usage: Usage): NeutralUsage {
  const { cacheWriteTokens, cacheWrite1hTokens } = usage;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: cacheWriteTokens + cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    ...(cacheWrite1hTokens > 0 && {
      cache_creation: {
        ephemeral_5m_input_tokens: cacheWriteTokens,
        ephemeral_1h_input_tokens: cacheWrite1hTokens,
      },
    }),
  };
}

interface ConverseUsage {
  readonly inputTokens?: unknown;
  readonly outputTokens?: unknown;
  readonly cacheReadInputTokens?: unknown;
  readonly cacheWriteInputTokens?: unknown;
  readonly cacheDetails?: unknown;
}

interface CacheDetail {
  readonly ttl?: unknown;
  readonly inputTokens?: unknown;
}
