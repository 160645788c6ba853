/**
 * Names the documents of one request after their titles: Bedrock takes letters, digits, single
 * spaces, hyphens, parentheses and square brackets, and no name twice.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
export function documentNames(): (title: unknown) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (title) => {
    const clean = typeof title === 'string' ? cleaned(title) : '';
    const wanted = clean === '' ? 'document' : clean;
    let name = wanted;
    let count = counts.get(wanted) ?? 1;
    while (taken.has(name)) name = `${wanted} (${++count})`;
    counts.set(wanted, count);
    taken.add(name);
    return name;
  };
}

/** Bedrock takes 200 characters; some are left for the count. */
const LONGEST = 190;

function cleaned(title: string): string {
  const allowed = title.slice(0, LONGEST).replace(/[^a-zA-Z0-9()[\]-]+/g, ' ');
  return allowed.trim();
}
