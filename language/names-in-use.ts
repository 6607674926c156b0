/** The maximum number of names that are proposed. */
export const MAX_NAMES = 100;
export const LONGEST_NAME = 200;

/** The different names of parts of a text, in their order. */
export function collectNames<Part>(parts: Iterable<Part>, nameOf: (part: Part) => string): readonly string[] {
  const names = new Set<string>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name.trim() !== '' && name.length <= LONGEST_NAME) names.add(name);
    if (names.size === MAX_NAMES) break;
  }
  return [...names];
}
