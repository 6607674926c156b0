import { DIRECTIVES, type DirectiveName } from '../catalog/directives.ts';

/** What the container lines above a request say, by directive. */
export type Directives = Partial<Readonly<Record<DirectiveName, string>>>;

const KNOWN: ReadonlyMap<string, DirectiveName> = new Map(DIRECTIVES.map(row => [row.name, row.name]));

/**
 * Reads one container line, `# @agent coder`. Answers undefined for a line that holds no known directive:
 * any other container line is for people.
 */
export function readDirective(
  line: string,
): { readonly name: DirectiveName; readonly value: string } | undefined {
  const found = /^\s*#\s*@([a-z]+)(?:\s+(.*?))?\s*$/.exec(line);
  const name = KNOWN.get(found?.[1] ?? '');
  return name ? { name, value: found?.[2] ?? '' } : undefined;
}
