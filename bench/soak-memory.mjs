/** Minutes from which growth says something. */
const LEAST_MINUTES = 4;
/** Parts of a shorter run, which has too few minutes for a line. */
const PARTS = 10;

/**
 * MB of growth in 100,000 requests, by least squares over the last four fifths of them. Of each minute
 * the least counts: above it is what has not been collected yet, a hundred MB from second to second.
 * Of a run of less than four minutes it is the least of each tenth.
 *
 * @param samples one a second: how many requests had been sent, and the memory then.
 * @returns NaN where there are too few.
 */
export function growth(samples) {
  const seconds = isShort(samples) ? Math.ceil(samples.length / PARTS) : 60;
  const parts = Object.values(Object.groupBy(samples, (_, second) => Math.floor(second / seconds)));
  const floors = parts.map((some) => some.reduce((a, b) => (b.mb < a.mb ? b : a)));
  const sent = samples.at(-1)?.requests ?? 0;
  const seen = floors.filter(({ requests }) => requests > sent / 5);
  const mean = (of) => seen.reduce((sum, sample) => sum + of(sample), 0) / seen.length;
  const [x, y] = [mean(({ requests }) => requests), mean(({ mb }) => mb)];
  const spread = mean(({ requests }) => (requests - x) ** 2);
  const slope = mean(({ requests, mb }) => (requests - x) * (mb - y)) / spread;
  return slope * 100_000;
}

/** The growth, in words. */
export function grown(samples) {
  const mb = growth(samples);
  if (!Number.isFinite(mb)) return 'not measurable in so short a run';
  // A megabyte of chance from one minute to the next is a hundred in 100,000 requests.
  const doubt = isShort(samples) ? ' while it warms up, which says little' : '';
  return `${mb.toFixed(2)} MB in 100,000 requests${doubt}`;
}

function isShort(samples) {
  return samples.length < LEAST_MINUTES * 60;
}
