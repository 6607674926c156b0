/** The keys that move in a list, as actions. `move` moves by a number of rows; infinite ones go to the ends. */
export function listMoves(page: number, move: (by: number) => void): readonly [string, () => void][] {
  const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
  return Object.entries(steps).map(([key, by]) => [key, () => move(by)]);
}

/** Runs the action of a key. Keys with Ctrl, Cmd or Alt are left to the editor. */
export function actOnKey(event: KeyboardEvent, actions: ReadonlyMap<string, () => unknown>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = actions.get(event.key);
  if (!action) return;
  action();
  event.preventDefault();
  // VS Code also handles keys that reach the window.
  event.stopPropagation();
}
