import { describe, expect, it } from '@jest/globals';
import { noCandidate } from './no-candidate.js';
import { type Dropped } from './rank-models.js';

const dropped = (reason: Dropped['reason'], count: number) =>
  Array.from({ length: count }, (_, index) => ({ model: `p/${reason}-${index}`, reason }));

describe('noCandidate', () => {
  it('names the models of each reason, the most frequent one first', () => {
    const { message } = noCandidate([...dropped('tools', 1), ...dropped('image_input', 2)]);
    expect(message).toBe(
      'No model that you may use can take this request: ' +
        'image_input: p/image_input-0, p/image_input-1; tools: p/tools-0.',
    );
  });

  it('counts those that are too many to name', () => {
    const { message } = noCandidate([...dropped('context_length', 900), ...dropped('credit', 11)]);
    expect(message).toContain('p/context_length-9 and 890 more; credit: p/credit-0');
    expect(message).toMatch(/p\/credit-9 and 1 more\.$/);
  });

  it('has nothing to name where there is no model at all', () => {
    expect(noCandidate([]).message).toBe('No model that you may use can take this request.');
  });
});
