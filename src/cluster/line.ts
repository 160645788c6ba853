/** What travels between the primary and a worker, as JSON. */
interface Message {
  readonly causeway: 'tell' | 'ask' | 'answer';
  /** Pairs an answer with its question. */
  readonly id: number;
  readonly name: string;
  readonly content: unknown;
}

/** What a worker tells so often, with whether its silence would mean that it hangs. */
export const BEAT = 'beat';
/** How often. */
export const BEAT_MS = 1_000;

/** What one end does with what it is told or asked; its result is the answer. */
export type Listener = (content: unknown) => unknown;

/**
 * One end of the pipe between the primary and a worker. What is sent arrives in its order; what the
 * other end does not live to read is lost.
 */
export class Line {
  private readonly listeners = new Map<string, Listener>();
  private readonly open = new Map<number, (answer: unknown) => void>();
  private questions = 0;

  /**
   * @param send puts a message into the pipe, and never throws.
   * @param failed is told of what a listener throws; whoever asked gets undefined at once.
   */
  constructor(
    private readonly send: (message: Message) => void,
    private readonly failed: (name: string, error: unknown) => void,
  ) {}

  /** Does something whenever it is told or asked `name`. */
  on(name: string, listener: Listener): void {
    this.listeners.set(name, listener);
  }

  tell(name: string, content?: unknown): void {
    this.send({ causeway: 'tell', id: 0, name, content });
  }

  /** What the other end answers; undefined, and never an error, where it cannot or does not within `ms`. */
  ask(name: string, content: unknown, ms: number): Promise<unknown> {
    const id = (this.questions += 1);
    return new Promise((resolve) => {
      const settle = (answer: unknown): void => {
        clearTimeout(timer);
        this.open.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(settle, ms, undefined);
      this.open.set(id, settle);
      this.send({ causeway: 'ask', id, name, content });
    });
  }

  /** Takes a message out of the pipe; what is not of ours is left alone. */
  receive(message: unknown): void {
    if (!isOurs(message)) return;
    const { causeway, id, name, content } = message;
    if (causeway === 'answer') {
      this.open.get(id)?.(content);
      return;
    }
    void this.heard(name, content).then((answer) => {
      if (causeway === 'ask') this.send({ causeway: 'answer', id, name, content: answer });
    });
  }

  private async heard(name: string, content: unknown): Promise<unknown> {
    try {
      return await this.listeners.get(name)?.(content);
    } catch (error) {
      this.failed(name, error);
      return undefined;
    }
  }
}

function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'causeway' in message;
}
