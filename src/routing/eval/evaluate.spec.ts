import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPrior } from '../prior.service.js';
import { readCandidates } from './candidates-file.js';
import { areaUnder, hull } from './curve.js';
import { evaluate } from './evaluate.js';
import { readRows } from './outcome-rows.js';
import { pictureOf } from './picture.js';
import { reportOf } from './report.js';

const shipped = loadPrior(undefined);
const candidates = (text: string) => readCandidates(text, 'c.yaml', shipped);
const row = (prompt: string, outcomes: object) => JSON.stringify({ prompt, outcomes, split: 'x' });
const rowsOf = (...lines: string[]) => readRows(lines.join('\n'), 'rows.jsonl');

describe('readCandidates', () => {
  const usd = (text: string) =>
    candidates(text).models.map(({ model }) => [
      model.id,
      Number(model.pricing.inputPerToken) / 1e6,
      Number(model.pricing.outputPerToken) / 1e6,
    ]);

  it.each([
    'models:\n  a: { input: 2.5, output: 10 }',
    'candidates:\n  - { name: a, input: 2.5, output: 10 }',
    'a: { input: 2.5, output: 10 }',
    '- { id: a, input_mtok: 2.5, output_mtok: 10 }',
    '- { model: a, prices: { input: 2.5, output: 10 } }',
    'a: { pricing: { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 } }',
    'a: { input: 0.0000025, output: 0.00001 }',
    'a: { input_per_million: 2.5, output_per_million: 10, anything: else }',
    'a: { input_per_mtok: 2.5, output_per_mtok: 10, input_tokens: 7 }',
    'a: { prompt_cost_per_1m: 2.5, completion_cost_per_1m: 10 }',
    'a: { cost: { in: 2.5, out: 10 } }',
    'a: { Input price per 1k tokens: 0.0025, Output price per 1k tokens: 0.01 }',
    '[{ "name": "a", "input_usd_per_mtok": 2.5, "output_usd_per_mtok": 10 }]',
  ])('reads prices as they are usually written: %j', (text) => {
    expect(usd(text)).toEqual([['a', 2.5, 10]]);
  });

  it('takes the shipped word for a model without one of its own', () => {
    const { prior } = candidates('gpt-4o-mini-2024-07-18: { input: 0.15, output: 0.6 }');
    expect(prior.of('gpt-4o-mini-2024-07-18')!.code).toBeCloseTo(shipped.of('gpt-4o-mini')!.code);
  });

  it('takes the word of the file for a kind of task, by the name of a benchmark too', () => {
    const { prior } = candidates(
      'a: { input: 1, output: 1, priors: { gsm: 0.94, code: 0.7, MMLU: 0.8 } }',
    );
    expect(prior.of('a')).toMatchObject({ arithmetic: 0.94, code: 0.7, knowledge: 0.8 });
  });

  it('moves every kind by what the file says of the whole', () => {
    const of = (quality: number) =>
      candidates(`gpt-4o: { input: 1, output: 1, quality: ${quality} }`).prior.of('gpt-4o')!;
    expect(of(0.6).general).toBeCloseTo(0.6);
    expect(of(0.6).arithmetic).toBeGreaterThan(0.6);
    expect(of(0.8).math).toBeGreaterThan(of(0.6).math);
  });

  it.each([
    ['{}', 'has no models'],
    ['a: { input: 1 }', 'line 1: a needs output'],
    ['- { input: 1, output: 1 }', 'line 1: 0 needs a name'],
    ['- a', 'line 1: 0 needs prices'],
    ['a: [1, 2]', 'line 1: a needs prices'],
    ['a: { input_tokens: 1, output: 1 }', 'a needs input'],
    ['a: { input_cost_per_token: 2.5, output: 1 }', 'is 2500000 USD a million tokens: too much'],
    ['- { name: a, input: 1, output: 1 }\n- { name: a, input: 1, output: 1 }', '1 is there twice'],
    ['a: { input: 1, output: 1, quality: 80 }', 'a.quality must be a number from 0 to 1'],
    ['a: { input: 1, output: 1, priors: { cooking: 1 } }', 'a.priors.cooking is no kind of task'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(() => candidates(text)).toThrow(problem);
  });
});

describe('readCandidates of a file of another kind', () => {
  it('tells the first of its problems', () => {
    const lines = Array.from({ length: 100 }, () => row('a', { a: { score: 1 } }));
    const read = () => candidates(lines.join('\n'));
    expect(read).toThrow(/^c\.yaml line 2: [^]* more problems$/);
    expect(read).not.toThrow(/line 50/);
  });
});

describe('readRows', () => {
  it('takes a number alone for a score', () => {
    const [read] = rowsOf(row('a', { m: 0.5, n: { score: 1 } }));
    expect(read!.outcomes.get('m')).toEqual({ score: 0.5, costUsd: undefined });
    expect(read!.outcomes.size).toBe(2);
  });

  it('takes right and wrong for 1 and 0, and a mark of the encoding for nothing', () => {
    const [read] = rowsOf(`\uFEFF${row('a', { m: true, n: { score: false } })}`);
    expect([...read!.outcomes.values()].map(({ score }) => score)).toEqual([1, 0]);
  });

  it('names the line that is wrong', () => {
    expect(() => rowsOf(row('a', {}), '{"prompt":1}')).toThrow('rows.jsonl line 2: prompt');
    expect(() => rowsOf('nonsense')).toThrow('rows.jsonl line 1');
  });
});

describe('areaUnder', () => {
  const range = { least: 0, most: 1 };

  it('is the mean score over the budgets', () => {
    const anchor = { cost: 0, score: 0.5 };
    expect(areaUnder([], anchor, range)).toBeCloseTo(0.5);
    expect(areaUnder([{ cost: 1, score: 1 }], anchor, range)).toBeCloseTo(0.75);
    expect(areaUnder([{ cost: 0.5, score: 1 }], anchor, range)).toBeCloseTo(0.875);
  });

  it('lets nobody lose by a point below the line between two others', () => {
    const points = [
      { cost: 0, score: 0 },
      { cost: 0.5, score: 0.2 },
      { cost: 1, score: 1 },
    ];
    expect(hull(points)).toEqual([points[0], points[2]]);
    expect(
      hull([
        { cost: 1, score: 0.5 },
        { cost: 2, score: 0.4 },
      ]),
    ).toHaveLength(1);
  });
});

describe('evaluate', () => {
  const FILE = candidates(`
strong: { input: 10, output: 10, quality: 0.9 }
cheap: { input: 0.1, output: 0.1, quality: 0.6 }
partial: { input: 1, output: 1, alias: other-name, quality: 0.7 }
`);
  const ROWS = rowsOf(
    row('one', {
      strong: { score: 1, cost_usd: 0.01 },
      cheap: { score: 0, cost_usd: 0.0001 },
      'other-name': { score: 1 },
    }),
    row('two', { strong: { score: 1, cost_usd: 0.03 }, cheap: { score: 1, cost_usd: 0.0003 } }),
    row('unasked', { somebody: { score: 1 } }),
  );

  it('takes costs and scores from the rows, for the model that the router chooses', () => {
    const { rows, dials, singles, partly, baselines } = evaluate(ROWS, FILE.models, FILE.prior);
    expect(rows).toBe(2);
    expect(singles.map(({ name }) => name)).toEqual(['strong', 'cheap']);
    expect(singles[0]).toMatchObject({ score: 1, cost: 0.02 });
    expect(partly).toEqual(['partial']);
    expect(dials[0]).toMatchObject({ dial: 0, score: 1, cost: 0.02, chosen: [['strong', 1]] });
    expect(dials.at(-1)).toMatchObject({ dial: 10, score: 0.5 });
    expect(dials.at(-1)!.cost).toBeCloseTo(0.0002, 9);
    expect(baselines.find(({ name }) => name === 'price only')).toMatchObject({ score: 0.5 });
  });

  it('knows with every outcome what could be had at most', () => {
    const { oracle, areas } = evaluate(ROWS, FILE.models, FILE.prior);
    expect(Math.max(...oracle.map(({ score }) => score))).toBe(1);
    expect(areas.get('oracle')).toBeGreaterThan(areas.get('cheap')!);
    expect(areas.get('oracle')).toBeGreaterThanOrEqual(areas.get('router')!);
  });

  it('says how much was estimated, and refuses names that nobody knows', () => {
    const { estimatedCosts } = evaluate(ROWS, FILE.models, FILE.prior);
    expect(estimatedCosts).toBeCloseTo(1 / 5);
    const { models, prior } = candidates('nobody: { input: 1, output: 1 }');
    expect(() => evaluate(ROWS, models, prior)).toThrow(
      'are the names the same? The rows know strong, cheap, other-name, somebody.',
    );
  });

  it('finds a model of a provider under its bare name, and tells whom no row knows', () => {
    const { models, prior } = candidates(
      'lab/strong: { input: 10, output: 10 }\nstranger: { input: 1, output: 1 }',
    );
    const evaluation = evaluate(ROWS, models, prior);
    expect(evaluation).toMatchObject({ absent: ['stranger'], partly: [] });
    expect(evaluation.singles).toMatchObject([{ name: 'lab/strong', score: 1 }]);
    const text = reportOf(evaluation);
    expect(text).toMatch(/^2 rows, 1 models/);
    expect(text).toContain('on no row: stranger');
  });

  it('shows it as text and as a picture', () => {
    const evaluation = evaluate(ROWS, FILE.models, FILE.prior);
    const text = reportOf(evaluation);
    for (const line of ['dial 0 ', 'dial 10 ', 'random', 'price only', 'oracle', 'strong']) {
      expect(text).toContain(line);
    }
    const picture = pictureOf(evaluation);
    expect(picture).toMatch(/^<svg [^]*<\/svg>\n$/);
    expect(picture).not.toContain('NaN');
  });
});

const FIXTURES = join('..', 'shared', 'fixtures', 'routing');
if (!existsSync(FIXTURES)) console.warn(`skipped, because there is no ${FIXTURES}: the curve`);
(existsSync(FIXTURES) ? describe : describe.skip)('on outcomes of real models', () => {
  const rows = globSync(join(FIXTURES, 'zeroeval_*.jsonl')).flatMap((path) =>
    readRows(readFileSync(path, 'utf8'), path),
  );
  const { models, prior } = candidates(`
gpt-4o-2024-08-06: { input: 2.5, output: 10 }
gpt-4o-mini-2024-07-18: { input: 0.15, output: 0.6 }
claude-3-opus-20240229: { input: 15, output: 75 }
claude-3-haiku-20240307: { input: 0.25, output: 1.25 }
gemini-1.5-pro: { input: 1.25, output: 5 }
gemini-1.5-flash: { input: 0.075, output: 0.3 }
deepseek-v2.5-0908: { input: 0.14, output: 0.28 }
`);

  it('keeps most of the best quality for a small part of its cost', () => {
    const { dials, singles } = evaluate(rows, models, prior);
    const [best] = singles;
    const cheap = dials.filter(({ cost }) => cost <= 0.07 * best!.cost);
    const most = Math.max(...cheap.map(({ score }) => score));
    expect(most / best!.score).toBeGreaterThan(0.93);
  });

  it('does better at any budget than the best mix that does not look at the prompt', () => {
    const { areas } = evaluate(rows, models, prior);
    expect(areas.get('router')).toBeGreaterThan(areas.get('best mix of single models')!);
  });
});
