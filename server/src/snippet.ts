/**
 * A snippet as plain text: a stop with a default becomes its default, a choice its first value, any other stop
 * nothing, and an escaped character itself.
 */
export function plainOfSnippet(snippet: string): string {
  let text = snippet;
  // Defaults can hold stops of their own, so the innermost ones are resolved first, level by level.
  for (let before = ''; before !== text;) {
    before = text;
    text = text
      .replace(/(?<!\\)\$\{\d+\|((?:\\.|[^,|\\])*)(?:,(?:\\.|[^|\\])*)?\|\}/g, '$1')
      .replace(/(?<!\\)\$\{\d+(?::((?:\\.|[^{}\\$])*))?\}/g, '$1')
      .replace(/(?<!\\)\$\d+/g, '');
  }
  return text.replace(/\\([\\$}|,])/g, '$1');
}
