/** A text whose cursor `$0` marks, without the mark, and the cursor's offset. */
export function readOffset(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('$0');
  if (offset < 0 || marked.indexOf('$0', offset + 2) >= 0) {
    throw new Error(`readOffset: the text must hold one '$0': ${marked}`);
  }
  return { text: marked.slice(0, offset) + marked.slice(offset + 2), offset };
}
