import { DIRECTIVES, type DirectiveName } from '../core/catalog/directives.ts';

/** What the container lines above a request say, by directive. */
export type Directives = Partial<Readonly<Record<DirectiveName, string>>>;

/** `# @var` is no word about one request: see `readDefinition`. */
const KNOWN: ReadonlyMap<string, DirectiveName> = new Map(
  DIRECTIVES.flatMap(row => (row.name === 'var' ? [] : [[row.name, row.name]])),
);

/**
 * Reads one container line, `# @agent coder`. Answers undefined for a line that holds no known directive:
 * any other container line is for people.
 */
export function readDirective(
  line: string,
): { readonly name: DirectiveName; readonly value: string } | undefined {
  const text = line.trim();
  const [start = '', word = ''] = /^#\s*@([a-z]+)(?=\s|$)/.exec(text) ?? [];
  const name = KNOWN.get(word);
  return name ? { name, value: text.slice(start.length).trim() } : undefined;
}

/** A time-out must be shorter than this many seconds, which timers can still wait for. */
const MOST_SECONDS = 1_000_000;

/**
 * The seconds that `# @timeout` gives, as milliseconds; undefined where it does not stand. A value that is no plain
 * decimal number above 0 and below a million is wrong.
 */
export function readTimeout(value: string | undefined): number | undefined | 'wrong' {
  if (value === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  return seconds > 0 && seconds < MOST_SECONDS ? seconds * 1000 : 'wrong';
}
