import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPrior } from '../prior.service.js';
import { readCandidates } from './candidates-file.js';
import { areaUnder, hull } from './curve.js';
import { evaluate as evaluateAll, type Evaluation } from './evaluate.js';
import { readRows } from './outcome-rows.js';
import { found, meant } from './named-file.js';
import { pictureOf } from './picture.js';
import { reportOf } from './report.js';

const shipped = loadPrior(undefined);
const candidates = (text: string) => readCandidates(text, 'c.yaml', shipped);
/** The first of the parts. */
const evaluate = (...args: Parameters<typeof evaluateAll>): Evaluation => evaluateAll(...args)[0]!;
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
    'a: { usd_per_mtok: { input: 2.5, output: 10 } }',
    'a: { pricing_usd_per_1k: { input: 0.0025, output: 0.01 }, tokens: { input: 7, output: 9 } }',
    'a: { inputCostPerToken: 0.0000025, outputCostPerToken: 0.00001 }',
    'a: { inputPer1M: 2.5, outputPer1M: 10 }',
    'unit: usd_per_1k_tokens\nmodels: { a: { input: 0.0025, output: 0.01 } }',
    'unit: per_1k\na: { input: 0.0025, output: 0.01 }',
    'a: { pricing: { input: 0.0025, output: 0.01, unit: "per 1,000 tokens" } }',
    'a: { input_per_1000: 0.0025, output_per_1000: 0.01 }',
    'a: { input: 2.5, output: 10, price_unit: USD per 1M tokens }',
    'prices: { a: { input: 2.5, output: 10 } }\npriors: { a: 0.8 }',
    'models: [a]\nprices_per_million: { a: { input: 2.5, output: 10 } }',
  ])('reads prices as they are usually written: %j', (text) => {
    expect(usd(text)).toEqual([['a', 2.5, 10]]);
  });

  it('takes prices without a unit for prices of one unit', () => {
    const asked = usd('a: { input: 0.0025, output: 0.01 }\nb: { input: 0.00015, output: 0.0006 }');
    expect(asked).toEqual([
      ['a', 0.0025, 0.01],
      ['b', 0.00015, 0.0006],
    ]);
    const mixed = usd('a: { input: 2.5, output: 10 }\nb: { input: 0.00000015, output: 0.0000006 }');
    expect(mixed[1]).toEqual(['b', 0.15, 0.6]);
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

  it.each([
    'a: { input: 1, output: 1, quality: 0.6, code: 0.9 }',
    'a: { input: 1, output: 1, prior: { quality: 0.6, code: 0.9 } }',
    'a: { input: 1, output: 1, quality_prior: 0.6, priors: { crux: 0.9, math: null } }',
    'models: { a: { input: 1, output: 1, code: 0.9 } }\npriors: { a: 0.6 }',
    'a: { input: 1, output: 1, prior: 0.6, priors: { zeroeval_crux: 0.9, RouteLLM/mmlu: 0.7 } }',
    'models: { a: { input: 1, output: 1 } }\npriors: { code: { a: 0.9 }, general: { a: 0.6 } }',
    'prices: { a: { input: 1, output: 1 } }\naccuracy: { a: { overall: 0.6, code: 0.9 } }',
    'models: { a: { input: 1, output: 1 } }\npriors: { zeroeval_crux: { a: 0.9 }, mean: { a: 0.6 } }',
    'a: { input: 1, output: 1, zeroeval_crux: 0.9, quality: 0.6 }',
    'x: { input: 1, output: 1, prior: &p { code: 0.9 } }\na: { input: 1, output: 1, prior: { <<: *p, mean: 0.6 } }',
  ])('reads qualities as they are usually written: %j', (text) => {
    const { prior } = candidates(text);
    expect(prior.of('a')!.general).toBeCloseTo(0.6);
    expect(prior.of('a')!.code).toBeCloseTo(0.9);
  });

  it.each(['prior:', 'prior: {}', 'priors: { code: }', 'tools: true'])(
    'takes %j for nothing said',
    (nothing) => {
      const text = `gpt-4o:\n  input: 1\n  output: 1\n  ${nothing}`;
      expect(candidates(text).prior.of('gpt-4o')!.code).toBeCloseTo(shipped.of('gpt-4o')!.code);
    },
  );

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
    ['models: 5', 'line 1: models must be a map or a list of models'],
    ['a: [1, 2]', 'line 1: a needs prices'],
    ['a: { input_tokens: 1, output: 1 }', 'a needs input'],
    ['a: { input_cost_per_token: 2.5, output: 1 }', 'is 2500000 USD a million tokens: too much'],
    ['- { name: a, input: 1, output: 1 }\n- { name: a, input: 1, output: 1 }', '1 is there twice'],
    ['a: { input: 1, output: 1, quality: 8 }', 'a.quality must be a number from 0 to 1, and is 8'],
    [
      'a: { input: 1, output: 1, quality: 80, code: 0.7 }',
      'a.quality must be a number from 0 to 1',
    ],
    ['a: { input: 1, output: 1, quality: 80, code: 101 }', 'a.code must be a number from 0 to 100'],
    ['a: { input: 1, output: 1, quality: good }', 'a.quality must be a number from 0 to 1'],
    ['a: { input: 1, output: 1, prior: [0.5] }', 'a.prior must be a number from 0 to 1'],
    ['a: { input: 1, output: 1, prior: -1 }', 'a.prior must be a number from 0 to 1, and is -1'],
    ['a: { input: 1, output: 1, code: .nan }', 'a.code must be a number from 0 to 1, and is NaN'],
    ['a: { input: 1, output: 1, code: "9" }', 'a.code must be a number from 0 to 1, and is "9"'],
    ['a: { input: 1, output: 1, priors: { code: true } }', 'a.priors.code must be a number from 0'],
    ['a: { input: cheap, output: 1 }', 'a.input must be a number, 0 or more, and is "cheap"'],
    [
      'models: { a: { input: 1, output: 1 } }\npriors: { cooking: { a: 0.5 } }',
      'line 2: priors.cooking is no candidate, and no kind of task (code, ',
    ],
    ['a: { input: 1, output: 1, priors: { cooking: 1 } }', 'a.priors.cooking is no kind of task'],
    [
      'models: { a: { input: 1, output: 1 } }\npriors: { b: 0.5 }',
      'line 2: priors.b is no candidate',
    ],
  ])('says what is wrong with %j', (text, problem) => {
    expect(() => candidates(text)).toThrow(problem);
  });
});

describe('readCandidates', () => {
  it('takes a number in a text for a number', () => {
    const text = 'a: { input: "2.5", output: " 10 ", quality: "0.6", code: "0.9" }';
    const { models, prior } = candidates(text);
    expect(models[0]!.model.pricing).toMatchObject({ inputPerToken: 2_500_000n });
    expect(prior.of('a')).toMatchObject({ general: 0.6, code: 0.9 });
  });

  it.each([
    ['a: { input: 1, output: 1, qualty: 0.9, quality: 0.5 }', ['c.yaml line 1: a.qualty']],
    ['a: { input: 1, output: 1, quality: 0.5, scores: { cooking: "0.9" } }', ['a.scores']],
    ['a: { input: 1, output: 1, quality: 0.5, code: good, tools: true, lab: x }', ['a.code']],
    ['models: { a: { input: 1, output: 1, quality: 1 } }\nscores: { a: 0.3 }', ['line 2: scores']],
    ['a: { pricing: { input: 1, output: 1 }, quality: 0.5, context_length: 9 }', []],
  ])('tells what of %j is not used', (text, unused) => {
    const { notes } = candidates(text);
    expect(notes).toEqual(unused.map((one) => expect.stringContaining(`${one} is not used`)));
  });

  it('tells whose quality it has not from the file', () => {
    const of = (...more: string[]) =>
      candidates(['gpt-4o', ...more].map((name) => `${name}: { input: 1, output: 1 }`).join('\n'))
        .notes;
    expect(of()).toEqual([]);
    expect(of('stranger')).toEqual([
      'quality by the table: gpt-4o',
      'quality by the price alone: stranger',
    ]);
  });

  it('takes numbers for percent where they can be nothing else', () => {
    const { prior } = candidates(
      'a: { input: 1, output: 1, quality: 80, gsm: "95" }\nb: { input: 1, output: 1, prior: 0 }',
    );
    expect(prior.of('a')).toMatchObject({ general: 0.8, arithmetic: 0.95 });
    expect(prior.of('b')!.general).toBe(0);
  });

  it.each([
    'a: { input: 1, output: 1, quality: { overall: 0.6, tasks: { gsm: 0.9 } } }',
    'a: { input: 1, output: 1, mean_quality: 0.6, priors_by_task: { gsm: 0.9 } }',
    'models: { a: { input: 1, output: 1, prior: 0.6 } }\ntask_priors: { gsm: { a: 0.9 } }',
  ])('finds what is said of kinds of task wherever it stands: %j', (text) => {
    const { prior, notes } = candidates(text);
    expect(prior.of('a')).toMatchObject({ general: 0.6, arithmetic: 0.9 });
    expect(notes).toEqual([]);
  });

  it('moves models of which it says nothing onto the scale of those of which it does', () => {
    const others = ['claude-3-haiku', 'gemini-1.5-flash', 'claude-3-opus'];
    const said = (share: number) =>
      others.map((id) => `${id}: { input: 1, output: 1, code: ${share}, math: ${share} }\n`);
    const unsaid = 'gpt-4o: { input: 2.5, output: 10 }';
    const codeOf = (lines: readonly string[]) =>
      candidates(lines.join('')).prior.of('gpt-4o')!.code;
    const believed = shipped.of('gpt-4o')!.code;
    expect(codeOf([...said(0.95), unsaid])).toBeGreaterThan(believed);
    expect(codeOf([...said(0.05), unsaid])).toBeLessThan(believed);
    // One or two are corrections.
    expect(codeOf([...said(0.95).slice(1), unsaid])).toBeCloseTo(believed, 9);
  });

  it('tells a problem once', () => {
    const read = () => candidates('models: { a: { input: 1, output: 1 } }\npriors: 5');
    expect(read).toThrow(/^c\.yaml line 2: priors must be a map$/);
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

  it('takes the mark of the encoding for nothing wherever a file begins in another one', () => {
    const marked = `\uFEFF${row('a', { m: 1 })}`;
    expect(rowsOf(marked, marked, '\uFEFF')).toHaveLength(2);
  });

  it('takes a number in a text for a number', () => {
    const [read] = rowsOf(row('a', { m: { score: '0.5', cost_usd: '1e-3' }, n: '1' }));
    expect(read!.outcomes.get('m')).toEqual({ score: 0.5, costUsd: 0.001 });
    expect(read!.outcomes.get('n')).toEqual({ score: 1, costUsd: undefined });
  });

  it('takes what is missing for no outcome, as Python writes it too', () => {
    const [read] = rowsOf(
      '{"prompt":"NaN","outcomes":{"a":{"score":null},"b":{},"c":NaN,"d":"nan","e":{"score":1,"cost_usd":NaN},"f":{"score":"","cost_usd":""}}}',
    );
    expect(read!.prompt).toBe('NaN');
    expect([...read!.outcomes]).toEqual([['e', { score: 1, costUsd: undefined }]]);
  });

  it('does not mind empty lines, nor how lines end', () => {
    expect(rowsOf('', `${row('a', { m: 1 })}\r`, ' \r', row('b', { m: 1 }), '')).toHaveLength(2);
  });

  it.each([
    [{ m: { score: 7 } }, 'score of m is 7, and must be a number from 0 to 1'],
    [{ m: -0.1 }, 'score of m is -0.1'],
    [{ m: 'good' }, 'score of m is "good"'],
    [{ m: { score: {} } }, 'score of m is {}'],
    [{ m: { score: 1, cost_usd: -1 } }, 'cost_usd of m is -1, and must be a number, 0 or more'],
    [
      { m: { score: 1, cost_usd: 1e308 } },
      'cost_usd of m is 1e+308, and must be a number, 0 or more',
    ],
    [{ m: { score: 1, cost_usd: '$1' } }, 'cost_usd of m is "$1"'],
    [[{ model: 'm', score: 1 }], 'outcomes must be an object'],
  ])('refuses %j', (outcomes, problem) => {
    expect(() => rowsOf(row('a', {}), row('a', outcomes))).toThrow(`rows.jsonl line 2: ${problem}`);
  });

  it('refuses a file without rows', () => {
    expect(() => rowsOf('\uFEFF', '')).toThrow('rows.jsonl has no rows');
  });

  it('names the line that is wrong', () => {
    expect(() => rowsOf(row('a', {}), '{"prompt":1}')).toThrow('rows.jsonl line 2: prompt');
    expect(() => rowsOf('nonsense')).toThrow('rows.jsonl line 1');
  });
});

describe('the path of a file', () => {
  const here = join(import.meta.dirname, '..');

  it('is one from where npm was called, else from the project', () => {
    expect(found('eval/curve.ts', here)).toBe(join(import.meta.dirname, 'curve.ts'));
    expect(found('bench/router-candidates.yaml', here)).toBe('bench/router-candidates.yaml');
    expect(meant('curve.svg', here)).toBe(join(here, 'curve.svg'));
    expect(found('/etc/hosts', here)).toBe('/etc/hosts');
    expect(meant('curve.svg', '')).toBe(join(process.cwd(), 'curve.svg'));
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
    expect(partly).toEqual([{ name: 'partial', rows: 1 }]);
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
    expect(estimatedCosts).toBe(0);
    for (const written of [
      'alias: other-name',
      'aliases: other-name',
      'aliases: [x, other-name]',
    ]) {
      const alias = candidates(`partial: { input: 1, output: 1, ${written} }`);
      expect(evaluate(ROWS, alias.models, alias.prior).estimatedCosts).toBe(1);
    }
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
    const text = reportOf([evaluation]);
    expect(text).toMatch(/^2 rows, 1 models/);
    expect(text).toContain('on no row: stranger');
  });

  it('shows it as text and as a picture', () => {
    const evaluation = evaluate(ROWS, FILE.models, FILE.prior);
    const text = reportOf([evaluation]);
    for (const line of ['dial 0 ', 'dial 10 ', 'random', 'price only', 'oracle', 'strong']) {
      expect(text).toContain(line);
    }
    const picture = pictureOf(evaluation);
    expect(picture).toMatch(/^<svg [^]*<\/svg>\n$/);
    expect(picture).not.toContain('NaN');
  });
});

describe('evaluate, of rows that do not all know the same models', () => {
  const { models, prior } = candidates(
    ['a', 'b', 'c', 'd'].map((id, at) => `${id}: { input: ${at}, output: ${at} }`).join('\n'),
  );
  const known = (names: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      row(`${names} ${index}`, Object.fromEntries([...names].map((name) => [name, index % 2]))),
    );
  const parts = (...lines: string[][]) => evaluateAll(rowsOf(...lines.flat()), models, prior);
  const namesOf = ({ singles }: Evaluation) => singles.map(({ name }) => name).sort();

  it('leaves out a row that lacks one of them', () => {
    const [part, ...others] = parts(known('abc', 10), known('ab', 1), known('x', 2));
    expect(others).toEqual([]);
    expect(namesOf(part!)).toEqual(['a', 'b', 'c']);
    expect(part).toMatchObject({ rows: 10, leftOut: { lacking: 1, unknown: 2 }, absent: ['d'] });
    expect(reportOf([part!])).toContain(
      'with an outcome of no candidate: 2\nrows left out, without an outcome of each model: 1 (c on 1)\n',
    );
  });

  it('leaves out a model that many rows lack', () => {
    const [part, ...others] = parts(known('ab', 10), known('abc', 5));
    expect(others).toEqual([]);
    expect(namesOf(part!)).toEqual(['a', 'b']);
    expect(part).toMatchObject({ rows: 15, partly: [{ name: 'c', rows: 5 }] });
    expect(reportOf([part!])).toContain('models left out: c (on 5 of 15 rows)');
  });

  it('compares apart what has other models', () => {
    const both = parts(known('ab', 10), known('cd', 8), known('a', 1));
    expect(both.map((part) => [part.rows, ...namesOf(part)])).toEqual([
      [10, 'a', 'b'],
      [8, 'c', 'd'],
    ]);
    const text = reportOf(both);
    expect(text).toContain('part 1 of 2: ');
    expect(text.match(/best single model: [a-d]/g)).toHaveLength(2);
  });

  it('has areas to tell apart, also where the cheapest model is the best', () => {
    const [part] = parts(known('ab', 4).map((line) => line.replace('"a":0', '"a":1')));
    expect(part!.singles[0]!.name).toBe('a');
    expect(part!.areas.get('oracle')).toBe(1);
    const [mixed] = parts([
      row('q', { a: 0, b: 1 }),
      row('r', { a: 1, b: 0 }),
      row('s', { a: 1, b: 0 }),
    ]);
    expect(mixed!.areas.get('a')).toBeCloseTo(2 / 3);
    expect(mixed!.areas.get('oracle')).toBeGreaterThan(mixed!.areas.get('a')!);
  });

  it('has the own score of each for its area, where all of them cost the same', () => {
    const [same] = evaluateAll(
      rowsOf(row('q', { c: { score: 1, cost_usd: 1 }, d: { score: 0.5, cost_usd: 1 } })),
      models,
      prior,
    );
    expect(Object.fromEntries(same!.areas)).toMatchObject({ c: 1, d: 0.5, random: 0.75 });
  });

  it('has numbers only, whatever is zero', () => {
    const free = candidates('a: { input: 0, output: 0 }\nb: { input: 0, output: 0 }');
    for (const score of [0, 1]) {
      for (const cost of [0, 1]) {
        const outcomes = { a: { score, cost_usd: cost }, b: { score, cost_usd: 0 } };
        const evaluation = evaluate(rowsOf(row('q', outcomes)), free.models, free.prior);
        const shown = [reportOf([evaluation]), pictureOf(evaluation), JSON.stringify(evaluation)];
        for (const text of shown) expect(text).not.toMatch(/NaN|Infinity|null|undefined/);
        expect(evaluation.areas.get('router')).toBe(score);
      }
    }
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

  let evaluation: Evaluation;
  beforeAll(() => {
    evaluation = evaluate(rows, models, prior);
  });

  it('keeps most of the best quality for a small part of its cost', () => {
    const { dials, singles } = evaluation;
    const [best] = singles;
    const cheap = dials.filter(({ cost }) => cost <= 0.07 * best!.cost);
    const most = Math.max(...cheap.map(({ score }) => score));
    expect(most / best!.score).toBeGreaterThan(0.93);
  });

  it('does better at any budget than the best mix that does not look at the prompt', () => {
    const { areas } = evaluation;
    expect(areas.get('router')).toBeGreaterThan(areas.get('best mix of single models')!);
  });
});
