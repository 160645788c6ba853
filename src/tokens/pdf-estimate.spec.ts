import { describe, expect, it } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import { estimatePrompt, MOST_TOKENS_PER_PAGE, mostInput, TOKENS_PER_PAGE } from './estimate.js';
import { inputTexts } from './input-texts.js';
import { estimatePages, pdfAllowance } from './pdf-estimate.js';

const page = (id: number) => `${id} 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n`;
const pages = (count: number) => Array.from({ length: count }, (_, at) => page(10 + at)).join('');
const root = (count: number) =>
  `2 0 obj\n<< /Type /Pages /Kids [${'3 0 R '.repeat(count)}] /Count ${count} >>\nendobj\n`;
const picture = (bytes: number) =>
  `9 0 obj\n<< /Length ${bytes} >>\nstream\n${'\x07'.repeat(bytes)}\nendstream\nendobj\n`;
/** Objects that are compressed together, as most programs write them today. */
function compressed(objects: string, filter = ''): string {
  const packed = deflateSync(Buffer.from(`1 0 2 60 ${objects}`, 'latin1')).toString('latin1');
  const head = `<< /Type /ObjStm /N 2 /First 9${filter} /Length ${packed.length} >>`;
  return `7 0 obj\n${head}\nstream\r\n${packed}\r\nendstream\nendobj\n`;
}
const pdf = (...objects: string[]) =>
  Buffer.from(['%PDF-1.7\n', ...objects, '%%EOF\n'].join(''), 'latin1').toString('base64');
const pagesIn = (...objects: string[]) => estimatePages(pdf(...objects), pdfAllowance());

describe('estimatePages', () => {
  it('uses its allowance up by much that is to be unpacked, however little that is', () => {
    const allowance = pdfAllowance();
    estimatePages(pdf('/Type/ObjStm stream endstream\n'.repeat(2_000), root(3)), allowance);
    expect(allowance.bytes).toBeLessThanOrEqual(0);
  });

  it.each([
    ['its root says so', [root(42), pages(3)], 42],
    ['its root says so first', ['<</Count 7/Type/Pages/Kids[3 0 R]>>'], 7],
    ['nodes say so of parts', [root(5), root(12), root(7)], 12],
    ['a long root says so', [pages(1), root(900)], 900],
    ['only pages are seen', [pages(6)], 6],
    ['another dictionary hides the count', ['<</Type/Pages/Resources<<>>/Count 9>>', pages(2)], 2],
    ['its objects are compressed', [compressed('<</Type/Pages/Count 30>><</Type/Page>>')], 30],
    ['a part of them is', [pages(2), compressed(pages(3)), compressed(pages(4))], 9],
    ['they cannot be unpacked', ['<</Type/ObjStm>>\nstream\nnonsense\nendstream', pages(2)], 2],
    ['the pages are far from the beginning', [picture(9_000_000), pages(1), root(80)], 80],
    ['the pages are far from the end', [root(80), picture(9_000_000)], 80],
    [
      'much else comes first',
      [compressed(' '.repeat(900_000)).repeat(9), picture(9e6), root(80)],
      80,
    ],
    ['nothing is said of pages', [picture(5)], 1],
    ['it says something absurd', [root(1).replace('Count 1', 'Count 999999999')], 1_000],
  ])('knows how many pages there are where %s', (_name, objects, expected) => {
    expect(pagesIn(...objects)).toBe(expected);
  });

  it('looks no further than it may, whatever the file holds', () => {
    const hostile = [
      '/Type/Pages'.repeat(180_000),
      '<</Type/Pages'.repeat(150_000),
      '/Type/ObjStm stream\n'.repeat(100_000),
      compressed('/Type/Pages'.repeat(2_000_000)).repeat(50),
    ];
    for (const objects of hostile) {
      const allowance = pdfAllowance();
      expect(estimatePages(pdf(objects), allowance)).toBeLessThanOrEqual(1_000);
      // What is begun is looked at to its end.
      expect(allowance.bytes).toBeGreaterThan(-3_000_000);
    }
  });

  it.each(['', 'AAAA', 'JVBER', 'data:application/pdf', 'https://a.example/JVBERi0.pdf'])(
    'is of no PDF: %j',
    (content) => {
      expect(estimatePages(content, pdfAllowance())).toBe(0);
    },
  );

  it('reads bytes whose last ones are not padded', () => {
    const bare = pdf(picture(9_000_000), root(80)).replace(/=+$/, '');
    for (const content of [bare, bare.slice(0, -1), bare.slice(0, -2), bare.slice(0, -3)]) {
      expect(estimatePages(content, pdfAllowance())).toBe(80);
    }
  });

  it('counts one where others have been looked at before', () => {
    expect(estimatePages(pdf(root(80)), { bytes: 0 })).toBe(1);
  });
});

describe('what a PDF counts for', () => {
  const data = pdf(root(40));
  const address = `data:application/pdf;base64,${data}`;

  it.each([
    ['a document', { type: 'document', source: { type: 'base64', data } }],
    ['a file of chat', { type: 'file', file: { filename: 'a.pdf', file_data: address } }],
    ['a file of responses', { type: 'input_file', file_data: address }],
    ['a file under the type of any', { type: 'input_file', file_data: data }],
    ['a picture, as some take it', { type: 'image_url', image_url: { url: address } }],
    ['a result', { type: 'tool_result', content: [{ type: 'document', source: { data } }] }],
  ])('is its pages, in %s', (_name, part) => {
    const body = { messages: [{ role: 'user', content: [part] }] };
    const beside = estimatePrompt(body) - 40 * TOKENS_PER_PAGE;
    expect(beside).toBeGreaterThanOrEqual(0);
    expect(beside).toBeLessThan(50);
    expect(mostInput(body) - beside).toBe(40 * MOST_TOKENS_PER_PAGE);
  });

  it('is the same for those who ask for a count', () => {
    const document = { type: 'document', source: { type: 'base64', data } };
    const { tokens } = inputTexts({ messages: [{ role: 'user', content: [document] }] });
    expect(tokens - 40 * TOKENS_PER_PAGE).toBeLessThan(50);
  });
});
