import { able } from '../../../contract/ability.js';
import { type Model } from '../../../contract/model.js';
import { type Edits } from '../../../json/splice.js';
import { type Fields, isObject, isText, membersOf } from '../../../json/values.js';
import { effortOfBudget } from '../asked-output.js';
import { type ChatQuirks, switchedTo } from './openai-chat-quirks.js';
import { commonEffort } from '../substitute-model.js';

/**
 * How a relayed chat tells a model to think that the caller did not name: `reasoning_effort`, OpenRouter's
 * `reasoning` and a `thinking` such as Anthropic's, in words that its provider knows. OpenAI and Groq refuse
 * the others: "property 'reasoning' is unsupported", https://github.com/musistudio/llms/pull/64
 *
 * @param quirks of the provider; `fields` are those that the model calls otherwise or refuses.
 */
export function substituteThinking(
  body: Fields,
  model: Pick<Model, 'capabilities'>,
  { thinksIn, takesReasoning, thinkingSwitch, onlyEffort, fields = {} }: ChatQuirks,
): Edits {
  const edits = new Map<string, string | undefined>();
  const set = (name: string, value: unknown): void => {
    if (value !== undefined || Object.hasOwn(body, name)) edits.set(name, JSON.stringify(value));
  };
  const { reasoning_effort, reasoning, thinking } = body;
  // What a server of the operator's own knows nobody can say.
  const isKnown = thinksIn !== undefined;
  const translated = isKnown && !takesReasoning;
  const isReasoning = able(model, 'thinking');
  const wish =
    thinkingSwitch && isReasoning && forcesTool(body)
      ? OFF
      : wishIn({
          reasoning_effort,
          ...(isKnown && { thinking }),
          ...(translated && { reasoning }),
        });
  if (translated) set('reasoning', undefined);
  if (isKnown && thinkingSwitch !== 'thinking') set('thinking', undefined);
  if (isReasoning || isObject(thinking)) {
    const switched = switchedTo(wish.type, { thinkingSwitch }, isReasoning);
    for (const [name, value] of Object.entries(switched)) set(name, value);
  }
  const isEffortKnown = !Object.hasOwn(fields, 'reasoning_effort');
  // Where there is one effort alone, nothing else tells a model to think.
  const effort = wish.type === 'enabled' ? (onlyEffort ?? wish.effort) : undefined;
  if (isEffortKnown && wish.type) set('reasoning_effort', effort);
  return edits;
}

/** What a chat wants, in the words that all know; nothing where it does not say. */
interface Wish {
  readonly type?: 'enabled' | 'disabled';
  readonly effort?: string | undefined;
}

const OFF: Wish = { type: 'disabled' };

function wishIn({ reasoning_effort: word, reasoning, thinking }: Fields): Wish {
  const { type, budget_tokens } = membersOf(thinking);
  const { effort, max_tokens, enabled } = isText(word) ? { effort: word } : membersOf(reasoning);
  const isOff = isText(type) ? type === 'disabled' : effort === 'none' || enabled === false;
  if (isOff) return OFF;
  const budget = isText(type) ? budget_tokens : max_tokens;
  const most = typeof budget === 'number' ? effortOfBudget(budget) : undefined;
  if (isText(effort)) return { type: 'enabled', effort: known(effort) };
  const isOn = isText(type) || most !== undefined || enabled === true;
  return isOn ? { type: 'enabled', effort: most } : {};
}

function known(effort: string): string | undefined {
  const common = commonEffort(effort);
  return common ? common.word : effort;
}

/** It would be refused as long as the model thinks, also unasked. */
function forcesTool({ tool_choice: choice }: Fields): boolean {
  return choice === 'required' || isObject(choice);
}
