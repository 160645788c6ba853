import { type Config } from './config/config.js';
import { ConfigError } from './config/read-config.js';

/** What was thrown on listening, as a problem of `HOST` or `PORT` where it is one. */
export function listenFailure(error: unknown, { host, port }: Config): unknown {
  const { code = '', syscall = '', message } = error as NodeJS.ErrnoException;
  // A worker's comes from the first process, as `bind`.
  if (!['listen', 'bind', 'getaddrinfo'].includes(syscall)) return error;
  const setting = OF_PORTS.includes(code) ? `PORT ${port}` : `HOST ${host}`;
  return new ConfigError([`${setting} cannot be listened on: ${message}`]);
}

const OF_PORTS = ['EADDRINUSE', 'EACCES'];
