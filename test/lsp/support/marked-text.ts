import type { Position } from 'vscode-languageserver/node';

/** A text whose cursor `$0` marks, without the mark, and the cursor's position. */
export function readCursor(marked: string): { readonly text: string; readonly position: Position } {
  const at = marked.indexOf('$0');
  if (at < 0 || marked.indexOf('$0', at + 2) >= 0) {
    throw new Error(`readCursor: the text must hold one '$0': ${marked}`);
  }
  const before = marked.slice(0, at).split('\n');
  return {
    text: marked.slice(0, at) + marked.slice(at + 2),
    position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
  };
}
