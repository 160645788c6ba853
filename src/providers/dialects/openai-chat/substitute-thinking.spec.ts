import { describe, expect, it } from '@jest/globals';
import { chatEdits } from './openai-chat-edits.js';
import { type ChatQuirks, OPENAIS_OWN } from './openai-chat-quirks.js';

/** A provider that switches the thinking on and off, and refuses an effort beside it. */
const SWITCHING: ChatQuirks = {
  thinksIn: ['reasoning_content'],
  thinkingSwitch: 'thinking',
  fields: { reasoning_effort: undefined },
};
const OPENROUTERS: ChatQuirks = { thinksIn: ['reasoning'], takesReasoning: true };
const OWN_SERVERS: ChatQuirks = {};

/** What of a chat is about thinking when a model gets it. */
function told(
  quirks: ChatQuirks,
  wish: object,
  {
    named = '@router',
    supports_reasoning = true,
  }: object & {
    named?: string;
    supports_reasoning?: boolean;
  } = {},
): object {
  const body = { model: named, messages: [], ...wish };
  const model = { id: 'x/y', name: 'y', capabilities: { supports_reasoning } };
  const after: Record<string, unknown> = { ...body };
  for (const [name, json] of chatEdits({ model, stream: false, body } as never, quirks)) {
    after[name] = json === undefined ? undefined : JSON.parse(json);
  }
  const { reasoning, reasoning_effort, thinking, enable_thinking } = after;
  const all = { reasoning, reasoning_effort, thinking, enable_thinking };
  return JSON.parse(JSON.stringify(all)) as object;
}

describe('a wish to think, for a model that the caller did not name', () => {
  const low = { reasoning_effort: 'low' };
  const on = { thinking: { type: 'enabled' } };
  const off = { thinking: { type: 'disabled' } };

  it.each([
    [{ reasoning: { effort: 'low' } }, low, on],
    [{ reasoning: { effort: 'minimal' } }, low, on],
    [{ reasoning: { effort: 'xhigh' } }, { reasoning_effort: 'high' }, on],
    [{ reasoning: { effort: 'none' } }, {}, off],
    [{ reasoning: { enabled: false } }, {}, off],
    [{ reasoning: { enabled: true } }, {}, on],
    [{ reasoning: { max_tokens: 2_000 } }, low, on],
    [{ reasoning: { max_tokens: 30_000 } }, { reasoning_effort: 'high' }, on],
    [{ reasoning: { exclude: true } }, {}, {}],
    [{ reasoning: null }, {}, {}],
    [{ thinking: { type: 'enabled', budget_tokens: 8_000 } }, { reasoning_effort: 'medium' }, on],
    [{ thinking: { type: 'adaptive' } }, {}, on],
    [{ thinking: { type: 'disabled' } }, {}, off],
    [{ reasoning: { effort: 'high' }, ...low }, low, on],
    [{ thinking: { type: 'adaptive' }, ...low }, low, on],
    [{ thinking: { type: 'disabled' }, ...low }, {}, off],
    [{ reasoning_effort: 'none' }, {}, off],
    [low, low, on],
    [{}, {}, {}],
  ])('%j is told in words that its provider knows', (wish, effort, switched) => {
    expect(told(OPENAIS_OWN, wish)).toEqual(effort);
    expect(told(SWITCHING, wish)).toEqual(switched);
  });

  it('is not told to one that does not reason', () => {
    for (const wish of [{ reasoning: { effort: 'low' } }, { thinking: { type: 'adaptive' } }]) {
      expect(told(OPENAIS_OWN, wish, { supports_reasoning: false })).toEqual({});
    }
  });

  it('is not told as an effort where that is refused', () => {
    expect(told({ thinksIn: [], effortless: /y/ }, { reasoning: { effort: 'low' } })).toEqual({});
  });

  it.each([
    [{ effort: 'low' }, { reasoning_effort: 'high' }],
    [{ enabled: true }, { reasoning_effort: 'high' }],
    [{ effort: 'none' }, {}],
    [{}, {}],
  ])('%j is told in the only word that there is for it', (reasoning, effort) => {
    expect(told({ thinksIn: ['content'], onlyEffort: 'high' }, { reasoning })).toEqual(effort);
  });

  it('does not keep a tool from being forced where thinking would', () => {
    const wish = { reasoning: { effort: 'high' }, tools: [{}], tool_choice: 'required' };
    expect(told(SWITCHING, wish)).toEqual(off);
  });

  it('is told by yes and no where that is the switch, to one that can think', () => {
    const quirks: ChatQuirks = { thinksIn: [], thinkingSwitch: 'enable_thinking' };
    const forced = { tools: [{}], tool_choice: 'required', enable_thinking: true };
    expect(told(quirks, forced)).toEqual({ enable_thinking: false });
    expect(told(quirks, { thinking: { type: 'adaptive' } })).toEqual({ enable_thinking: true });
    expect(told(quirks, off)).toEqual({ enable_thinking: false });
    expect(told(quirks, off, { supports_reasoning: false })).toEqual({});
    expect(told(quirks, {})).toEqual({});
  });

  it.each([
    [OPENROUTERS, '@router'],
    [OWN_SERVERS, '@router'],
    [OPENAIS_OWN, 'x/y'],
    [SWITCHING, 'x/y'],
  ])('stays as it is where its words are known, or nobody knows which are', (quirks, named) => {
    const reasoning = { effort: 'low', exclude: true };
    expect(told(quirks, { reasoning }, { named })).toEqual({ reasoning });
  });
});
