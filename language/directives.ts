import { DIRECTIVES, type DirectiveName } from '../core/catalog/directives.ts';

/** The directives in the container lines above a request: values by name. */
export type Directives = Partial<Readonly<Record<DirectiveName, string>>>;

/** `# @var` is left out because it does not concern one request; see `readDefinition`. */
const KNOWN: ReadonlyMap<string, DirectiveName> = new Map(
  DIRECTIVES.flatMap(row => (row.name === 'var' ? [] : [[row.name, row.name]])),
);

/**
 * Reads one container line, such as `# @agent coder`, in JSON `// @agent coder`. Returns undefined if the line has no known directive:
 * it is then a comment for readers.
 */
export function readDirective(
  line: string,
): { readonly name: DirectiveName; readonly value: string } | undefined {
  const text = line.trim();
  const [start = '', word = ''] = /^(?:#|\/\/)\s*@([a-z]+)(?=\s|$)/.exec(text) ?? [];
  const name = KNOWN.get(word);
  return name ? { name, value: text.slice(start.length).trim() } : undefined;
}

/** Timeouts must be below this many seconds, so that they fit into a timer. */
const MAX_SECONDS = 1_000_000;

/**
 * Converts the seconds of `# @timeout` to milliseconds; undefined without the directive, `'wrong'` unless the
 * value is a plain decimal number above 0 and below a million.
 */
export function readTimeout(value: string | undefined): number | undefined | 'wrong' {
  if (value === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  return seconds > 0 && seconds < MAX_SECONDS ? seconds * 1000 : 'wrong';
}
