import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TraceRows } from '../../../client/src/trace/trace-rows.ts';
import { foldTrace } from '../../../protocol/src/trace/fold.ts';
import type { CallNode } from '../../../protocol/src/trace/tree.ts';

function node(trace: string, call: string): CallNode {
  const common = { type: 'call', agent: 'toolbox', protocol: 'aicf', title: call, at: 0 } as const;
  const [root] = foldTrace([{ ...common, trace, call }])[0]?.roots ?? [];
  assert.ok(root);
  return root;
}

describe('rows of traces', () => {
  it('stay the same objects while other traces go', () => {
    const rows = new TraceRows();
    const before = [rows.ofTrace('new'), rows.ofCall(node('new', 'b'), undefined)];
    assert.deepEqual(before, [
      { kind: 'trace', trace: 'new' },
      { kind: 'call', trace: 'new', call: 'b', parent: undefined },
    ]);
    rows.ofTrace('old');
    rows.ofCall(node('old', 'a'), undefined);
    rows.forget(['old']);
    const after = [rows.ofTrace('new'), rows.ofCall(node('new', 'b'), undefined)];
    assert.ok(before.every((row, at) => row === after[at]));
    assert.deepEqual([rows.find('a'), rows.find('b')], [undefined, before[1]]);
  });

  it('change where a call moves below another', () => {
    const rows = new TraceRows();
    rows.ofCall(node('t', 'b'), undefined);
    assert.deepEqual(rows.ofCall(node('t', 'b'), 'a'), { kind: 'call', trace: 't', call: 'b', parent: 'a' });
  });
});
