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
