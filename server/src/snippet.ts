/**
 * Converts a snippet to plain text: a tab stop becomes its default, a choice its first value, other tab stops
 * nothing, and an escaped character itself.
 */
export function plainOfSnippet(snippet: string): string {
  let text = snippet;
  // Defaults may contain tab stops, so the innermost ones are resolved first, level by level.
  for (let before = ''; before !== text;) {
    before = text;
    text = text
      .replace(/(?<!\\)\$\{\d+\|((?:\\.|[^,|\\])*)(?:,(?:\\.|[^|\\])*)?\|\}/g, '$1')
      .replace(/(?<!\\)\$\{\d+(?::((?:\\.|[^{}\\$])*))?\}/g, '$1')
      .replace(/(?<!\\)\$\d+/g, '');
  }
  return text.replace(/\\([\\$}|,])/g, '$1');
}
