import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, languages, Selection, TabInputWebview, window, workspace, type CodeLens } from 'vscode';
import type { ParleyApi } from '../../client/src/extension.ts';
import type { SentMany } from '../../client/src/features/send/send-many.ts';
import {
  activateParley,
  closeEditors,
  openScratch,
  sendRequest,
  showSample,
  waitFor,
} from './support/parley.ts';

const BROKEN = `// @agent librarian
{ "method": "tools/list" "id": 1 }
`;

/** The titles of the tabs with pages of replies, without durations. */
function pagesOfReplies(): readonly string[] {
  const tabs = window.tabGroups.all.flatMap(group => group.tabs);
  const pages = tabs.filter(
    ({ input }) => input instanceof TabInputWebview && /parley\.reply/.test(input.viewType),
  );
  return pages.map(({ label }) => label.replace(/ · .*/, ''));
}

describe('requests in JSON', () => {
  let parley: ParleyApi;

  before(async () => {
    parley = await activateParley();
  });

  beforeEach(() => commands.executeCommand('parley.clearTraces', 'unasked'));
  afterEach(closeEditors);

  it('are a language of their own, and their reply is shown in its page', async () => {
    const file = await showSample('hello.mcp.jsonc');
    assert.equal(file.languageId, 'agent-json');
    const sent = await sendRequest(file, '{\n  "method": "tools/call"');
    assert.equal(sent?.outcome.status, 'ok', sent?.outcome.message);
    await waitFor('the page of the reply', () => pagesOfReplies()[0]);
    assert.deepEqual(pagesOfReplies(), ['text.reverse ok']);
    assert.ok(sent.reply);
    assert.match((await workspace.openTextDocument(sent.reply)).getText(), /emoR ot pirt A/);
    await commands.executeCommand('parley.readReply', sent.call);
    assert.deepEqual(pagesOfReplies(), ['text.reverse ok']);
    const [node] = parley.traces()[0]?.roots ?? [];
    assert.deepEqual([node?.call.agent, node?.call.title], ['librarian', 'text.reverse']);
  });

  it('continue a conversation, and a stream is stored as its events', async () => {
    const file = await showSample('hello.responses.jsonc');
    const sent = await sendRequest(file, '{ "model": "oracle-1", "input": "What');
    assert.ok(sent?.reply, sent?.outcome.message);
    await waitFor('the page of the reply', () => pagesOfReplies()[0]);
    assert.match((await workspace.openTextDocument(sent.reply)).getText(), /^(?:event|data): /);
    const next = await sendRequest(file, '{ "model": "oracle-1", "input": "And');
    assert.equal(next?.outcome.status, 'ok');
    const node = parley
      .traces()
      .flatMap(({ roots }) => roots)
      .find(({ call }) => call.call === next.call);
    const out = node?.wire
      .filter(({ direction }) => direction === 'out')
      .map(({ bytes }) => JSON.stringify(bytes))
      .join('');
    assert.match(out ?? '', /previous_response_id/);
  });

  it('with errors are underlined and not sent', async () => {
    const file = await openScratch('broken.mcp.jsonc', BROKEN);
    await window.showTextDocument(file);
    const [problem] = await waitFor('the diagnostics', () => {
      const found = languages.getDiagnostics(file.uri);
      return found.length > 0 ? found : undefined;
    });
    assert.equal(file.getText(problem?.range), '"id"');
    assert.equal(await sendRequest(file, '{ "method"'), undefined);
    assert.deepEqual(parley.traces(), []);
  });

  it('are sent from a fenced block of Markdown', async () => {
    const text = 'Ask the server:\n\n```mcp\n// @agent librarian\n{"method": "tools/list"}\n```\n';
    const editor = await window.showTextDocument(await openScratch('page.md', text));
    editor.selection = new Selection(4, 0, 4, 0);
    const lenses = await commands.executeCommand<CodeLens[]>(
      'vscode.executeCodeLensProvider',
      editor.document.uri,
    );
    assert.deepEqual(
      lenses.map(({ range, command }) => [range.start.line, command?.command]),
      [[2, 'parley.sendText']],
    );
    const done = await commands.executeCommand<SentMany>('parley.sendText');
    assert.deepEqual(
      done.sent.map(({ title, outcome }) => [title, outcome.status]),
      [['tools/list', 'ok']],
    );
  });

  it('are written for a call of a trace, and sent again as they were', async () => {
    const sent = await sendRequest(await showSample('hello.mcp.jsonc'), '{\n  "method": "tools/call"');
    const text = await commands.executeCommand<string>('parley.writeJsonCall', sent?.call);
    assert.match(text, /^\/\/ @agent librarian\n\{\n {2}"/);
    const file = window.activeTextEditor?.document;
    assert.ok(file);
    assert.match(file.uri.path, /librarian\.mcp\.jsonc$/);
    const again = await sendRequest(file, '{\n');
    assert.equal(again?.outcome.text.includes('emoR ot pirt A'), true, again?.outcome.message);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
