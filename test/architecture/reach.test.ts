import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readGraph, type Import } from '../../scripts/architecture/graph.ts';
import { ROOT } from '../../scripts/root.ts';

/** Every file that a file imports, directly or not, for types as well. */
function reachOf(graph: readonly Import[], start: string): readonly string[] {
  const reached = new Set([start]);
  // A set may grow while it is walked.
  for (const path of reached)
    for (const { from, target } of graph)
      if (from === path && target.kind === 'file') reached.add(target.path);
  reached.delete(start);
  return [...reached];
}

describe('what records bytes', () => {
  const graph = readGraph(ROOT);

  it('in call-tracker.ts depends on core, and on how bytes become events, alone', () => {
    const others = reachOf(graph, 'agents/call-tracker.ts').filter(path => !path.startsWith('core/'));
    assert.deepEqual(others, ['agents/small-chunks.ts', 'agents/stored-bytes.ts']);
  });

  it('in tracked.ts depends on no conversion', () => {
    const conversions = reachOf(graph, 'agents/tracked.ts').filter(path =>
      path.startsWith('protocols/convert/'),
    );
    assert.deepEqual(conversions, []);
  });

  it('a planted import is found, also behind another file', () => {
    const plant = (from: string, path: string): Import => {
      return { from, line: 1, specifier: path, target: { kind: 'file', path } };
    };
    const planted = [
      ...graph,
      plant('core/events/events.ts', 'agents/connection.ts'),
      plant('agents/connection.ts', 'protocols/convert/convert.ts'),
    ];
    const reached = reachOf(planted, 'agents/call-tracker.ts');
    assert.ok(reached.includes('protocols/convert/convert.ts'));
  });
});
