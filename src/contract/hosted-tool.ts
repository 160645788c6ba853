import { type Fields, membersOf, textOf } from '../json/values.js';

/**
 * Whether OpenAI itself would run the tool; `type` may end in a date. A search for deferred tools that
 * it would make finds nothing here that is not on offer from the start.
 */
export function isHosted({ type, execution, environment }: Fields): boolean {
  if (type === 'tool_search') return execution !== 'client';
  if (type === 'shell') return /^container_/.test(textOf(membersOf(environment).type));
  return HOSTED.test(textOf(type));
}

const HOSTED =
  /^(web_search|web_search_preview|file_search|code_interpreter|image_generation|mcp|computer|computer_use|computer_use_preview|programmatic_tool_calling)(_\d{4}_\d\d_\d\d)?$/;
