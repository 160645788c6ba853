import { type NeutralBlock, type NeutralTurn } from '../contract/neutral.js';

interface Turn {
  readonly role: NeutralTurn['role'];
  readonly blocks: NeutralBlock[];
  /** What answers its calls; providers want it right behind them, before what else the user says. */
  readonly results: NeutralBlock[];
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
    return this.all.flatMap(({ role, blocks, results }, at) => [
      { role, content: role === 'user' ? [...this.resultsBefore(at), ...blocks] : blocks },
      ...(results.length > 0 && this.all[at + 1]?.role !== 'user'
        ? [{ role: 'user' as const, content: results }]
        : []),
    ]);
  }

  /** Neighbours of one role are one turn. */
  say(role: Turn['role'], blocks: readonly NeutralBlock[]): void {
    if (blocks.length === 0) return;
    const said = role === 'system' && this.all.length === 0 ? this.first : this.turnOf(role).blocks;
    for (const block of blocks) said.push(block);
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
    caller.results.push(block);
    return true;
  }

  private resultsBefore(at: number): readonly NeutralBlock[] {
    return this.all[at - 1]?.results ?? [];
  }

  private turnOf(role: Turn['role']): Turn {
    const last = this.all.at(-1);
    if (last?.role === role && last.results.length === 0) return last;
    const turn = { role, blocks: [], results: [] };
    this.all.push(turn);
    return turn;
  }
}
