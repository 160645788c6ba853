import { ConfigError } from '../config/read-config.js';

/**
 * What was thrown on making the directory or opening SQLite's file, as a
 * problem of `DATA_DIR` where it is one.
 */
export function fileFailure(error: unknown, directory: string): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined && !OF_FILES.test(code)) return error;
  return new ConfigError([`DATA_DIR ${directory} cannot be used: ${message}`]);
}

// https://sqlite.org/rescode.html
const OF_FILES = /^SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|NOTADB|PERM|READONLY)/;
