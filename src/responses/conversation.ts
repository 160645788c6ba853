import { type NeutralBlock, type NeutralTurn } from '../contract/neutral.js';

interface Turn {
  readonly role: NeutralTurn['role'];
  /** What answers the calls of the turn before; providers want it first. */
  readonly results: NeutralBlock[];
  readonly blocks: NeutralBlock[];
}

/** Items of a conversation, put together into turns. */
export class Conversation {
  private readonly first: NeutralBlock[] = [];
  private readonly all: Turn[] = [];
  /** The assistant's turns by the ids of the calls that were made in them. */
  private readonly callers = new Map<string, Turn>();

  /** What is said before anybody else speaks. */
  get system(): readonly NeutralBlock[] {
    return this.all.length > 0 ? this.first : [];
  }

  /** What the system alone says is the user's: others than OpenAI answer to somebody who speaks. */
  get turns(): NeutralTurn[] {
    if (this.all.length === 0 && this.first.length > 0) {
      return [{ role: 'user', content: this.first }];
    }
    return this.all
      .map(({ role, results, blocks }) => ({ role, content: [...results, ...blocks] }))
      .filter(({ content }) => content.length > 0);
  }

  /** Neighbours of one role are one turn. */
  say(role: Turn['role'], blocks: readonly NeutralBlock[]): void {
    if (blocks.length === 0) return;
    if (role === 'system' && this.all.length === 0) this.first.push(...blocks);
    else this.turnOf(role).blocks.push(...blocks);
  }

  call(id: string, block: NeutralBlock): void {
    const turn = this.turnOf('assistant');
    turn.blocks.push(block);
    this.callers.set(id, turn);
  }

  /** Puts a result right behind the turn of its call; false when there is no such call. */
  answer(id: string, block: NeutralBlock): boolean {
    const caller = this.callers.get(id);
    if (!caller) return false;
    const place = this.all.lastIndexOf(caller) + 1;
    const next = this.all[place];
    if (next?.role === 'user') {
      next.results.push(block);
    } else {
      this.all.splice(place, 0, { role: 'user', results: [block], blocks: [] });
    }
    return true;
  }

  private turnOf(role: Turn['role']): Turn {
    const last = this.all.at(-1);
    if (last?.role === role) return last;
    const turn = { role, results: [], blocks: [] };
    this.all.push(turn);
    return turn;
  }
}
