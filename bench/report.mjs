import { availableParallelism, cpus, loadavg, release } from 'node:os';

/** The value below which the part `share` of the values lies. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** What the figures were taken on. */
export function machine() {
  return {
    processor: cpus()[0]?.model ?? 'unknown processor',
    cores: availableParallelism(),
    system: `${process.platform} ${release()}`,
    node: process.version,
    loadAtStart: loadavg()[0],
  };
}

/**
 * The tables of a run, ratios first. `measured` holds the figures of each scenario, target and round;
 * a ratio or a difference is taken within a round, and the median over the rounds is shown.
 */
export function report({ machine: here, rounds, seconds, measured, credits, commitMs, memoryMb }) {
  const figures = new Figures(measured);
  const whole = figures.scenarios('requestsPerSecond');
  const streamed = figures.scenarios('streams');
  const memory = Object.entries(memoryMb).map(([name, megabytes]) => `${name} ${megabytes} MB`);
  return [
    `${here.cores} x ${here.processor}, ${here.system}, Node ${here.node}, load ${here.loadAtStart.toFixed(1)}`,
    `${rounds} rounds, ${seconds} s a measurement; median over the rounds (the middle half of them)`,
    ...figures.costs('CPU per request at full load', whole, 'cpuMs', 'ms'),
    ...figures.costs('CPU per 1,000 events of 100 streams', streamed, 'cpuMs', 'ms'),
    ...figures.costs('Requests per second', whole, 'requestsPerSecond', '/s'),
    ...figures.delays('Latency added to a direct call that takes 60 ms, in ms', whole),
    ...figures.delays('Time to first byte added to a direct stream, in ms', streamed),
    ...creditCosts(credits),
    '',
    `A durable commit takes ${fixed(quantile(commitMs, 0.5))} ms here, p99 ` +
      `${fixed(quantile(commitMs, 0.99))} ms; every call of the gateway waits for one, and one more ` +
      'where it needs a hold.',
    ...(measured.length > 0
      ? [
          `Peak memory: ${memory.join(', ')}.`,
          `Noise: one and the same CPU ratio differs by ${fixed(figures.noise() * 100, 0)} % between ` +
            'rounds (upper over lower quartile, median of the scenarios).',
        ]
      : []),
  ].join('\n');
}

/** Credits on against off, round by round, for each database. */
function creditCosts(rows) {
  const of = (pair, half, field) =>
    rows.filter((row) => row.pair === pair && row.half === half).map((row) => row[field]);
  const within = (pair, field, compare) => {
    const off = of(pair, 'off', field);
    return of(pair, 'on', field).map((value, round) => compare(value, off[round]));
  };
  const value = (half, field, digits) => (pair) => fixed(median(of(pair, half, field)), digits);
  const difference = (field) => (pair) => fixed(median(within(pair, field, (on, off) => on - off)));
  return table(
    'Credits: a limited account against one that spends freely, 64 connections',
    [...new Set(rows.map(({ pair }) => pair))],
    [
      ['CPU on / off', (pair) => withRange(within(pair, 'cpuMs', (on, off) => on / off))],
      ['off ms', value('off', 'cpuMs', 3)],
      ['on ms', value('on', 'cpuMs', 3)],
      ['60 ms: on / off', (pair) => withRange(within(pair, 'usualCpuMs', (on, off) => on / off))],
      ['off ms', value('off', 'usualCpuMs', 3)],
      ['on ms', value('on', 'usualCpuMs', 3)],
      ['off /s', value('off', 'usualRequestsPerSecond', 0)],
      ['on /s', value('on', 'usualRequestsPerSecond', 0)],
      ['alone off ms', value('off', 'aloneMs')],
      ['alone on ms', value('on', 'aloneMs')],
      ['on - off p50', difference('p50')],
      ['on - off p99', difference('p99')],
    ],
  );
}

class Figures {
  #rows;
  /** Everything but the provider itself, called directly. */
  #servers;
  /** Which server is compared with which. */
  #pairs;

  constructor(rows) {
    this.#rows = rows;
    const targets = new Set(rows.map(({ target }) => target));
    this.#servers = [...targets].filter((name) => name !== 'direct').sort(byOrder);
    const [, ...others] = this.#servers;
    this.#pairs = [
      ...others.map((name) => [name, 'raw']),
      ...others.slice(1).map((name) => ['gateway', name]),
    ];
  }

  scenarios(field) {
    const rows = this.#rows.filter((row) => field in row);
    return [...new Set(rows.map(({ scenario }) => scenario))];
  }

  costs(title, scenarios, field, unit) {
    return table(title, scenarios, [
      ...this.#pairs.map(([name, base]) => [
        `${name} / ${base}`,
        (scenario) => withRange(this.#within(scenario, field, name, base, (a, b) => a / b)),
      ]),
      ...this.#servers.map((name) => [
        `${name} ${unit}`,
        (scenario) => {
          const value = median(this.#values(scenario, field, name));
          return fixed(value, value < 10 ? 3 : 0);
        },
      ]),
    ]);
  }

  delays(title, scenarios) {
    const pairs = this.#servers.map((name) => [name, 'direct']);
    return table(title, scenarios, [
      ...[['gateway', 'raw'], ...pairs].flatMap(([name, base]) =>
        ['p50', 'p99'].map((share) => [
          base === 'direct' ? `${name} ${share}` : `${name} - ${base} ${share}`,
          (scenario) => fixed(median(this.#within(scenario, share, name, base, (a, b) => a - b))),
        ]),
      ),
    ]);
  }

  noise() {
    const spreads = this.scenarios('cpuMs').flatMap((scenario) =>
      this.#pairs.map(([name, base]) => {
        const ratios = this.#within(scenario, 'cpuMs', name, base, (a, b) => a / b);
        return quantile(ratios, 0.75) / quantile(ratios, 0.25) - 1;
      }),
    );
    return median(spreads);
  }

  /** What `compare` makes of two targets' figures, round by round. */
  #within(scenario, field, target, base, compare) {
    const bases = this.#values(scenario, field, base);
    return this.#values(scenario, field, target).map((value, round) =>
      compare(value, bases[round]),
    );
  }

  #values(scenario, field, target) {
    return this.#rows
      .filter((row) => row.scenario === scenario && row.target === target)
      .map((row) => row[field]);
  }
}

/** The rounds rotate their targets, the tables do not. */
const ORDER = ['raw', 'gateway', 'against', 'portkey'];

function byOrder(one, other) {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}

/** A row for each scenario, nothing where there is none; a column is its head and what fills it. */
function table(title, scenarios, columns) {
  if (scenarios.length === 0) return [];
  const rows = [
    ['', ...columns.map(([head]) => head)],
    ...scenarios.map((scenario) => [scenario, ...columns.map(([, cell]) => cell(scenario))]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map(([name, ...cells]) => {
    const padded = cells.map((cell, column) => cell.padStart(widths[column + 1]));
    return [name.padEnd(widths[0]), ...padded].join('  ');
  });
  return ['', title, ...lines];
}

function withRange(values) {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  return `${fixed(median(values))} (${fixed(low)} - ${fixed(high)})`;
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function fixed(value, digits = 2) {
  return value.toFixed(digits);
}
