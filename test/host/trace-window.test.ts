import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { commands, TabInputCustom, TabInputWebview, window, type CodeLens, type Tab } from 'vscode';
import type { RecordingStart } from '../../client/src/services/recording-service.ts';
import { ask, deleteScratch } from './support/editor.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  sampleUri,
  sendRequest,
  showSample,
  waitFor,
  until,
} from './support/parley.ts';

const RECORDED = [
  '{"format":"agenttrace","version":1}',
  '{"type":"call","call":"f1","trace":"t1","at":1000,"agent":"planner","protocol":"aicf","title":"plan"}',
  '{"type":"wire","call":"f1","at":1001,"direction":"out","bytes":{"text":"CALL|plan"}}',
  '{"type":"end","call":"f1","at":1003,"status":"ok"}',
  '',
].join('\n');

/** Every file of the window's folder, with what it holds. */
async function readFolder(): Promise<ReadonlyMap<string, string>> {
  const folder = sampleUri('').fsPath;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.toSorted().map(async path => [path, (await readFile(path)).toString('base64')] as const),
    ),
  );
}

function findTab(what: string, isIt: (tab: Tab) => boolean): Promise<Tab> {
  return waitFor(what, () => window.tabGroups.all.flatMap(group => group.tabs).find(isIt));
}

function isPage(tab: Tab, viewType: string): boolean {
  return tab.input instanceof TabInputWebview && tab.input.viewType.includes(viewType);
}

describe('traces in a window', () => {
  afterEach(closeEditors);

  it('write nothing into the folder, however they are made and looked at', async () => {
    const api = await activateParley();
    const { uri } = await openScratch('kept.agenttrace.jsonl', RECORDED);
    const before = await readFolder();
    const sent = await sendRequest(await showSample('hello.aicf'), 'LIST');
    assert.ok(sent);
    const addresses: string[] = [];
    for (const agent of ['toolbox', 'clerk']) {
      const how = { agent, options: ['guard'] };
      const started = await commands.executeCommand<RecordingStart>('parley.recordAgent', how);
      assert.ok(started.ok, JSON.stringify(started));
      addresses.push(started.recording.address);
    }
    const reply = await fetch(addresses[0] ?? '', { method: 'POST', body: 'LIST' });
    assert.match(await reply.text(), /^TOOLS\|/);
    const isSeen = (): boolean =>
      api
        .traces()
        .some(({ roots: [root] }) => root?.call.seen === 'between' && root.call.agent === 'toolbox');
    await until('the recorded call', isSeen);
    await commands.executeCommand('parley.openCall', sent.call);
    await findTab('the timeline', tab => isPage(tab, 'parley.timeline'));
    await commands.executeCommand('vscode.open', uri);
    await findTab('the timeline of a file', ({ input }) => input instanceof TabInputCustom);
    assert.ok(await commands.executeCommand('parley.copyTrace', sent.call, 'markdown'));
    for (const agent of ['toolbox', 'clerk']) await commands.executeCommand('parley.stopRecording', agent);
    assert.deepEqual(await readFolder(), before);
    await deleteScratch(uri);
  });

  it('show a payload as a document, whose tensor opens in the inspector', async () => {
    const sent = await sendRequest(await showSample('hello.aicl'), '[s:embedding]');
    assert.ok(sent);
    await commands.executeCommand('parley.openReply', sent.call);
    const document = await waitFor('the reply', () => window.activeTextEditor?.document);
    await waitFor('its language', () => (document.languageId === 'aicl' ? true : undefined));
    const lens = await ask('the Inspect lens', async () => {
      const lenses = await commands.executeCommand<CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        100,
      );
      return lenses.find(({ command }) => command?.command === 'parley.inspectTensor');
    });
    const { command, arguments: args = [] } = lens.command ?? { command: '' };
    await commands.executeCommand(command, ...(args as unknown[]));
    const tab = await findTab('the inspector', found => isPage(found, 'parley.tensor'));
    assert.deepEqual([document.uri.scheme, tab.isActive], ['parley-reply', true]);
  });
});
