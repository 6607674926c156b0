import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { Position, Range, WorkspaceEdit, commands, window, workspace, type TextDocument } from 'vscode';
import { RequestCalls } from '../../client/src/features/traces/timeline/request-calls.ts';
import { StoreSource } from '../../client/src/trace/store-source.ts';
import { TraceStore } from '../../client/src/trace/trace-store.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  sendRequest,
  showSample,
  waitFor,
} from './support/parley.ts';

function call(id: string, document: TextDocument, line: number): TraceEvent {
  const common = { type: 'call', trace: id, agent: 'toolbox', protocol: 'aicf', title: id } as const;
  return { ...common, call: id, at: line, source: { uri: document.uri.toString(), line } };
}

describe('calls of requests', () => {
  afterEach(closeEditors);

  it('are counted on the line that they were sent from, which moves with edits', async () => {
    const document = await openScratch('moving.aicf', 'PING\n\nPING\n\nPING\n');
    const traces = new TraceStore();
    const calls = new RequestCalls(new StoreSource(traces));
    const look = (): readonly unknown[] =>
      calls
        .provideCodeLenses(document)
        .map(({ range, command }) => [
          range.start.line,
          command?.title.replace(/^\S+\u00a0/, ''),
          calls.list(document.uri.toString(), range.start.line).map(node => node.call.call),
        ]);
    const reported = new Promise<void>(resolve => void calls.onDidChangeCodeLenses(() => resolve()));
    traces.add(call('one', document, 0));
    traces.add(call('three', document, 2));
    traces.add({ ...call('again', document, 2), at: 9 });
    traces.add(call('five', document, 4));
    await reported;
    const before = look();
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, new Position(2, 0), '\n\n');
    edit.delete(document.uri, new Range(3, 0, 4, 0));
    await workspace.applyEdit(edit);
    assert.deepEqual(
      [before, look()],
      [
        [
          [0, '1 call', ['one']],
          [2, '2 calls', ['again', 'three']],
          [4, '1 call', ['five']],
        ],
        [
          [0, '1 call', ['one']],
          [4, '2 calls', ['again', 'three']],
          [5, '1 call', ['five']],
        ],
      ],
    );
    const cleared = new Promise<void>(resolve => void calls.onDidChangeCodeLenses(() => resolve()));
    traces.clear();
    await cleared;
    assert.deepEqual(look(), []);
  });

  it('have no lens once their text is gone', async () => {
    const document = await openScratch('gone.aicf', 'PING\nLIST\nCALL|a\nCALL|b\nQUERY|c');
    const traces = new TraceStore();
    const calls = new RequestCalls(new StoreSource(traces));
    const lines = (): readonly number[] =>
      calls.provideCodeLenses(document).map(({ range }) => range.start.line);
    const reported = new Promise<void>(resolve => void calls.onDidChangeCodeLenses(() => resolve()));
    for (const line of [0, 1, 2, 3, 4]) traces.add(call(`c${line}`, document, line));
    await reported;
    assert.deepEqual(lines(), [0, 1, 2, 3, 4]);
    const change = async (range: Range, text: string): Promise<readonly number[]> => {
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, range, text);
      await workspace.applyEdit(edit);
      return lines();
    };
    // A deleted line, text in place of another, a text that is edited, and a last line that is emptied.
    assert.deepEqual(await change(new Range(1, 0, 2, 0), ''), [0, 1, 2, 3]);
    assert.deepEqual(await change(new Range(0, 0, 2, 0), 'OK|1\nCALL|a\n'), [1, 2, 3]);
    assert.deepEqual(await change(new Range(2, 5, 2, 6), 'bb'), [1, 2, 3]);
    assert.deepEqual(await change(new Range(3, 0, 3, 7), ''), [1, 2]);
    // A line that was changed while nobody looked has another text.
    const other = await openScratch('closed.aicf', 'LIST\n');
    const later = { ...call('later', other, 0), at: 20 };
    const again = new Promise<void>(resolve => void calls.onDidChangeCodeLenses(() => resolve()));
    traces.add(later);
    await again;
    const reopened = { uri: other.uri, lineCount: 1, lineAt: () => ({ text: 'PING' }) };
    assert.deepEqual(calls.provideCodeLenses(reopened as unknown as TextDocument), []);
    calls.dispose();
  });

  it('open on the timeline from the request', async () => {
    await activateParley();
    await commands.executeCommand('parley.clearTraces', 'unasked');
    const hello = await showSample('hello.aicf');
    await sendRequest(hello, 'CALL|math.add');
    const line = hello.positionAt(hello.getText().indexOf('CALL|math.add')).line;
    await commands.executeCommand('parley.showCalls', hello.uri.toString(), line);
    await waitFor('the timeline', () =>
      window.tabGroups.all.flatMap(group => group.tabs).find(tab => tab.label === 'math.add · toolbox'),
    );
  });
});
