import { type NeutralBlock, type NeutralTurn } from '../contract/neutral.js';
import { originOf, withOrigin } from '../contract/origin.js';
import { invalid, objects, type Placed, textIn, unsupported } from '../http/request-fields.js';
import { assistantBlocks, type OldCalls } from './chat-assistant.js';
import { cacheMark, contentBlocks, contentOf, partsOf, textBlocks } from './chat-parts.js';

/** A conversation in the neutral shape. */
export interface Conversation {
  readonly system: readonly NeutralBlock[];
  readonly messages: readonly NeutralTurn[];
}

/**
 * The `messages` of a chat completion. System and developer messages at the beginning are the system
 * prompt, or the user's where nothing else is said; later ones stay in their place as system turns.
 * Neighbours of one role make one turn, with the results of tools before what the user says, as Anthropic
 * wants them. A speaker's `name` has no counterpart, and writing it into the text would change what was said.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 naming what lacks a field or has no counterpart.
 */
export function conversation(messages: unknown): Conversation {
  const system: NeutralBlock[] = [];
  const turns: Turn[] = [];
  const oldCalls: OldCalls = new Map();
  for (const message of objects(messages, 'messages')) {
    const { role } = message.fields;
    switch (role) {
      case 'system':
      case 'developer': {
        const said = marked(
          partsOf(message.fields.content, `${message.at}.content`).flatMap(textBlocks),
          message,
        );
        if (turns.length === 0) append(system, said);
        else if (said.length > 0) append(turnOf(turns, 'system').said, said);
        break;
      }
      case 'user':
        append(
          turnOf(turns, 'user').said,
          marked(contentBlocks(message.fields.content, `${message.at}.content`), message),
        );
        break;
      case 'assistant': {
        const said = marked(assistantBlocks(message, oldCalls), message);
        // It says nothing, and Anthropic refuses an empty turn.
        if (said.length > 0) append(turnOf(turns, 'assistant').said, said);
        break;
      }
      case 'tool':
        turnOf(turns, 'user').results.push(toolResult(message, textIn(message, 'tool_call_id')));
        break;
      case 'function':
        turnOf(turns, 'user').results.push(toolResult(message, oldCallId(message, oldCalls)));
        break;
      default:
        throw unsupported(
          `${message.at}.role`,
          'must be system, developer, user, assistant or tool.',
        );
    }
  }
  // Others than OpenAI answer to somebody who speaks.
  if (turns.length === 0 && system.length > 0) {
    return { system: [], messages: [{ role: 'user', content: contentOf(system) }] };
  }
  return {
    system,
    messages: turns.map(({ role, results, said }) => ({
      role,
      content: contentOf([...results, ...said]),
    })),
  };
}

interface Turn {
  readonly role: NeutralTurn['role'];
  readonly results: NeutralBlock[];
  readonly said: NeutralBlock[];
}

/** The last turn if it is of this role, else a new one. */
function turnOf(turns: Turn[], role: Turn['role']): Turn {
  const last = turns.at(-1);
  if (last?.role === role) return last;
  const turn: Turn = { role, results: [], said: [] };
  turns.push(turn);
  return turn;
}

/** One by one: a function takes no more arguments than its stack has room for. */
function append(to: NeutralBlock[], blocks: readonly NeutralBlock[]): void {
  for (const block of blocks) to.push(block);
}

/** A cache mark on a whole message stands behind its last block. */
function marked(blocks: NeutralBlock[], { fields, at }: Placed): NeutralBlock[] {
  const mark = cacheMark(fields);
  const last = mark.cache_control ? blocks.pop() : undefined;
  return last ? [...blocks, withOrigin(originOf(last) ?? at, { ...last, ...mark })] : blocks;
}

function toolResult(message: Placed, id: string): NeutralBlock {
  const { content, is_error } = message.fields;
  return withOrigin(message.at, {
    type: 'tool_result',
    tool_use_id: id,
    content: contentOf(contentBlocks(content, `${message.at}.content`)),
    ...(is_error === true && { is_error }),
    ...cacheMark(message.fields),
  });
}

/** Before tools had ids, a result named its function. */
function oldCallId(message: Placed, calls: OldCalls): string {
  const id = calls.get(textIn(message, 'name'));
  if (id === undefined) throw invalid(`${message.at}.name`, 'answers no call of a function.');
  return id;
}
