/** Does what a key stands for. Those with Ctrl, Cmd or Alt are the editor's. */
export function actOnKey(event: KeyboardEvent, actions: ReadonlyMap<string, () => unknown>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = actions.get(event.key);
  if (!action) return;
  action();
  event.preventDefault();
  // VS Code acts on keys that reach the window.
  event.stopPropagation();
}
