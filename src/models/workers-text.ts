import { type Primary } from '../cluster/primary.service.js';

/** What workers tell and ask the primary of the operator's models file. */
const READ = 'models.read';
const LAST = 'models.last';
const ANSWER_MS = 5_000;

/** The text of the models file that the workers of this machine serve by. */
export class WorkersText {
  private constructor(
    private readonly primary: Primary,
    /** What another worker has read last and found right; undefined for the first one to look. */
    readonly last: string | undefined,
  ) {}

  /** Asks the primary, where there is one. */
  static async of(primary: Primary): Promise<WorkersText> {
    const last = await primary.ask(LAST, null, ANSWER_MS);
    return new WorkersText(primary, typeof last === 'string' ? last : undefined);
  }

  /** It is right, and served by from now on. */
  note(text: string): void {
    this.primary.tell(READ, text);
  }
}

/**
 * How the primary keeps it, so that a worker which takes a dead one's place
 * need not be the judge of a change.
 */
export function keepingText() {
  let last: unknown = null;
  return {
    [READ]: (text: unknown) => {
      last = text;
    },
    [LAST]: () => last,
  };
}
