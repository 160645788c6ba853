/** The value of a series as `/metrics` shows it; 0 while there is none. */
export async function metric(gateway: { readonly url: string }, series: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
