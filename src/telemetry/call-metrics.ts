import { type Counter, type Histogram } from 'prom-client';
import { type Attempt } from '../contract/usage-record.js';
import { type Instruments, statusClass } from './instruments.js';

/** A call of a model, as it was settled. */
export interface SettledCall {
  readonly endpoint: string;
  readonly outcome: string;
  /** Of its last try; null without one. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly seconds: number;
  readonly firstByteSeconds: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly attempts: readonly Pick<Attempt, 'provider' | 'status' | 'cancelled'>[];
}

/** Models come from the operator's files; a flood of them must not become one of series. */
const MOST_MODELS = 1_000;

/** What is counted and timed of the calls of models. */
export class CallMetrics {
  private readonly models = new Set<string>();
  private readonly calls: Counter;
  private readonly callSeconds: Histogram;
  private readonly firstByteSeconds: Histogram;
  private readonly tokens: Counter;
  private readonly cost: Counter;
  private readonly attempts: Counter;

  constructor(instruments: Instruments) {
    this.calls = instruments.counter('calls_total', 'Calls of models, by how they ended.', [
      'endpoint',
      'provider',
      'model',
      'outcome',
    ]);
    this.callSeconds = instruments.timer(
      'call_duration_seconds',
      'From a request to the end of its call, tries that failed included.',
      ['provider'],
    );
    this.firstByteSeconds = instruments.timer(
      'call_first_byte_seconds',
      'From a request to the beginning of its answer, of a stream to the first event.',
      ['provider'],
    );
    this.tokens = instruments.counter('tokens_total', 'Tokens that were charged for.', [
      'provider',
      'model',
      'direction',
    ]);
    this.cost = instruments.counter('cost_usd_total', 'What calls cost, in USD.', [
      'provider',
      'model',
    ]);
    this.attempts = instruments.counter(
      'upstream_attempts_total',
      'Tries of models, by the status of the answer; none: no whole one, cancelled: another came first, or a stop.',
      ['provider', 'status'],
    );
  }

  /** Counts a call and its tries. */
  add(call: SettledCall): void {
    const provider = call.provider ?? 'none';
    const model = this.modelLabel(call.model);
    this.calls.inc({ endpoint: call.endpoint, provider, model, outcome: call.outcome });
    this.callSeconds.observe({ provider }, call.seconds);
    if (call.firstByteSeconds !== null) {
      this.firstByteSeconds.observe({ provider }, call.firstByteSeconds);
    }
    if (call.inputTokens > 0) {
      this.tokens.inc({ provider, model, direction: 'input' }, call.inputTokens);
    }
    if (call.outputTokens > 0) {
      this.tokens.inc({ provider, model, direction: 'output' }, call.outputTokens);
    }
    if (call.costUsd > 0) this.cost.inc({ provider, model }, call.costUsd);
    for (const { provider: asked, status: answered, cancelled } of call.attempts) {
      // The only try that can have begun well in a call that failed: a stream that broke off.
      const isWhole = answered !== 200 || call.outcome !== 'error';
      const status = cancelled ? 'cancelled' : statusClass(isWhole ? answered : 0);
      this.attempts.inc({ provider: asked, status });
    }
  }

  /** Fault drills have their time or status in their names, which callers choose. */
  private modelLabel(id: string | null): string {
    if (id === null) return 'none';
    if (/^sandbox\/(slow|error)-/.test(id)) return 'sandbox/drill';
    if (!this.models.has(id) && this.models.size >= MOST_MODELS) return 'other';
    this.models.add(id);
    return id;
  }
}
