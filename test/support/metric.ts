/**
 * The value of a series as `/metrics` shows it; 0 while a metric has none with these labels.
 *
 * @throws where there is no metric of that name, which would be 0 for ever.
 */
export async function metric(gateway: { readonly url: string }, series: string): Promise<number> {
  const lines = (await (await fetch(`${gateway.url}/metrics`)).text()).split('\n');
  const [name = ''] = series.split('{');
  const whole = name.replace(/_(count|sum|bucket)$/, '');
  const isKnown = lines.some(
    (each) => each.startsWith(`# TYPE ${name} `) || each === `# TYPE ${whole} histogram`,
  );
  if (!isKnown) throw new Error(`there is no metric ${name}`);
  const line = lines.find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
