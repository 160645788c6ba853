/** The kinds of task that models differ in, and that can be told apart without a model. */
export const TASK_CLASSES = [
  'code',
  'math',
  'arithmetic',
  'knowledge',
  'writing',
  'tools',
  'general',
] as const;

/** One of them. */
export type TaskClass = (typeof TASK_CLASSES)[number];

/** What of a request tells its kind. */
interface TaskHints {
  /** The model may call tools. */
  readonly offersTools: boolean;
  /** What the user said last, or the beginning and the end of it. */
  readonly text: string;
}

/** How much of a text is looked at, at its beginning and at its end; the work is bounded by it. */
const HEAD = 3_000;
const TAIL = 1_000;

/** The part of a text that `classify` looks at. */
export function glimpse(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}

/**
 * The kind of task, by its form first and its words second. No pattern can go back over what it has
 * read more than a few characters, so that no text takes long.
 */
export function classify({ offersTools, text }: TaskHints): TaskClass {
  if (offersTools) return 'tools';
  if (!DRAWING.test(text) && (CODE.test(text) || PROGRAMMING.test(text))) return 'code';
  if (CHOICES.test(text)) return 'knowledge';
  if (FORMULA.test(text) || MATHS.test(text)) return 'math';
  if ((COUNTING.test(text) && NUMBER.test(text)) || QUANTITIES.test(text)) return 'arithmetic';
  return WRITING.test(text) ? 'writing' : 'general';
}

/** What only programs look like. */
const CODE = new RegExp(
  [
    '```',
    '\\[PYTHON\\]',
    // Prose has lines that begin with these words too, but not what follows them in a program.
    '^[ \\t]{0,8}(?:async )?(?:def|fn|func) \\w{1,60} ?[(<]',
    '^[ \\t]{0,8}(?:export |abstract )?class \\w{1,60} ?(?:[({:<]|extends |implements |$)',
    '^[ \\t]{0,8}import (?:[{*"\'<]|[\\w.]{1,60}(?: as \\w{1,40})?(?:, ?\\w{1,40}){0,4};?\\s{0,4}$|\\w{1,40} from ["\'])',
    '^[ \\t]{0,8}from [\\w.]{1,60} import ',
    '^[ \\t]{0,8}(?:export )?(?:let|const|var) (?:mut )?[\\w$]{1,40}(?: ?:[^=\\n]{1,40})? ?[=;]',
    '^[ \\t]{0,8}(?:let|const|var) ?[{[]',
    '^[ \\t]{0,8}(?:public|private|protected) (?:static|final|async|abstract|override|readonly|class|interface|enum|record|struct|func|fun|void|int|long|double|boolean|bool|string|String|[A-Z]\\w{0,40}(?:<[^>\\n]{1,40}>)?) [\\w(]',
    '^[ \\t]{0,8}#include ?[<"]',
    '\\bfunction \\w{0,40}\\(|\\b(?:SELECT|INSERT INTO|CREATE TABLE)\\s{1,4}[\\w*]',
    '=> ?\\{|\\);\\s{0,4}$',
    '\\b(?:Traceback|TypeError|NullPointer)\\b',
  ].join('|'),
  'm',
);

/** What is said of programs. */
const PROGRAMMING = new RegExp(
  [
    '\\b(?:python|javascript|typescript|java|golang|rust|kotlin|swift|sql|bash|regex|dockerfile) ' +
      '(?:code|function|script|program|class|query|method|expression|snippet|pattern)',
    '\\b(?:write|fix|debug|refactor|implement|review) (?:a |an |the |this |my |some )?(?:\\w{1,20} )?' +
      '(?:function|code|script|program|class|method|query|tests?|bug|algorithm|regex)\\b',
    '\\b(?:stack ?trace|compile error|unit tests?|pull request)\\b',
  ].join('|'),
  'i',
);

/** Options to choose from, each on a line of its own. */
const CHOICES = /^[ \t]{0,4}\(?A[.):] [^\n]{0,600}\n\s{0,4}\(?B[.):] /m;

/** Figures of mathematical problems are programs too. */
const DRAWING = /\[asy\]/;

/**
 * A price is written with a dollar sign too, so this goes by TeX's own marks: no space inside of them,
 * and no digit behind the second one. https://pandoc.org/MANUAL.html#math
 * What stands before the first mark of a formula has none, so that it is found in one way only.
 */
const FORMULA =
  /\[asy\]|\\(?:frac|sqrt|sum|int|cdot|times|le|ge|leq|geq|pi|theta|left|begin|text|binom|angle|equiv|pmod|log|infty|overline|dots|ldots)\b|\\[[(]|\$(?!\s)[^$\n\\^_=<>]{0,80}[\\^_=<>][^$\n]{0,160}(?<!\s)\$(?!\d)|\$-?[\w().,/+-]{1,16}\$(?!\d)|\b[a-z] ?\^ ?[\d{]/;

const MATHS = new RegExp(
  '\\b(?:prove that|theorem|polynomial|derivative|integral of|eigenvalue|matrix|modulo|congruent|' +
    'quadratic|hypotenuse|positive integers?|real numbers?|whole numbers?|prime (?:numbers?|factors?)|' +
    'perfect (?:squares?|cubes?)|divisible by|perimeter (?:of|is)|(?:each|every) vertex|vertices|arithmetic sequence|' +
    'geometric (?:sequence|series)|complex numbers?|solve for [a-z]\\b|perpendicular|' +
    'least common multiple|greatest common divisor|base \\d|' +
    'find the (?:value|sum|product|number|area|volume|remainder|smallest|largest|greatest|least|minimum|maximum))',
  'i',
);

const COUNTING =
  /\b(?:how (?:many|much|old|far|long|tall|fast|heavy|big)|what(?:['’]s| is| was| are| were| will be| would be) (?:the )?(?:total|average|combined|cost|price|percentage|probability|difference|ratio|sum|number|profit|amount|length|weight|distance|speed|age|measure)|what (?:percent|fraction|time)|in total|altogether|how (?:\w{1,12} ){1,2}(?:does|did|do|will|would|can|is|are|was|were|has|have)|calculate|find (?:the|how|his|her|their|its))\b/i;

const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|half|twice|double|triple|dozen|third|quarter)\b/i;

/** A short text with several numbers that ends in a question. */
const QUANTITIES = /^(?=[^\d]{0,600}\d)(?=.{0,900}\d\D{1,300}\d).{1,1200}\?\s{0,4}$/s;

const WRITING =
  /\b(?:write|draft|compose|rewrite|rephrase|paraphrase|proofread|summari[sz]e|translate|edit) |\b(?:essay|poem|story|e-?mail|cover letter|blog post|press release|headline|slogan|lyrics|tagline|haiku|screenplay)\b/i;
