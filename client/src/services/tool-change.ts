import type { ToolChange, ToolInfo } from './agent-service.ts';

/** The difference between two tool lists of an agent; undefined if they are the same. */
export function compareTools(
  before: readonly ToolInfo[],
  after: readonly ToolInfo[],
): ToolChange | undefined {
  const old = new Map(before.map(tool => [tool.name, describe(tool)]));
  const names = new Set(after.map(tool => tool.name));
  const change = {
    added: [...names].filter(name => !old.has(name)),
    removed: [...old.keys()].filter(name => !names.has(name)),
    changed: after
      .filter(tool => old.has(tool.name) && old.get(tool.name) !== describe(tool))
      .map(tool => tool.name),
  };
  return Object.values(change).every(list => list.length === 0) ? undefined : change;
}

/** A summary of a change: `2 new, 1 gone, 1 changed`. */
export function summarizeChange({ added, removed, changed }: ToolChange): string {
  return [
    [added.length, 'new'],
    [removed.length, 'gone'],
    [changed.length, 'changed'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

function describe({ description, declaration, schema }: ToolInfo): string {
  return JSON.stringify([description, declaration, schema]);
}
