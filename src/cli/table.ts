import { usdDecimal } from '../contract/money.js';
import { type Cell, type Table } from './command.js';

/** A table as lines of plain text: aligned columns, two spaces between them. */
export function tableLines({ columns, rows, none }: Table): readonly string[] {
  if (rows.length === 0 && none !== undefined) return [none];
  const texts = rows.map((row) => row.map(cellText));
  const widths = columns.map((title, index) =>
    Math.max(widthOf(title), ...texts.map((row) => widthOf(row[index] ?? ''))),
  );
  const right = columns.map(
    (_, index) =>
      rows.some((row) => isNumber(row[index])) &&
      rows.every((row) => row[index] === null || isNumber(row[index])),
  );
  return [columns, ...texts].map((row) =>
    row
      .map((text, index) => {
        const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(text)));
        return right[index] ? padding + text : text + padding;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Names and notes are anybody's text: a control character in them is shown, not obeyed. */
export function visible(text: string): string {
  // A joiner inside an emoji is none of them.
  return text.replaceAll(/(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0)?.toString(16).padStart(4, '0') ?? '';
    return `\\u{${code}}`;
  });
}

function cellText(cell: Cell): string {
  if (cell === null) return '-';
  return typeof cell === 'bigint' ? usdDecimal(cell) : visible(String(cell));
}

function isNumber(cell: Cell | undefined): boolean {
  return typeof cell === 'number' || typeof cell === 'bigint';
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What a terminal shows in two columns. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]/u;

function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
