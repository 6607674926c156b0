import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, TabInputText, window, workspace, type Uri } from 'vscode';
import { GrowingBadges } from '../../client/src/features/replies/growing-badges.ts';
import { GrowingReplies } from '../../client/src/replies/growing-replies.ts';
import { LiveReply } from '../../client/src/replies/live-reply.ts';
import { ReplyDocuments } from '../../client/src/replies/reply-documents.ts';
import { TraceStore } from '../../client/src/trace/trace-store.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { activateParley, closeEditors, showSample, waitFor } from './support/parley.ts';

const OK = { status: 'ok', code: undefined, duration: 41, wire: [] } as const;

/** The tabs of replies, each with whether the next reply takes its place, by group. */
function describeTabs(): readonly string[] {
  return window.tabGroups.all.flatMap(({ viewColumn, tabs }) =>
    tabs
      .filter(({ input }) => input instanceof TabInputText && input.uri.scheme === 'parley-reply')
      .map(({ label, isPreview }) => `${viewColumn} ${label.split(' ')[0]}${isPreview ? ' preview' : ''}`),
  );
}

describe('replies', () => {
  let documents: ReplyDocuments;
  let growing: GrowingReplies;

  beforeEach(async () => {
    await activateParley();
    await showSample('hello.aicf');
    documents = new ReplyDocuments();
    growing = new GrowingReplies();
  });

  afterEach(async () => {
    await closeEditors();
    documents.dispose();
    growing.dispose();
  });

  /** A reply in a document, as those of agents of AICF are. */
  function open(title: string, language: LanguageId): LiveReply {
    const pages = {
      opensPage: () => false,
      grow: () => undefined,
      finish: () => Promise.resolve(),
      stay: () => undefined,
    };
    return new LiveReply({ replies: documents, growing, pages }, title, language);
  }

  /** A reply that is shown as it grows. */
  async function grow(title: string, ...pieces: readonly string[]): Promise<LiveReply> {
    const live = open(title, 'aicf');
    live.setCall(title);
    for (const piece of pieces) live.grow(piece);
    await waitFor(`the tab of ${title}`, () =>
      describeTabs().some(tab => tab.split(' ')[1] === title) ? true : undefined,
    );
    return live;
  }

  function findReply(title: string): Uri {
    const found = window.visibleTextEditors.find(({ document }) =>
      document.uri.path.startsWith(`/${title} `),
    );
    assert.ok(found);
    return found.document.uri;
  }

  async function textOf(uri: Uri | undefined): Promise<string> {
    assert.ok(uri);
    return (await workspace.openTextDocument(uri)).getText();
  }

  it('are not read as files whose ending their title has', async () => {
    const open = await workspace.openTextDocument(documents.add('Connection to x.md', '[y](command:z)'));
    assert.equal(open.languageId, 'plaintext');
  });

  it('join the pieces that came', async () => {
    const live = await grow('pieces', 'STREAM|1\n', 'STREAM|2\n');
    const [shown] = window.visibleTextEditors.filter(
      ({ document }) => document.uri.scheme === 'parley-reply',
    );
    assert.equal(shown?.document.getText(), 'STREAM|1\nSTREAM|2\n');
    assert.ok(shown);
    live.grow('END');
    await waitFor('the third piece', () => (/END$/.test(shown.document.getText()) ? true : undefined));
    assert.equal(shown.document.getText(), 'STREAM|1\nSTREAM|2\nEND');
    await live.finish('STREAM|1\nSTREAM|2\nEND', OK, 'protocol');
  });

  it('replace earlier ones that are no longer needed', async () => {
    for (const title of ['one', 'two']) {
      await open(title, 'aicf').finish('OK|1', OK, 'protocol');
    }
    assert.deepEqual(describeTabs(), ['2 two preview']);
  });

  it('leave one alone that still grows, and that one ends in its own place', async () => {
    const slow = await grow('slow', 'STREAM|1\n');
    const quick = await open('quick', 'aicf').finish('OK|1', OK, 'protocol');
    assert.deepEqual(describeTabs(), ['2 slow preview', '2 quick']);
    await slow.finish('STREAM|1\nEND', OK, 'protocol');
    await waitFor('the end of the growing tab', () => (describeTabs().length === 2 ? true : undefined));
    assert.deepEqual(describeTabs().toSorted(), ['2 quick', '2 slow preview']);
    assert.equal(await textOf(quick), 'OK|1');
  });

  it('stay behind what the user opened in front of them while they grew, and are whole once they are opened', async () => {
    const live = await grow('hidden', 'STREAM|1\n');
    const growingTab = findReply('hidden');
    const front = await workspace.openTextDocument({ content: 'in front' });
    await window.showTextDocument(front, { viewColumn: 2, preview: false });
    const whole = await live.finish('STREAM|1\nEND', OK, 'protocol');
    assert.equal(window.activeTextEditor?.document, front);
    const document = await workspace.openTextDocument(growingTab);
    await waitFor('the end', () => (document.getText().endsWith('END') ? true : undefined));
    assert.equal(growing.isEmpty, true);
    const shown = (): boolean =>
      window.visibleTextEditors.some(({ document }) => document.uri.toString() === whole?.toString());
    assert.equal(shown(), false);
    await window.showTextDocument(growingTab, { viewColumn: 2 });
    await waitFor('the whole reply', () => (shown() && describeTabs().length === 1 ? true : undefined));
    assert.equal(await textOf(whole), 'STREAM|1\nEND');
  });

  it('leave one alone that the user is in, and open beside it', async () => {
    await open('read', 'aicf').finish('OK|1', OK, 'protocol');
    await commands.executeCommand('workbench.action.focusSecondEditorGroup');
    await waitFor('focus in the reply', () =>
      window.activeTextEditor?.document.uri.scheme === 'parley-reply' ? true : undefined,
    );
    await open('next', 'aicf').finish('OK|2', OK, 'protocol');
    assert.deepEqual(describeTabs(), ['2 read preview', '2 next']);
  });

  it('are shown at the end where they could not be shown before', async () => {
    const live = open('broken', 'no such language' as LanguageId);
    live.setCall('broken');
    live.grow('<h1>');
    await new Promise<void>(resolve => growing.onDidChange(() => resolve()));
    assert.equal(await textOf(await live.finish('<h1>No</h1>', OK, 'foreign')), '<h1>No</h1>');
  });

  it('count as cut where they were stopped or broke off', async () => {
    const cut: unknown[] = [];
    for (const status of ['ok', 'error', 'cancelled', 'incomplete'] as const) {
      const live = open(status, 'aicf');
      const uri = await live.finish('STREAM|1', { ...OK, status }, 'protocol');
      cut.push([status, uri && documents.isCut(uri)]);
    }
    assert.deepEqual(cut, [
      ['ok', false],
      ['error', false],
      ['cancelled', true],
      ['incomplete', true],
    ]);
  });

  it('say in their tab how much came while they were paused, and show it when they go on', async () => {
    const traces = new TraceStore();
    const badges = new GrowingBadges(growing, traces);
    const live = await grow('paused', 'STREAM|1\n');
    const uri = findReply('paused');
    const badge = (of = uri): unknown => {
      const { badge, tooltip } = badges.provideFileDecoration(of) ?? {};
      return [badge, tooltip];
    };
    live.pause();
    const said = [badge()];
    live.grow('STREAM|2\n');
    await new Promise<void>(resolve => growing.onDidChange(() => resolve()));
    said.push(badge());
    const whole = await live.finish('STREAM|1\nSTREAM|2\nEND', OK, 'protocol');
    const retitled = findReply('paused paused ok');
    said.push(badge(retitled));
    const [held, tabs] = [await textOf(retitled), describeTabs()];
    await live.resume();
    assert.deepEqual(
      { said, held, tabs, whole: await textOf(whole), after: describeTabs(), isEmpty: growing.isEmpty },
      {
        said: [
          ['‖', 'paused'],
          ['‖', 'paused, 9 more characters'],
          ['‖', 'paused, 12 more characters to the end'],
        ],
        held: 'STREAM|1\n',
        tabs: ['2 paused preview'],
        whole: 'STREAM|1\nSTREAM|2\nEND',
        after: ['2 paused preview'],
        isEmpty: true,
      },
    );
    badges.dispose();
    traces.dispose();
  });

  it('are not held for a paused tab that is closed, before their end or after it', async () => {
    const early = await grow('early', 'STREAM|1\n');
    early.pause();
    await closeEditors();
    const shown = await early.finish('STREAM|1\nEND', OK, 'protocol');
    assert.deepEqual([describeTabs(), await textOf(shown)], [['2 early preview'], 'STREAM|1\nEND']);
    const late = await grow('late', 'STREAM|1\n');
    late.pause();
    await late.finish('STREAM|1\nEND', OK, 'protocol');
    assert.equal(growing.isEmpty, false);
    await closeEditors();
    await waitFor('the end of the tab', () => (growing.isEmpty ? true : undefined));
    assert.deepEqual(describeTabs(), []);
  });

  it('stay beside the next one if configured', async () => {
    const first = await grow('first', 'STREAM|1\n');
    first.stay();
    await first.finish('STREAM|1\n', { ...OK, status: 'cancelled' }, 'protocol');
    await open('second', 'aicf').finish('OK|1', OK, 'protocol');
    assert.deepEqual(describeTabs(), ['2 first', '2 second preview']);
  });

  it('are stored up to 50 million characters', () => {
    const uris = Array.from({ length: 4 }, () => documents.add('large', 'x'.repeat(15_000_000)));
    assert.deepEqual(
      uris.map(uri => documents.provideTextDocumentContent(uri).length > 1000),
      [false, true, true, true],
    );
  });
});
