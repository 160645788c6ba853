import cluster, { type Worker } from 'node:cluster';
import { type Logger } from 'pino';
import { Handoffs } from './handoffs.js';
import { BEAT, BEAT_MS, Line, type Listener } from './line.js';

/**
 * What a worker asks that is to stop before it closes its listener, so that no connection goes to one that
 * has. All stop together: the first that asks ends it for all.
 */
export const UNLISTEN = 'unlisten';

/** What is done for the workers. */
interface Duties {
  /** What a worker may tell and ask, by name. */
  readonly answers: (workerId: number) => Readonly<Record<string, Listener>>;
  /** A process was made for a worker, and runs none of its code yet. */
  readonly forked: () => void;
  /** A worker is gone, however it ended. */
  readonly left: (workerId: number) => void;
}

/** How long a worker may take to stop once it is told to, and once it is told to hurry. */
export interface StopLimits {
  readonly toldMs: number;
  readonly hurriedMs: number;
}

/** When a worker counts as one that hangs. */
export interface WorkerLimits extends StopLimits {
  /** After how many beats that did not come. */
  readonly mostSilentBeats: number;
}

interface Running {
  readonly worker: Worker;
  readonly line: Line;
  /** Whether it serves, and can be told to stop. */
  listens: boolean;
  /** Whether it makes keys, which nobody has seen yet: it has to show them before it may end. */
  makesKeys: boolean;
  /** How many beats did not come; undefined where it has told of none, or is being debugged. */
  silentBeats: number | undefined;
}

/**
 * Keeps a number of processes running that listen on one port: puts another one into the place of
 * each that dies or hangs, and stops all of them together.
 *
 * The first one starts alone, so that the database is brought up to date, keys are made and a wrong
 * setting is reported once. The others follow when it has told `started`.
 */
export class Supervisor {
  /** Resolves with the exit code of the whole, when no worker runs any more. */
  readonly ended: Promise<number>;
  private readonly running = new Map<number, Running>();
  private readonly restarts = new Set<NodeJS.Timeout>();
  private readonly handoffs = new Handoffs();
  private readonly end: (code: number) => void;
  private hasStarted = false;
  private welcome: (text: string) => void = () => undefined;
  private isStopping = false;
  private exitCode = 0;

  constructor(
    private readonly count: number,
    private readonly duties: Duties,
    private readonly limits: WorkerLimits,
    private readonly logger: Logger,
  ) {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.ended = promise;
    this.end = resolve;
  }

  /** @param welcome called once, with what the first worker has to say. */
  start(welcome: (text: string) => void): void {
    setInterval(() => {
      this.look();
    }, BEAT_MS).unref();
    this.welcome = welcome;
    this.fork(0);
  }

  /**
   * Tells every worker to stop when its requests have ended; the second time, to end them now. One
   * that hangs hears nothing, and is killed when it should have stopped.
   */
  stop(): void {
    const { toldMs, hurriedMs } = this.limits;
    setTimeout(
      () => {
        this.kill();
      },
      this.isStopping ? hurriedMs : toldMs,
    ).unref();
    this.isStopping = true;
    for (const restart of this.restarts) clearTimeout(restart);
    for (const { worker, line, listens, makesKeys } of this.running.values()) {
      if (listens || makesKeys) line.tell('stop');
      else worker.process.kill('SIGKILL');
    }
    if (this.running.size === 0) this.end(this.exitCode);
  }

  /** What the workers answer, by their ids; without those that do not within `ms`. */
  async askAll(name: string, ms: number): Promise<ReadonlyMap<number, unknown>> {
    const asked = [...this.running].filter(([, { listens }]) => listens);
    const answers = await Promise.all(
      asked.map(async ([id, { line }]) => [id, await line.ask(name, null, ms)] as const),
    );
    return new Map(answers.filter(([, answer]) => answer !== undefined));
  }

  /** @param failures how many workers in this place died soon after their start, one after another. */
  private fork(failures: number): void {
    const worker = cluster.fork();
    this.duties.forked();
    this.handoffs.watch(worker, () => [...this.running.values()].some(takesFrom(worker)));
    const bornAt = performance.now();
    // One that is dying cannot be told anything; its end is heard of below.
    const line = new Line(
      (message) => worker.send(message, () => undefined),
      (name, error) => {
        this.logger.error({ name, error: String(error) }, 'a worker could not be answered');
      },
    );
    for (const [name, listener] of Object.entries(this.duties.answers(worker.id))) {
      line.on(name, listener);
    }
    const running: Running = {
      ...{ worker, line, listens: false, makesKeys: false, silentBeats: undefined },
    };
    line.on('started', (text) => {
      this.begin(String(text));
    });
    line.on('keys', () => (running.makesKeys = true));
    line.on(UNLISTEN, () => this.handoffs.close());
    line.on(BEAT, (isWatched) => {
      running.silentBeats = isWatched === true ? 0 : undefined;
    });
    this.running.set(worker.id, running);
    worker.on('message', (message) => {
      line.receive(message);
    });
    worker.once('listening', () => (running.listens = true));
    worker.once('exit', (code: number | null, signal: string | null) => {
      this.running.delete(worker.id);
      this.duties.left(worker.id);
      const soon = performance.now() - bornAt < STEADY_MS;
      if (this.isStopping) this.note(running, code ?? signal);
      else if (this.hasStarted || running.listens) {
        this.replace(code ?? signal, soon ? failures + 1 : 0);
      } else this.giveUp(code, signal);
    });
  }

  /** The first one has started, and the others follow. */
  private begin(text: string): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    this.welcome(text);
    for (let place = 1; place < this.count && !this.isStopping; place += 1) this.fork(0);
  }

  /** What ends a start would end the next one: it has said so itself, unless it was killed. */
  private giveUp(code: number | null, signal: string | null): void {
    if (code === null)
      this.logger.error({ signal }, 'the first worker was killed before it served');
    this.end(code ?? 1);
  }

  /**
   * Kills what hangs: another one takes its place. It counts its own rounds and not the time, in which
   * this process, too, or the whole machine may have been halted.
   */
  private look(): void {
    for (const [workerId, running] of this.running) {
      // A start may take its time, as with a database that has to be brought up to date.
      if (running.silentBeats === undefined || !running.listens || this.isStopping) continue;
      running.silentBeats += 1;
      if (running.silentBeats !== this.limits.mostSilentBeats) continue;
      this.logger.error({ workerId }, 'a worker hangs, and is killed');
      running.worker.process.kill('SIGKILL');
    }
  }

  /** While all stop: one that served must have ended well. */
  private note({ worker, listens }: Running, ending: number | string | null): void {
    if (listens && ending !== 0) {
      this.logger.error({ workerId: worker.id, ending }, 'a worker died while it was to stop');
      this.exitCode = 1;
    }
    if (this.running.size === 0) this.end(this.exitCode);
  }

  private kill(): void {
    for (const [workerId, { worker }] of this.running) {
      this.logger.error({ workerId }, 'a worker did not stop in time, and is killed');
      worker.process.kill('SIGKILL');
    }
  }

  private replace(ending: number | string | null, failures: number): void {
    const delayMs = restartDelayMs(failures);
    this.logger.error({ ending, delayMs }, 'a worker died; another one takes its place');
    const restart = setTimeout(() => {
      this.restarts.delete(restart);
      this.fork(failures);
    }, delayMs);
    this.restarts.add(restart);
  }
}

/** Whether a worker can take what that one has left. */
function takesFrom(left: Worker): (running: Running) => boolean {
  return ({ worker, listens }) => listens && worker !== left;
}

/** How long a place stays empty after so many deaths in it, each soon after its start. */
export function restartDelayMs(failures: number): number {
  return Math.min(LONGEST_DELAY_MS, SHORTEST_DELAY_MS * 2 ** failures);
}

/** A worker that has lived for so long did not die of its start. */
const STEADY_MS = 60_000;
const SHORTEST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
