import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, ThemeIcon, TreeItemCollapsibleState, window, type Memento, type TreeItem } from 'vscode';
import { CountedTokens } from '../../client/src/features/traces/view/counted-tokens.ts';
import { RecordedBadges } from '../../client/src/features/traces/view/recorded-badges.ts';
import { ShownCalls } from '../../client/src/features/traces/view/shown-calls.ts';
import { StoreSource } from '../../client/src/trace/store-source.ts';
import { TracePins } from '../../client/src/trace/trace-pins.ts';
import type { TraceRow } from '../../client/src/features/traces/view/trace-rows.ts';
import { TraceStore } from '../../client/src/trace/trace-store.ts';
import { TracesTree } from '../../client/src/features/traces/view/traces-tree.ts';
import type { CallEvent, TraceEvent } from '../../core/events/events.ts';
import { activateParley, closeEditors, sendRequest, showSample } from './support/parley.ts';

/** Later than the view's beginning, so that rows open by themselves. */
const NOW = Date.now() + 3_600_000;

function call(id: string, at: number, agent: string, more: Partial<CallEvent> = {}): CallEvent {
  const trace = more.trace ?? 'plan';
  return { type: 'call', call: id, at: NOW + at, agent, protocol: 'mcp', title: `ask ${id}`, ...more, trace };
}

/** What VS Code keeps for an extension in a workspace, in memory. */
function openMemento(): Memento {
  const stored = new Map<string, unknown>();
  return {
    keys: () => [...stored.keys()],
    get: <Value>(key: string, fallback?: Value) => (stored.get(key) as Value | undefined) ?? fallback,
    update: async (key: string, value: unknown) => void stored.set(key, value),
  };
}

function openTree(memento = openMemento()): {
  traces: TraceStore;
  source: StoreSource;
  pins: TracePins;
  shown: ShownCalls;
  counted: CountedTokens;
  tree: TracesTree;
  /** Adds events and answers which rows are drawn again. */
  readonly take: (...events: readonly TraceEvent[]) => Promise<readonly string[]>;
} {
  const pins = new TracePins(memento);
  const traces = new TraceStore(all => pins.tracesOf(all));
  const source = new StoreSource(traces);
  const shown = new ShownCalls(source);
  const counted = new CountedTokens();
  const tree = new TracesTree(source, pins, shown, counted);
  return {
    traces,
    source,
    pins,
    shown,
    counted,
    tree,
    take: (...events) =>
      new Promise(resolve => {
        const once = tree.onDidChangeTreeData(rows => {
          once.dispose();
          resolve(rows ? rows.map(row => row.kind + (row.kind === 'page' ? '' : ` ${row.call}`)) : ['all']);
        });
        for (const event of events) traces.add(event);
      }),
  };
}

function iconOf({ iconPath }: TreeItem): string {
  return iconPath instanceof ThemeIcon ? iconPath.id : '';
}

/** A description without the time of day. */
function withoutTime(description: string): string {
  return description.replace(/ · \d\d:\d\d:\d\d/, '');
}

/** The rows below one that are there at once. */
function childrenOf(tree: TracesTree, row: TraceRow | undefined): readonly TraceRow[] {
  const rows = tree.getChildren(row);
  assert.ok(Array.isArray(rows));
  return rows;
}

/** All rows that stand open, as lines. */
function draw(tree: TracesTree, row?: TraceRow, indent = ''): readonly string[] {
  return childrenOf(tree, row).flatMap(child => {
    const item = tree.getTreeItem(child);
    const isOpen = item.collapsibleState === TreeItemCollapsibleState.Expanded;
    const label = typeof item.label === 'string' ? item.label : '';
    const words = typeof item.description === 'string' ? `: ${withoutTime(item.description)}` : '';
    const more = item.collapsibleState === TreeItemCollapsibleState.Collapsed ? ' …' : '';
    const line = `${indent}(${iconOf(item)}) ${label}${words}${more}`;
    // Each row knows the one above it: VS Code finds the way to a row by that.
    for (const below of isOpen ? childrenOf(tree, child) : []) assert.equal(tree.getParent(below), child);
    return [line, ...(isOpen ? draw(tree, child, `${indent}  `) : [])];
  });
}

describe('traces view', () => {
  it('says what was counted of a call until more of it comes', async () => {
    const { tree, source, counted, take } = openTree();
    await take(call('a', 0, 'planner'));
    const node = source.find('a');
    assert.ok(node);
    const isDrawn = new Promise(resolve => tree.onDidChangeTreeData(resolve));
    counted.keep([[node, { input: 7, output: 1200 }]], 'o200k_base');
    await isDrawn;
    assert.deepEqual(draw(tree), ['(loading~spin) ask a: running · planner · ≈ 7 + 1,200 tokens']);
    await take({ type: 'wire', call: 'a', at: NOW + 5, direction: 'in', bytes: { text: 'more' } });
    assert.deepEqual(
      draw(tree).map(line => line.includes('≈')),
      [false],
    );
  });

  it('shows who called whom, the loops among them, and why a call failed', async () => {
    const { tree, take } = openTree();
    await take(
      call('old', -10, 'toolbox', { trace: 'sum' }),
      call('a', 0, 'planner'),
      call('b', 1, 'weather', { parent: 'a' }),
      call('c', 2, 'booker', { parent: 'a' }),
      call('d', 3, 'planner', { parent: 'c', source: { uri: 'file:///x.aicf', line: 3 } }),
      { type: 'end', call: 'b', at: NOW + 311, status: 'ok', usage: { input: 1200, output: 340 } },
      { type: 'end', call: 'c', at: NOW + 97, status: 'error', code: '422', message: 'No room is free' },
      { type: 'end', call: 'd', at: NOW + 50, status: 'cancelled' },
      { type: 'end', call: 'a', at: NOW + 1240, status: 'ok' },
    );
    assert.deepEqual(draw(tree), [
      '(pass) ask a: ok · 1.24 s · planner · 3 agents · 4 calls · 1,200 + 340 tokens',
      '  (pass) weather: ok · 310 ms · ask b · 1,200 + 340 tokens',
      '  (error) booker: error 422 · 95 ms · ask c',
      '    (error) No room is free',
      '    (circle-slash) ↻ planner: stopped · 47 ms · cycle: planner → booker → planner (depth 2 of 5) · ask d',
      '(loading~spin) ask old: running · toolbox',
    ]);
    const contexts = tree.getChildren().map(row => tree.getTreeItem(row).contextValue);
    assert.deepEqual(contexts, ['call.ok.top', 'call.open.top']);
  });

  it('shows a trace that the recursion guard stopped collapsed, and its reason once', async () => {
    const { tree, take } = openTree();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const message = 'Recursion limit reached: depth 6, limit 5';
    await take(
      ...ids.map((id, at) => call(id, at, 'loop', at === 0 ? {} : { parent: ids[at - 1] ?? '' })),
      ...ids.map((id): TraceEvent => ({ type: 'end', call: id, at: NOW + 9, status: 'error', message })),
    );
    assert.deepEqual(draw(tree), [
      '(error) ask a: error · 9 ms · recursion limit reached · loop · 1 agent · 7 calls …',
    ]);
    const top = tree.getChildren()[0];
    assert.deepEqual(
      draw(tree, top).map(line => line.trim().split(':')[0]),
      [...Array.from({ length: 6 }, () => '(error) ↻ loop'), '(error) Recursion limit reached'],
    );
  });

  it('shows a request that was not sent as such, and marks calls of other programs', async () => {
    const { tree, take } = openTree();
    await take(
      call('a', 0, 'toolbox'),
      { type: 'end', call: 'a', at: NOW + 3, status: 'cancelled', code: 'NOT_SENT', message: 'Not sent: no' },
      call('b', 1, 'toolbox', { trace: 'b', seen: 'between' }),
      call('c', 2, 'toolbox', { trace: 'c', reported: true }),
    );
    assert.deepEqual(draw(tree).slice(2), ['(circle-slash) ask a: not sent · 3 ms · toolbox …']);
    const rows = tree.getChildren();
    assert.deepEqual(
      draw(tree, rows[2]).map(line => line.trim()),
      ['(info) Not sent: no'],
    );
    const badges = new RecordedBadges();
    assert.deepEqual(
      rows.map(row => {
        const { resourceUri } = tree.getTreeItem(row);
        return resourceUri && badges.provideFileDecoration(resourceUri)?.badge;
      }),
      ['T', 'R', undefined],
    );
    badges.dispose();
  });

  it('opens a call to what came back for it, part by part, and reads that no sooner', async () => {
    const { tree, source, take } = openTree();
    const read: string[] = [];
    const payload = source.payload.bind(source);
    source.payload = call => {
      read.push(call);
      return payload(call);
    };
    const came = (id: string, at: number, text: string): TraceEvent => ({
      type: 'wire',
      call: id,
      at: NOW + at,
      direction: 'in',
      bytes: { text },
    });
    await take(
      call('a', 0, 'planner', { protocol: 'aicf' }),
      came('a', 5, 'STREAM|one\n'),
      call('b', 6, 'counter', { parent: 'a', protocol: 'aicl' }),
      came('b', 8, '[d:[s:msg_type]:[s:result],[s:data]:[s:x],[s:stream_id]:[s:x_1/2]]'),
      { type: 'end', call: 'b', at: NOW + 9, status: 'ok' },
      came('a', 10, 'STREAM|two\nEND'),
      { type: 'end', call: 'a', at: NOW + 20, status: 'ok' },
    );
    assert.deepEqual(draw(tree), [
      '(pass) ask a: ok · 20 ms · planner · 2 agents · 2 calls',
      '  (list-tree) Reply in parts: 2 chunks …',
      '  (pass) counter: ok · 3 ms · ask b …',
    ]);
    assert.deepEqual(read, []);
    const [top] = tree.getChildren();
    const [reply, below] = childrenOf(tree, top);
    assert.ok(reply && below);
    const describeRows = async (row: TraceRow): Promise<readonly (readonly unknown[])[]> =>
      (await tree.getChildren(row)).map(child => {
        const item = tree.getTreeItem(child);
        return [iconOf(item), item.label, item.description, item.accessibilityInformation?.label];
      });
    assert.deepEqual(await describeRows(reply), [
      ['pulse', 'Stream', 'onetwo · 5 ms', 'Stream, onetwo, 5 ms'],
    ]);
    assert.deepEqual(await describeRows(below), [
      ['pulse', 'Stream', 'x  x · incomplete', 'Stream, x  x, incomplete, Its last chunk did not arrive'],
    ]);
    const [stream] = await tree.getChildren(below);
    assert.ok(stream);
    assert.deepEqual(await describeRows(stream), [
      ['primitive-square', 'Chunk', '1 of 2  x', 'Chunk, 1 of 2  x'],
    ]);
    assert.deepEqual([tree.getParent(stream), read], [below, ['a', 'b', 'b']]);
  });

  it('draws only what changed, and keeps the rows of the rest', async () => {
    const { tree, take } = openTree();
    await take(call('a', 0, 'planner'), call('x', 1, 'toolbox', { trace: 'other' }));
    const before = tree.getChildren();
    assert.deepEqual(
      before.map(row => tree.getTreeItem(row).id),
      ['call:x', 'call:a'],
    );
    const drawn = [
      await take(call('b', 2, 'weather', { parent: 'a' })),
      await take({ type: 'note', call: 'x', at: NOW + 3, text: 'odd' }),
      await take(call('y', 4, 'toolbox', { trace: 'third' })),
    ];
    assert.deepEqual(drawn, [['call a'], ['call x'], ['all']]);
    const after = tree.getChildren();
    assert.deepEqual(
      after.map(row => tree.getTreeItem(row).id),
      // What was closed with nothing below it opens when something comes: by another id, for VS Code keeps it closed by its own.
      ['call:y', 'call:x', 'opened:a'],
    );
    assert.ok(before.every(row => after.includes(row)));
    // A child that is drawn is drawn alone with the summary of its trace.
    draw(tree);
    assert.deepEqual(await take({ type: 'end', call: 'b', at: NOW + 9, status: 'ok' }), ['call b', 'call a']);
  });

  it('keeps pinned traces on top, over a new window, and when others are dropped for want of room', async () => {
    const memento = openMemento();
    const { tree, take, pins, traces, source } = openTree(memento);
    const many = Array.from({ length: 501 }, (_, at) =>
      call(`m${at}`, 10 + at, 'toolbox', { trace: `m${at}` }),
    );
    await take(call('kept', 0, 'planner', { trace: 'kept' }), call('gone', 1, 'planner', { trace: 'gone' }));
    pins.pin('kept');
    await take(...many);
    const first = tree.getChildren()[0];
    assert.ok(first);
    const { description, contextValue } = tree.getTreeItem(first);
    assert.deepEqual(
      [withoutTime(String(description)), contextValue, traces.findCall('gone'), traces.trees().length],
      ['pinned · running · planner', 'call.open.top.pinned', undefined, 500],
    );
    assert.deepEqual(new TracePins(memento).calls, ['kept']);
    pins.unpin('kept', source);
    traces.add(call('last', 999, 'toolbox', { trace: 'last' }));
    assert.deepEqual([new TracePins(memento).calls, traces.findCall('kept')], [[], undefined]);
  });

  it('shows a thousand calls side by side, and the others in pages', async () => {
    const { tree, take } = openTree();
    const below = Array.from({ length: 2500 }, (_, at) => call(`c${at}`, 1 + at, 'weather', { parent: 'a' }));
    await take(call('a', 0, 'planner'), ...below);
    const [top] = tree.getChildren();
    assert.ok(top);
    const rows = childrenOf(tree, top);
    const pages = rows.slice(1000).map(row => tree.getTreeItem(row));
    const last = tree.find('c2499');
    assert.ok(last);
    assert.deepEqual(
      [
        tree.getTreeItem(top).collapsibleState,
        rows.length,
        pages.map(item => [item.label, item.description, item.collapsibleState]),
        childrenOf(tree, rows[1001]).length,
        tree.getParent(last) === rows[1001],
      ],
      [
        TreeItemCollapsibleState.Collapsed,
        1002,
        [
          ['1,000 more', '1,001 to 2,000', TreeItemCollapsibleState.Collapsed],
          ['500 more', '2,001 to 2,500', TreeItemCollapsibleState.Collapsed],
        ],
        500,
        true,
      ],
    );
  });

  it('shows what a filter finds, and nothing new while it is paused', async () => {
    const { tree, take, shown } = openTree();
    await take(
      call('a', 0, 'planner'),
      call('b', 1, 'weather', { parent: 'a' }),
      call('c', 2, 'booker', { parent: 'a' }),
    );
    shown.filter = '@agent:booker';
    assert.deepEqual(draw(tree), [
      '(loading~spin) ask a: running · planner · 3 agents · 3 calls',
      '  (loading~spin) booker: running · ask c',
    ]);
    shown.filter = '';
    shown.pause();
    const before = draw(tree);
    assert.deepEqual(await take(call('z', 9, 'toolbox', { trace: 'new' })), []);
    assert.deepEqual([draw(tree), tree.find('z')], [before, undefined]);
    shown.resume();
    assert.equal(draw(tree)[0], '(loading~spin) ask z: running · toolbox');
  });

  it('deletes one trace by its row, and opens what a call sent and what came back', async () => {
    const parley = await activateParley();
    const hello = await showSample('hello.aicf');
    const one = await sendRequest(hello, 'CALL|math.add');
    const two = await sendRequest(hello, 'CALL|fail.always');
    assert.ok(one && two);
    const roots = (): readonly string[] =>
      parley.traces().flatMap(tree => tree.roots.map(root => root.call.call));
    await commands.executeCommand('parley.pinTrace', { kind: 'call', call: one.call });
    await commands.executeCommand('parley.deleteTrace', { kind: 'call', call: two.call });
    assert.deepEqual([roots().includes(one.call), roots().includes(two.call)], [true, false]);
    await commands.executeCommand('parley.openRequest', one.call);
    const request = window.activeTextEditor?.document;
    await commands.executeCommand('parley.openReply', one.call);
    const reply = window.activeTextEditor?.document;
    assert.deepEqual(
      [request?.languageId, request?.getText().split('\n')[0], reply?.languageId, reply?.getText().trim()],
      ['aicf', 'CALL|math.add|19|23', 'aicf', 'OK|{"sum":42}'],
    );
    await commands.executeCommand('parley.deleteTrace', one.call);
    assert.equal(roots().includes(one.call), false);
    await closeEditors();
  });
});
