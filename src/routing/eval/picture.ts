import { type Point } from './curve.js';
import { type Evaluation } from './evaluate.js';

const WIDTH = 860;
const HEIGHT = 460;
const LEFT = 64;
const RIGHT = 24;
const TOP = 24;
const BOTTOM = 52;
const NAME_WIDTH = 190;

/** The evaluation as an SVG: score over the logarithm of the cost. */
export function pictureOf({ dials, singles, baselines, oracle }: Evaluation): string {
  const drawn = [...dials, ...singles, ...baselines, ...oracle];
  const costs = drawn.flatMap(({ cost }) => (cost > 0 ? Math.log10(cost) : []));
  if (costs.length === 0) costs.push(0);
  const [least, most] = [Math.min(...costs) - 0.1, Math.max(...costs) + 0.1];
  const floor = Math.max(0, Math.floor(Math.min(...drawn.map(({ score }) => score)) * 20 - 1) / 20);
  // What is free has no logarithm, and stands at the left edge.
  const x = (cost: number) =>
    LEFT + (cost > 0 ? (Math.log10(cost) - least) / (most - least) : 0) * (WIDTH - LEFT - RIGHT);
  const y = (score: number) => TOP + ((1 - score) / (1 - floor)) * (HEIGHT - TOP - BOTTOM);
  const at = ({ cost, score }: Point) => `${x(cost).toFixed(1)},${y(score).toFixed(1)}`;
  const path = (points: readonly Point[]) =>
    points
      .toSorted((one, other) => one.cost - other.cost || one.score - other.score)
      .map(at)
      .join(' ');
  const dot = (point: Point, name: string, kind: string) => {
    const [left, top] = [x(point.cost), y(point.score)];
    // A name at the right edge stands before its point.
    const anchor = left > WIDTH - NAME_WIDTH ? ['end', left - 6] : ['start', left + 6];
    const text = `text-anchor="${anchor[0]}" x="${Number(anchor[1]).toFixed(1)}"`;
    return (
      `<g class="${kind}"><circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="3.5"/>` +
      `<text ${text} y="${(top + 4).toFixed(1)}">${escaped(name)}</text></g>`
    );
  };
  const whole = dials.filter(({ dial }) => Number.isInteger(dial));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Score over cost">`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    ...ticks(floor).map(
      (score) =>
        `<path class="grid" d="M${LEFT} ${y(score).toFixed(1)}H${WIDTH - RIGHT}"/>` +
        `<text class="axis" text-anchor="end" x="${LEFT - 8}" y="${(y(score) + 4).toFixed(1)}">${score.toFixed(2)}</text>`,
    ),
    ...decades(least, most).map(
      (cost) =>
        `<path class="grid" d="M${x(cost).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}"/>` +
        `<text class="axis" text-anchor="middle" x="${x(cost).toFixed(1)}" y="${HEIGHT - BOTTOM + 18}">${dollars(cost)}</text>`,
    ),
    `<text class="axis" text-anchor="middle" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}">USD per 1000 requests</text>`,
    `<polyline class="oracle" points="${path(oracle)}"/>`,
    ...singles.map((single) => dot(single, single.name, 'single')),
    ...baselines.map((baseline) => dot(baseline, baseline.name, 'baseline')),
    `<polyline class="router" points="${path(dials)}"/>`,
    ...whole.map(
      (point) =>
        `<circle class="dial" cx="${x(point.cost).toFixed(1)}" cy="${y(point.score).toFixed(1)}" r="5"/>`,
    ),
    legend(),
    '</svg>',
    '',
  ].join('\n');
}

const STYLE =
  'text{font:11px sans-serif;fill:#444}.paper{fill:#fff}.grid{stroke:#e4e4e4;fill:none}' +
  '.axis{fill:#666}.single circle{fill:#888}.baseline circle{fill:#c77f00}.baseline text{fill:#9a6200}' +
  '.oracle{fill:none;stroke:#7aa86f;stroke-width:1.5;stroke-dasharray:5 4}' +
  '.router{fill:none;stroke:#1f5fbf;stroke-width:2}.dial{fill:#1f5fbf}';

function legend(): string {
  const entries = [
    ['router', 'the router, its dial from 0 to 10'],
    ['oracle', 'knowing every outcome'],
  ];
  return entries
    .map(([kind, text], index) => {
      const top = HEIGHT - BOTTOM - 34 + index * 18;
      const from = WIDTH - RIGHT - 230;
      return (
        `<path class="${kind}" d="M${from} ${top}h28"/>` +
        `<text x="${from + 36}" y="${top + 4}">${text}</text>`
      );
    })
    .join('\n');
}

function ticks(floor: number): number[] {
  const from = Math.ceil(floor * 10);
  return Array.from({ length: 11 - from }, (_, index) => (from + index) / 10);
}

function decades(least: number, most: number): number[] {
  const from = Math.ceil(least);
  return Array.from(
    { length: Math.max(0, Math.floor(most) - from + 1) },
    (_, index) => 10 ** (from + index),
  );
}

function dollars(cost: number): string {
  return `$${Number((cost * 1000).toPrecision(2))}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
