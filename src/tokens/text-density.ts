/** From so many characters on it is worth a look whether a text of ASCII has more tokens than prose. */
export const SHORTEST_LOOKED_AT = 32;
/** Windows of a text that are looked at, at most. */
const MOST_WINDOWS = 16;
const WINDOW = 128;

/**
 * How many more tokens a text may have than the `usual`: hex, base64, digits, minified code, and scripts
 * that tokenizers know little of have two or three times as many as prose. Looks at parts of the text, so
 * that the work is bounded; 0 for prose.
 *
 * @param text one that is not empty.
 * @param apart one window is looked at in so many characters.
 */
export function tokensBeyond(text: string, usual: number, apart: number): number {
  const size = Math.min(WINDOW, text.length);
  const windows = windowsIn(text, apart);
  const step = (text.length - size) / Math.max(1, windows - 1);
  let tokens = 0;
  for (let window = 0; window < windows; window++) {
    const start = Math.floor(window * step);
    tokens += tokensIn(text, start, start + size);
  }
  const whole = (tokens * text.length) / (windows * size);
  return Math.max(0, Math.ceil(whole - usual));
}

/** How many windows of the text are looked at. */
export function windowsIn({ length }: string, apart: number): number {
  return Math.min(MOST_WINDOWS, Math.ceil(length / apart));
}

/** The tokens of a window: tokenizers cut where one kind of characters follows another. */
function tokensIn(text: string, start: number, end: number): number {
  let tokens = 0;
  let before = KINDS.space;
  let letters = 0;
  let consonants = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = code < ASCII ? (KIND_OF_ASCII[code] ?? 0) : kindOf(code);
    tokens += COSTS[before * KIND_COUNT + kind] ?? 0;
    before = kind;
    if (kind === KINDS.small) {
      letters += 1;
      if (isVowel(code)) consonants = 0;
      // Of one letter again and again, a token has many.
      else if (code !== text.charCodeAt(at - 1)) {
        consonants += 1;
        if (consonants >= NO_SYLLABLE) tokens += TOKENS_OF_NO_SYLLABLE;
      }
      if (letters > LONG_WORD && code !== text.charCodeAt(at - 1)) tokens += TOKENS_OF_LONG_WORD;
    } else {
      // A letter that stands alone is one, other than the first one of a word.
      if (kind === KINDS.space && letters === 1) tokens += 0.1;
      letters = consonants = 0;
    }
  }
  return tokens;
}

/** Letters that make no words, such as random ones, have few vowels between them. */
const NO_SYLLABLE = 4;
const TOKENS_OF_NO_SYLLABLE = 1.4;
/** Longer words are rare, and what is written without spaces, such as genes, has more tokens. */
const LONG_WORD = 12;
const TOKENS_OF_LONG_WORD = 0.3;

function isVowel(code: number): boolean {
  return ((VOWELS >> (code - FIRST_LETTER)) & 1) === 1;
}

const FIRST_LETTER = 97;
/** A bit for each of a, e, i, o, u and y. */
const VOWELS = 0b1_0001_0000_0100_0001_0001_0001;

const ASCII = 128;
const KINDS = {
  ...{ space: 0, small: 1, capital: 2, digit: 3, mark: 4 },
  ...{ known: 5, rare: 6, half: 7, line: 8 },
};
const KIND_COUNT = 9;

/**
 * What a character counts for, by its kind (the column) and the kind of the one before it (the row);
 * close to what `o200k_base` makes of such texts, and rather more: `npm test -- src/tokens`.
 */
const COSTS = new Float64Array(
  [
    // space, small, capital, digit, mark, known, rare, half, end of a line
    [0.1, 0.9, 0.9, 1.95, 0.75, 0.6, 3, 1, 0.6], // after a space, which a number does not take in
    [0, 0.14, 1.1, 1.1, 0.75, 0.6, 3, 1, 1.1], // after a small letter
    [0, 0.4, 0.55, 1, 0.75, 0.6, 3, 1, 0.9], // after a capital
    [0, 1.1, 1.1, 0.5, 1, 0.6, 3, 1, 0.9], // after a digit
    [0, 0.8, 0.9, 1, 0.75, 0.6, 3, 1, 0], // after a mark, with which it is one
    [0, 0.9, 0.9, 1, 0.75, 0.6, 3, 1, 0.9], // after a known script
    [0, 0.9, 0.9, 1, 0.75, 0.6, 3, 1.6, 0.9], // after a rare script, whose pairs have four
    [0, 0.9, 0.9, 1, 0.75, 0.6, 3, 1, 0.9], // after half of a pair, or a control character
    [1.45, 0.9, 0.9, 1, 1, 0.6, 3, 1, 0.1], // after the end of a line
  ].flat(),
);

const KIND_OF_ASCII = Uint8Array.from({ length: ASCII }, (_, code) => {
  if (code === 10 || code === 13) return KINDS.line;
  if (code === 9 || code === 32) return KINDS.space;
  if (code < 32 || code === 127) return KINDS.half;
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return KINDS.small;
  if (/[A-Z]/.test(character)) return KINDS.capital;
  return /\d/.test(character) ? KINDS.digit : KINDS.mark;
});

/** Scripts are known of which tokenizers know words, or whose characters are words. */
function kindOf(code: number): number {
  // The first half of a pair tells emoji from old scripts, which are rare.
  if (code >= 0xd800 && code < 0xdc00) {
    return code >= 0xd83c && code < 0xd83f ? KINDS.half : KINDS.rare;
  }
  if (code >= 0xdc00 && code < 0xe000) return KINDS.half;
  return KIND_OF_ROW[code >> 4] ?? KINDS.rare;
}

/** Of sixteen characters each; what is not known is a rare script, or marks on the letters before them. */
const KIND_OF_ROW = new Uint8Array(0x1000).fill(KINDS.rare);
for (const [first, end] of [
  [0xa0, 0x0250], // as far as phonetic letters
  [0x0370, 0x0590],
  [0x05d0, 0x0e80], // from Hebrew, without its points, as far as Lao
  [0x1000, 0x1100], // Burmese and Georgian
  [0x1780, 0x1800],
  [0x1e00, 0x2070],
  [0x3000, 0x3400],
  [0x4e00, 0xa000],
  [0xac00, 0xd7b0],
] as const) {
  KIND_OF_ROW.fill(KINDS.known, first >> 4, end >> 4);
}
