import { startOf } from '../../core/text/utf8.ts';

/** The maximum number of characters of a title. */
const LONGEST = 80;

/** A title on one line, shortened to 80 characters; undefined for one that is empty or missing. */
export function shortenTitle(title: string | undefined): string | undefined {
  const line = title
    ?.slice(0, LONGEST * 8)
    .replace(/\s+/g, ' ')
    .trim();
  if (line === undefined || line === '') return undefined;
  return line.length > LONGEST ? `${startOf(line, LONGEST - 1)}…` : line;
}
