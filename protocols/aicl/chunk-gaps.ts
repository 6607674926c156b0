/** The maximum number of irregular numbers of a stream, and of gaps, that are listed. */
export const MAX_GAPS = 20;

/** Notes on the numbers that are missing before the last chunk of a stream: one for each gap. */
export function describeGaps(seen: ReadonlySet<number>): readonly string[] {
  const numbers = [...seen].sort((a, b) => a - b);
  const gaps: string[] = [];
  let before = 0;
  for (const number of numbers) {
    if (number === before + 2) gaps.push(`There is no chunk ${before + 1}`);
    else if (number > before + 2) gaps.push(`There are no chunks ${before + 1} to ${number - 1}`);
    before = number;
  }
  if (gaps.length <= MAX_GAPS) return gaps;
  return [...gaps.slice(0, MAX_GAPS), `${gaps.length - MAX_GAPS} more gaps are in its numbers`];
}
