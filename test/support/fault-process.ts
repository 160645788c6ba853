import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { FakeUpstream } from './fake-upstream.js';
import { type Gate } from './fault-callers.js';
import { temporaryDirectory } from './databases.js';
import { ADMIN_KEY, API_KEY } from './gateway.js';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.js';

const MB = 1024;
/** Lets a test have the garbage collected, so that what is left is what is held. */
const COLLECT_ON_SIGNAL = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => { collect(); });
`;

/** A gateway in a process of its own, and the upstream that plays its providers. */
export interface MeasuredGateway {
  readonly gate: Gate;
  readonly upstream: FakeUpstream;
  /** Has the garbage collected, and begins to look for the highest memory again. */
  calm(): Promise<void>;
  /** Resident memory in MB, now or at its highest since it was calm. */
  memory(which: 'now' | 'highest'): number;
  /** Open sockets, files and other handles. */
  handles(): number;
  output(): string;
  close(): Promise<void>;
}

/** Starts one, whose memory is read from Linux' /proc. */
export async function startMeasured(env: Record<string, string> = {}): Promise<MeasuredGateway> {
  const upstream = new FakeUpstream();
  await upstream.listen();
  const gateway: GatewayProcess = await startGatewayProcess(
    {
      DATA_DIR: temporaryDirectory(),
      CAUSEWAY_API_KEY: API_KEY,
      CAUSEWAY_ADMIN_KEY: ADMIN_KEY,
      OPENAI_API_KEY: 'upstream-openai-key',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: 'upstream-anthropic-key',
      ANTHROPIC_BASE_URL: upstream.url,
      BREAKER: 'off',
      ...env,
    },
    { first: COLLECT_ON_SIGNAL },
  );
  const status = (name: string): number => {
    const text = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) / MB;
  };
  return {
    gate: { url: gateway.url, key: API_KEY },
    upstream,
    async calm() {
      gateway.signal('SIGUSR2');
      // The answer comes when the collection is over.
      await fetch(`${gateway.url}/health/live`);
      // https://docs.kernel.org/filesystems/proc.html: 5 resets the peak.
      writeFileSync(`/proc/${gateway.pid}/clear_refs`, '5');
    },
    memory: (which) => status(which === 'now' ? 'VmRSS' : 'VmHWM'),
    handles: () => readdirSync(`/proc/${gateway.pid}/fd`).length,
    output: () => gateway.output,
    async close() {
      await gateway.kill();
      await upstream.close();
    },
  };
}
