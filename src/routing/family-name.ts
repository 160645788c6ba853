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

/** The longest of the families whose words the name has, in their order and next to each other. */
export function familyOf(name: string, families: Iterable<string>): string | undefined {
  const whole = `-${familyForm(name)}-`;
  let longest: string | undefined;
  for (const family of families) {
    if (family.length > (longest?.length ?? 0) && whole.includes(`-${family}-`)) longest = family;
  }
  return longest;
}
