import { type Logger } from 'pino';
import { LimitCounts } from './accounts/limit-counts.js';
import { countsFor, releaseWorker } from './accounts/primary-counts.js';
import { Supervisor } from './cluster/supervisor.js';
import { type Config } from './config/config.js';
import { keepingText } from './models/workers-text.js';
import { sessionScripts } from './routing/session-scripts.js';
import { doneTogether } from './schedule/done-together.js';
import { answersWith } from './shared/in-memory.js';
import { type StopSignals } from './signals.js';
import { longestStop } from './stop-times.js';
import { flushed, waitForNobody } from './telemetry/logger.js';
import { type Snapshot, WorkerMetrics } from './telemetry/worker-metrics.js';
import { HealthNotes } from './upstream/health-notes.js';

/** Workers that are too busy to answer are shown as they were. */
const SNAPSHOT_MS = 1_000;
/** A minute: whatever blocks an event loop for longer will not end. */
const MOST_SILENT_BEATS = 60;

/**
 * Runs the gateway in `config.workers` processes. This one serves nothing: it keeps the others
 * running, counts for all of them what their limits need, remembers what they share, and adds up their
 * metrics.
 */
export function runPrimary(config: Config, logger: Logger, signals: StopSignals): void {
  const counts = new LimitCounts();
  const metrics = new WorkerMetrics();
  const shared = answersWith([...new HealthNotes().scripts, ...sessionScripts()]);
  const modelsText = keepingText();
  const addedUp = doneTogether(async () =>
    metrics.text(
      (await supervisor.askAll('metrics.own', SNAPSHOT_MS)) as ReadonlyMap<number, Snapshot>,
    ),
  );
  const supervisor: Supervisor = new Supervisor(
    config.workers,
    {
      answers: (workerId) => ({
        ...countsFor(workerId, counts),
        ...shared,
        ...modelsText,
        'metrics.all': addedUp,
      }),
      forked: () => {
        waitForNobody(process.stdout);
      },
      left: (workerId) => {
        waitForNobody(process.stdout);
        releaseWorker(workerId, counts);
        metrics.leave(workerId);
      },
    },
    { ...longestStop(config), mostSilentBeats: MOST_SILENT_BEATS },
    logger,
  );
  signals.handOver(() => {
    supervisor.stop();
  });
  void supervisor.ended.then(async (code) => {
    await flushed(logger);
    process.exit(code);
  });
  supervisor.start((text) => process.stdout.write(text));
}
