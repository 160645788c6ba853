import { styleText } from 'node:util';
import { usdDecimal } from '../contract/money.js';
import { type Report, type Surroundings } from './command.js';
import { tableLines } from './table.js';

/** Shows a report: as one JSON document, or as tables. */
export function show(
  report: Report,
  { stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>,
  form: 'json' | 'tables',
): void {
  if (form === 'json') {
    stdout.write(`${jsonText(report.json)}\n`);
    return;
  }
  for (const block of report.blocks) {
    if (typeof block === 'string') {
      stdout.write(`${block}\n`);
      continue;
    }
    const [header = '', ...rows] = tableLines(block);
    // Plain where nobody looks, and where NO_COLOR is set.
    const title = block.rows.length > 0 ? styleText('bold', header, { stream: stdout }) : header;
    stdout.write([title, ...rows].map((line) => `${line}\n`).join(''));
  }
  if (report.hint !== undefined) stderr.write(`${report.hint}\n`);
}

/** JSON in which a `bigint` is money, written as a decimal number with all of its digits. */
function jsonText(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, member: unknown) =>
      typeof member === 'bigint' ? RAW.rawJSON(usdDecimal(member)) : member,
    2,
  );
}

// https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/JSON/rawJSON
const RAW = JSON as unknown as { rawJSON(text: string): unknown };
