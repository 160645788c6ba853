import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../config/read-config.js';
import { loadPrior } from '../prior.service.js';
import { readCandidates } from './candidates-file.js';
import { evaluate } from './evaluate.js';
import { found, meant } from './named-file.js';
import { readRows } from './outcome-rows.js';
import { pictureOf } from './picture.js';
import { reportOf } from './report.js';

const USAGE = `npm run router:eval -- FILE.jsonl... --models candidates.yaml [--svg FILE.svg]
    [--prior FILE.yaml] [--json]
`;

try {
  process.stdout.write(run(process.argv.slice(2)));
} catch (error) {
  const message =
    error instanceof ConfigError ? error.problems.join('\n') : (error as Error).message;
  process.stderr.write(`router:eval: ${message}\n`);
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
      from: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return USAGE;
  if (values.models === undefined || positionals.length === 0) {
    throw new Error(`needs outcomes and candidates:\n${USAGE}`);
  }
  const { from } = values;
  const text = contentOf(values.models, from);
  const table = loadPrior(values.prior && found(values.prior, from), values.prior);
  const { models, prior, notes } = readCandidates(text, values.models, table);
  const rows = positionals.flatMap((path) => readRows(contentOf(path, from), path));
  for (const note of notes) process.stderr.write(`router:eval: ${note}\n`);
  const evaluations = evaluate(rows, models, prior);
  const [first] = evaluations;
  if (values.svg !== undefined && first) {
    writeFileSync(meant(values.svg, from), pictureOf(first));
  }
  if (!values.json) return reportOf(evaluations);
  return evaluations
    .map((one) => `${JSON.stringify({ ...one, areas: Object.fromEntries(one.areas) })}\n`)
    .join('');
}

function contentOf(path: string, from: string): string {
  try {
    return readFileSync(found(path, from), 'utf8');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
