import { Injectable } from '@nestjs/common';
import { type Line, type Listener } from './line.js';

/**
 * The way from a worker to the process that keeps the workers, and what they share, together. With
 * one process there is nobody: nothing is told, and there are no answers.
 */
@Injectable()
export class Primary {
  constructor(private readonly line: Line | undefined) {}

  /** Whether this process is one worker of several. */
  get exists(): boolean {
    return this.line !== undefined;
  }

  /** What the primary answers; undefined, and never an error, where it cannot or does not within `ms`. */
  async ask(name: string, content: unknown, ms: number): Promise<unknown> {
    return this.line?.ask(name, content, ms);
  }

  tell(name: string, content?: unknown): void {
    this.line?.tell(name, content);
  }

  /** Does something whenever the primary tells or asks `name`. */
  on(name: string, listener: Listener): void {
    this.line?.on(name, listener);
  }
}
