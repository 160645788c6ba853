/**
 * A model's name in the form in which families are looked for: words joined by `-`, versions in parts.
 * `Qwen2.5-72B` and `qwen-2-5-72b` are one, and so are `deepseek-v4p1-flash` and `DeepSeek-V4.1-Flash`.
 */
export function familyForm(name: string): string {
  return name
    .toLowerCase()
    .replace(/(\d)p(?=\d)/g, '$1-')
    .replace(/([a-z])(?=\d)/g, '$1-')
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * The longest of the families whose words the name has, in their order and next to each other. A
 * distilled model is none of its teacher's family, which stands in front: `deepseek-r1-distill-qwen-32b`.
 */
export function modelFamily(name: string, families: Iterable<string>): string | undefined {
  const whole = `-${familyForm(name)}-`;
  const student = whole.replace(DISTILLED, '');
  let longest: string | undefined;
  for (const family of families) {
    const words = `-${family}-`;
    const isIn = student.includes(words) || (DISTILLED.test(words) && whole.includes(words));
    if (family.length > (longest?.length ?? 0) && isIn) longest = family;
  }
  return longest;
}

const DISTILLED = /^.*-distill(?:ed)?(?=-)/;
