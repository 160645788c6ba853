import { type UsageRecord } from '../../src/contract/usage-record.js';
import { NO_USAGE } from '../../src/contract/usage.js';

/** A record of a call that went well, with what a test wants to be different. */
export function usageRecord(different: Partial<UsageRecord> = {}): UsageRecord {
  return {
    requestId: 'req_1',
    accountId: 'acc_1',
    keyId: 'key_1',
    endpoint: '/embeddings',
    requestedModel: 'openai/text-embedding-3-small',
    model: 'openai/text-embedding-3-small',
    provider: 'openai',
    status: 200,
    outcome: 'ok',
    usage: { ...NO_USAGE, inputTokens: 7 },
    cost: 140_000n,
    estimated: false,
    attempts: [{ model: 'openai/text-embedding-3-small', provider: 'openai', status: 200, ms: 12 }],
    durationMs: 12.5,
    firstByteMs: null,
    user: null,
    metadata: null,
    createdAt: 1_763_650_000_123,
    ...different,
  };
}
