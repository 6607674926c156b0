/** Moves between lines that unfold with the arrow keys, and folds them, as in a tree. */
export function moveInRows(event: KeyboardEvent): void {
  const { target, currentTarget: root } = event;
  if (!(target instanceof HTMLElement) || !(root instanceof HTMLElement) || target.tagName !== 'SUMMARY')
    return;
  const fold = target.parentElement;
  if (event.ctrlKey || event.metaKey || event.altKey || !(fold instanceof HTMLDetailsElement)) return;
  if (event.key === 'ArrowRight' && !fold.open) fold.open = true;
  else if (event.key === 'ArrowLeft' && fold.open) fold.open = false;
  else if (event.key === 'ArrowLeft')
    fold.parentElement?.closest('details')?.querySelector('summary')?.focus();
  else if (event.key === 'ArrowDown') step(root, target, 1);
  else if (event.key === 'ArrowUp') step(root, target, -1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function step(root: HTMLElement, from: HTMLElement, by: number): void {
  const lines = [...root.querySelectorAll('summary')];
  lines[lines.indexOf(from) + by]?.focus();
}
