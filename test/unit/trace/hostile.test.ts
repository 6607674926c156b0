import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { TRACE_FORMATS } from '../../../trace/export/trace-formats.ts';
import { stateOf } from '../../../trace/fold/call-state.ts';
import { findCriticalPath } from '../../../trace/graph/critical-path.ts';
import { exportTraceText } from '../../../trace/export/export.ts';
import { printTraceHeader } from '../../../trace/file.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { layOutGraph } from '../../../trace/graph/graph-layout.ts';
import { importTrace } from '../../../trace/import/import.ts';
import { makeSequenceDiagram } from '../../../trace/graph/sequence-diagram.ts';
import { addUp } from '../../../trace/graph/totals.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { hostileLines } from './support/hostile-lines.ts';
import { NODE_READER, wholeOf } from './support/node-reader.ts';
import { makeCallGraph, parseTraceFile } from '../../support/at-once.ts';
import { itAtFullSize, runs } from '../../support/size.ts';

const RUNS = runs(200);
const HEADER = printTraceHeader('hostile');

function foldText(text: string): TraceFold {
  const imported = importTrace(text, ALL_PROTOCOLS);
  assert.ok(imported.ok, imported.ok ? '' : imported.error);
  const fold = new TraceFold();
  for (const event of imported.events) fold.add(event);
  return fold;
}

/** All calls of trees, each in one place and below its parent. */
function listNodes(trees: readonly TraceTree[]): readonly CallNode[] {
  const nodes: CallNode[] = [];
  for (const { roots, size } of trees) {
    const before = nodes.length;
    const open = roots.map(node => ({ node, parent: undefined as CallNode | undefined }));
    for (let next = open.pop(); next; next = open.pop()) {
      assert.equal(next.node.parent, next.parent);
      nodes.push(next.node);
      for (const child of next.node.children) open.push({ node: child, parent: next.node });
    }
    assert.equal(nodes.length - before, size);
  }
  assert.equal(new Set(nodes.map(({ call }) => call.call)).size, nodes.length);
  return nodes;
}

/** Asserts that no number of a value is one that JSON has no word for: it would come to a view as null. */
function assertPlain(value: unknown, name: string): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), `${name} is ${value}`);
  if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) assertPlain(member, `${name}.${key}`);
}

describe('a hostile trace', () => {
  it('keeps every call that is one, once, and tells views plain numbers', () => {
    fc.assert(
      fc.property(hostileLines, drawn => {
        const text = HEADER + drawn.join('\n');
        const { events } = parseTraceFile(text);
        const calls = new Set(events.flatMap(event => (event.type === 'call' ? [event.call] : [])));
        const trees = foldText(text).trees();
        const nodes = listNodes(trees);
        assert.deepEqual(new Set(nodes.map(({ call }) => call.call)), calls);
        for (const node of nodes) {
          const state = stateOf(node);
          assertPlain(state, 'state');
          assert.deepEqual(state.notes ?? [], node.notes);
        }
      }),
      { numRuns: RUNS },
    );
  });

  /** Tells so many names of a call, and how many it has then. */
  function countNames(reported: number): number | undefined {
    const call = { call: 'c', trace: 't', at: 1, agent: 'a', protocol: 'aicf', title: 'x' } as const;
    const names = Array.from({ length: reported }, (_, at) => ({ scheme: 'a2a', trace: `t${at}` }) as const);
    const fold = new TraceFold();
    fold.add({ type: 'call', ...call });
    fold.add({ type: 'identity', call: 'c', at: 2, names });
    return fold.find('c')?.names.length;
  }

  it('may tell many names of a call', () => assert.equal(countNames(3_000), 3_001));

  itAtFullSize('may tell more of a call than an engine takes as arguments', () =>
    assert.equal(countNames(300_000), 300_001),
  );

  it('is drawn as a graph, a sequence, totals and a critical path', () => {
    fc.assert(
      fc.property(hostileLines, drawn => {
        for (const { roots, size } of foldText(HEADER + drawn.join('\n')).trees()) {
          const whole = wholeOf(roots);
          const graph = makeCallGraph(whole);
          const counted = graph.edges.reduce((sum, edge) => sum + edge.calls.length, 0);
          assert.equal(counted, whole.length);
          const { boxes, columns, rows } = layOutGraph(graph);
          assertPlain([boxes.map(({ column, row }) => [column, row]), columns, rows], 'layout');
          assertPlain(
            graph.edges.map(({ duration }) => duration),
            'graph',
          );
          const totals = addUp(whole, NODE_READER);
          assert.equal(totals.all.calls, whole.length);
          assertPlain(totals, 'totals');
          const diagram = makeSequenceDiagram(whole);
          const open = whole.filter(({ state }) => state.status === 'open').length;
          assert.equal(diagram.length, 2 * whole.length - open);
          const path = findCriticalPath(roots, {
            at: node => node.call.at,
            until: node => NODE_READER.until(node),
            children: node => node.children,
          });
          assert.ok(path.length <= 2 * size + 1);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('is written in every format, and read again from those that can be read', async () => {
    await fc.assert(
      fc.asyncProperty(hostileLines, async drawn => {
        const fold = foldText(HEADER + drawn.join('\n'));
        const trees = fold.trees();
        const ids = listNodes(trees).map(({ call }) => call.call);
        for (const { name: format } of TRACE_FORMATS) {
          const text = await exportTraceText(format, {
            protocols: ALL_PROTOCOLS,
            trees,
            payload: call => Promise.resolve(fold.find(call)?.payload ?? []),
          });
          if (!['agenttrace', 'aio', 'otlp'].includes(format) || ids.length === 0) continue;
          const again = listNodes(foldText(text).trees()).map(({ call }) => call.call);
          assert.deepEqual([format, again.toSorted()], [format, ids.toSorted()]);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
