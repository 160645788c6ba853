import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadPrior } from '../prior.service.js';
import { readCandidates } from './candidates-file.js';
import { evaluate } from './evaluate.js';
import { readRows } from './outcome-rows.js';
import { pictureOf } from './picture.js';
import { reportOf } from './report.js';

const USAGE = `npm run router:eval -- FILE.jsonl... --models candidates.yaml [--svg FILE.svg]
    [--prior FILE.yaml] [--json]
`;

try {
  process.stdout.write(run(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`router:eval: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** What the command prints. @throws Error for what cannot be read. */
function run(args: readonly string[]): string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      models: { type: 'string' },
      svg: { type: 'string' },
      prior: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return USAGE;
  if (values.models === undefined || positionals.length === 0) {
    throw new Error(`needs outcomes and candidates:\n${USAGE}`);
  }
  const text = contentOf(values.models);
  const { models, prior } = readCandidates(text, values.models, loadPrior(values.prior));
  const rows = positionals.flatMap((path) => readRows(contentOf(path), path));
  const evaluation = evaluate(rows, models, prior);
  if (values.svg !== undefined) writeFileSync(values.svg, pictureOf(evaluation));
  if (!values.json) return reportOf(evaluation);
  return `${JSON.stringify({ ...evaluation, areas: Object.fromEntries(evaluation.areas) })}\n`;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
