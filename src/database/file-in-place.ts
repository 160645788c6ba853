import SqliteFile from 'better-sqlite3';
import { statSync } from 'node:fs';

/**
 * Knows whether SQLite's file is still the one that was opened. One that was moved or deleted takes what is
 * written all the same, and nobody would find it after the next start; with a log SQLite does not look.
 */
export class FileInPlace {
  private readonly opened: bigint | undefined;

  constructor(private readonly path: string) {
    this.opened = this.inode();
  }

  /** @throws what SQLite throws where it looks itself. */
  confirm(): void {
    if (this.inode() === this.opened) return;
    const message = `${this.path} was moved or deleted while it was open`;
    throw new SqliteFile.SqliteError(message, 'SQLITE_READONLY_DBMOVED');
  }

  private inode(): bigint | undefined {
    return statSync(this.path, { bigint: true, throwIfNoEntry: false })?.ino;
  }
}
