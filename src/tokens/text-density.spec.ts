import { describe, expect, it } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createHash } from 'node:crypto';
import { tokensBeyond } from './text-density.js';

const SIZE = 8_000;
const repeated = (make: (index: number) => string): string => {
  let text = '';
  for (let index = 0; text.length < SIZE; index++) text += make(index);
  return text.slice(0, SIZE);
};
const hash = (index: number, encoding: 'hex' | 'base64') =>
  createHash('sha512').update(String(index)).digest(encoding);
const number = (index: number) => Number.parseInt(hash(index, 'hex').slice(0, 6), 16);
/** At most 64. */
const letters = (index: number, length: number) =>
  Array.from(createHash('sha512').update(String(index)).digest().subarray(0, length), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  ).join('');
const gene = (index: number) =>
  letters(index, 64).replace(/./g, (letter) => 'ACGT'[letter.charCodeAt(0) % 4] ?? '');

/** As the tokenizer counts them, in pieces, as one long word takes it long. */
const counted = (text: string): number => {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 400) tokens += countTokens(text.slice(at, at + 400));
  return tokens;
};
const estimated = (text: string): number => {
  const usual = Buffer.byteLength(text) / 3;
  return usual + tokensBeyond(text, usual, 1_024);
};

describe('tokensBeyond', () => {
  it.each(
    Object.entries({
      hex: repeated((index) => hash(index, 'hex')),
      base64: repeated((index) => hash(index, 'base64').slice(0, 84)),
      uuids: repeated((index) =>
        hash(index, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5\n'),
      ),
      'a table of numbers': repeated((index) => `${number(index)},${number(index + 1)}\n`),
      'a table of small numbers': repeated((index) =>
        index % 9 ? `${number(index) % 10} ` : '\n',
      ),
      'a table with columns': repeated((index) => String(number(index) % 1e3).padStart(8)),
      'numbers in lines': repeated((index) => `${number(index) % 1e5}\n`),
      'a log': repeated(
        (index) => `2026-11-20 10:12:13.${index} INFO ${index} took ${7 * index} ms\n`,
      ),
      floats: repeated((index) => `${(number(index) / 1e4).toFixed(4)}, `),
      'letters apart': repeated((index) => `${letters(index, 1)} `),
      'random letters': repeated((index) => letters(index, 60)),
      'long words of random letters': repeated((index) => `${letters(index, 12)} `),
      'letters in lines': repeated((index) => `${'abcdefghij'[number(index) % 10]}\n`),
      'lines that are indented': repeated(
        (index) => `\n\t\t${'ab cd ef'.slice(0, number(index) % 8)}`,
      ),
      'phonetic letters': repeated(() => 'ðə kwɪk bɹaʊn fɒks dʒʌmps ˈəʊvə ðə ˈleɪzi dɒɡ '),
      YAML: repeated((index) => `- k${number(index) % 9}: v\n`),
      marks: repeated((index) => '!@#$%^&*()_+{}|:"<>?-=[];,./'[number(index) % 28] ?? ''),
      JSON: JSON.stringify(
        Array.from({ length: 200 }, (_, id) => ({ id, name: `n${id}`, on: true, at: [id, null] })),
      ).slice(0, SIZE),
      genes: repeated((index) => gene(index).toLowerCase()),
      'genes in capitals': repeated(gene),
      Lao: repeated(() => 'ປະເທດລາວເປັນປະເທດໜຶ່ງໃນອາຊີຕາເວັນອອກສ່ຽງໃຕ້ '),
      Inuktitut: repeated(() => 'ᐃᓄᒃᑎᑐᑦ ᐅᖃᐅᓯᖅ '),
      'Hebrew with points': repeated(() => 'בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם '),
      'rare Han characters': repeated((index) =>
        String.fromCharCode(0x3400 + (number(index) % 0x19c0)),
      ),
      cuneiform: repeated((index) => String.fromCodePoint(0x12000 + (number(index) % 900))),
      'letters of mathematics': repeated((index) =>
        String.fromCodePoint(0x1d400 + (number(index) % 256)),
      ),
      'control characters': repeated((index) => String.fromCharCode(14 + (index % 18))),
      Amharic: repeated(() => 'ሰላም ለዓለም ዛሬ አየሩ ጥሩ ነው። '),
      Tibetan: repeated(() => 'བཀྲ་ཤིས་བདེ་ལེགས། '),
      emoji: repeated(() => '😀🎉🚀🔥💡'),
    }),
  )('makes the estimate of %s not lower than it is, nor twice as high', (_, text) => {
    expect(estimated(text)).toBeGreaterThan(0.95 * counted(text));
    expect(estimated(text)).toBeLessThan(2 * counted(text));
    expect(Buffer.byteLength(text) / 3).toBeLessThan(1.05 * counted(text));
  });

  it.each([
    'The quick brown fox jumps over the lazy dog. ',
    'Die Bundesregierung hat beschlossen, die Förderung deutlich zu erhöhen. ',
    "Strengths and lengths of twelfths are schoolchildren's thrills. ",
    'xxxxxxxxxx',
    'const total = items.map((item) => item.price).reduce(sum, 0);\n',
    'Съешь же ещё этих мягких французских булок, да выпей чаю. ',
    '人工智能正在改变我们的生活方式，许多公司开始使用大型语言模型。',
    'これは日本語の文章です。東京の天気は晴れです。',
    'سلام بر همه مردم جهان، امروز هوا خوب است. ',
    'नमस्ते दुनिया, आज मौसम अच्छा है। ',
    'မြန်မာနိုင်ငံသည် အရှေ့တောင်အာရှတွင် တည်ရှိသော နိုင်ငံဖြစ်သည်။ ',
  ])('adds little to %j, if anything', (sentence) => {
    const text = repeated(() => sentence);
    const usual = Buffer.byteLength(text) / 3;
    expect(tokensBeyond(text, usual, 1_024)).toBeLessThan(0.2 * usual);
  });

  it('looks at the whole length of a text', () => {
    const prose = 'The quick brown fox jumps over the lazy dog. '.repeat(2_000);
    const dense = repeated((index) => hash(index, 'base64')).repeat(11);
    expect(tokensBeyond(prose + dense, (prose.length + dense.length) / 3, 1_024)).toBeGreaterThan(
      5_000,
    );
    expect(tokensBeyond(dense + prose, (prose.length + dense.length) / 3, 1_024)).toBeGreaterThan(
      5_000,
    );
  });
});
