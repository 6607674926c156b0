import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, ThemeIcon, TreeItemCollapsibleState, window } from 'vscode';
import {
  buildCallItem,
  buildRemarkItem,
  listRemarks,
  opensByItself,
} from '../../client/src/features/traces/view/call-item.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { foldTrace } from '../support/at-once.ts';
import { activateParley, closeEditors, sendRequest, showSample, waitFor } from './support/parley.ts';

describe('views', () => {
  afterEach(closeEditors);

  it('shows a call on the timeline', async () => {
    await activateParley();
    const sent = await sendRequest(await showSample('hello.aicf'), 'CALL|math.add');
    await commands.executeCommand('parley.openCall', sent?.call);
    const tab = await waitFor('the timeline', () =>
      window.tabGroups.all.flatMap(group => group.tabs).find(each => each.label === 'math.add · toolbox'),
    );
    assert.equal(tab.isActive, true);
  });

  it('goes from a call to its request', async () => {
    const hello = await showSample('hello.aicf');
    const sent = await sendRequest(hello, 'CALL|fail.always');
    await closeEditors();
    await commands.executeCommand('parley.openSource', sent?.call);
    const editor = window.activeTextEditor;
    assert.deepEqual(
      [editor?.document.uri.toString(), hello.lineAt(editor?.selection.active.line ?? 0).text],
      [hello.uri.toString(), 'CALL|fail.always|out of luck'],
    );
  });

  it('open the row of a call that failed, and say the reason first', () => {
    const common = { call: 'a', trace: 't', agent: 'down', protocol: 'aicf', title: 'LIST' } as const;
    const message = 'Tried POST http://x/, but nothing listens there';
    const rows = (['open', 'error', 'cancelled'] as const).map(status => {
      const end: TraceEvent[] = status === 'open' ? [] : [{ type: 'end', call: 'a', at: 5, status, message }];
      const node = foldTrace([{ type: 'call', at: 0, ...common }, ...end])[0]?.roots[0];
      assert.ok(node);
      const fold = opensByItself(node) ? 'opened' : 'leaf';
      const item = buildCallItem(node, { depthLimit: 5, fold });
      const remarks = listRemarks(node).map((remark, at) => buildRemarkItem(remark, 'a', at));
      const icons = remarks.map(({ iconPath }) => iconPath instanceof ThemeIcon && iconPath.id);
      return [item.id, item.collapsibleState, remarks.map(row => [row.label, row.tooltip]), icons];
    });
    assert.deepEqual(rows, [
      ['call:a', TreeItemCollapsibleState.None, [], []],
      ['opened:a', TreeItemCollapsibleState.Expanded, [['Nothing listens there', message]], ['error']],
      ['call:a', TreeItemCollapsibleState.None, [], []],
    ]);
  });

  it('starts the demo agents on request, and stops them', async () => {
    const addresses = await commands.executeCommand<Record<string, string>>('parley.startDemoAgents');
    assert.deepEqual(Object.keys(addresses), [
      'toolbox',
      'analyst',
      'storyteller',
      'oracle',
      'librarian',
      'courier',
      'curator',
      'herald',
      'chain',
      'loop',
    ]);
    const ask = (): Promise<string> =>
      fetch(addresses['toolbox'] ?? '', { method: 'POST', body: 'CALL|math.add|1|2' }).then(reply =>
        reply.text(),
      );
    assert.equal(await ask(), 'OK|{"sum":3}');
    await commands.executeCommand('parley.stopDemoAgents');
    await assert.rejects(ask);
  });
});
