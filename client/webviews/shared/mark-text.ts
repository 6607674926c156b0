/** The maximum number of marked places; more are of no use to people. */
export const MAX_MARKS = 1000;

/**
 * Marks all places of a text below some elements, as CSS highlights of this name, without changing the page.
 * `text` must be in lower case; an empty one removes the marks. Returns the marked places in order.
 */
export function markText(name: string, roots: Iterable<Element>, text: string): readonly Range[] {
  const marks: Range[] = [];
  for (const root of text === '' ? [] : roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && marks.length < MAX_MARKS; node = walker.nextNode()) {
      const content = (node.nodeValue ?? '').toLowerCase();
      for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + text.length)) {
        const range = document.createRange();
        // A character whose lower case is longer moves the places behind it.
        range.setStart(node, Math.min(at, node.nodeValue?.length ?? 0));
        range.setEnd(node, Math.min(at + text.length, node.nodeValue?.length ?? 0));
        marks.push(range);
      }
    }
  }
  CSS.highlights.set(name, new Highlight(...marks));
  return marks;
}
