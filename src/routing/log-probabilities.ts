import { type Fields, listOf } from '../json/values.js';
import { type Candidates } from './available-models.js';
import { type Choice, type Need } from './choice.js';
import { relayedAlone } from './relayed-alone.js';

/**
 * Leaves out, of the candidates for an answer with the log probabilities of its words, those that would
 * refuse to tell them. Only OpenAI's formats have them, so that what is translated is without.
 */
export function tellingLogprobs(
  candidates: Candidates,
  { format }: Need,
  choice: Choice,
): Candidates {
  if (!format || format === 'anthropic' || !wantsLogprobs(choice as Choice & Fields)) {
    return candidates;
  }
  return relayedAlone(candidates, { format, choice }, 'logprobs');
}

function wantsLogprobs({ logprobs, top_logprobs: most, include }: Fields): boolean {
  if (logprobs === true || listOf(include).includes(OF_RESPONSES)) return true;
  return typeof most === 'number' && most > 0;
}

const OF_RESPONSES = 'message.output_text.logprobs';
