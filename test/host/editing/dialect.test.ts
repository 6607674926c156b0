import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  DiagnosticSeverity,
  EventEmitter,
  languages,
  window,
  workspace,
  type FoldingRange,
  type Hover,
  type LanguageStatusItem,
  type Memento,
  type TextDocument,
} from 'vscode';
import { DialectChoices } from '../../../client/src/language-client/dialect-choices.ts';
import { DisposableStore } from '../../../client/src/base/dispose.ts';
import { showDialect } from '../../../client/src/features/language/dialect-status.ts';
import type { DialectReadParams } from '../../../wire/server-messages.ts';
import { ask, deleteScratch, openInFront, outlineOf, positionOf } from '../support/editor.ts';
import { closeEditors, openScratch, waitForDiagnostics } from '../support/parley.ts';

const CONTEXT = '@SCHEMA\nA|B\n@DATA\n1|2\n1|2|3\n@OWN_NOTES:main:HIGH\nfree text\n';

describe('editing: AICF dialects', () => {
  let document: TextDocument | undefined;

  afterEach(async () => {
    await commands.executeCommand('parley.pickDialect', document?.uri, 'auto');
    await closeEditors();
    if (document) await deleteScratch(document.uri);
    document = undefined;
  });

  it('shows a context file by its sections, with information only', async () => {
    const { uri } = (document = await openInFront('memory.aicf', CONTEXT));
    assert.deepEqual(await outlineOf(uri), ['@SCHEMA', '@DATA', '@OWN_NOTES']);
    const folds = await commands.executeCommand<FoldingRange[]>('vscode.executeFoldingRangeProvider', uri);
    assert.deepEqual(
      folds.map(({ start, end }) => [start, end]),
      [
        [0, 1],
        [2, 4],
        [5, 6],
      ],
    );
    assert.deepEqual(
      (await waitForDiagnostics(uri)).map(({ message, severity }) => [message.slice(0, 21), severity]),
      [['The row has 3 columns', 2]],
    );
    const texts: string[] = [];
    for (const name of ['@DATA', '@OWN_NOTES']) {
      const [hover] = await commands.executeCommand<Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        positionOf(document, name, 2),
      );
      const [content] = hover?.contents ?? [];
      texts.push(typeof content === 'object' && 'value' in content ? content.value : '');
    }
    assert.match(texts[0] ?? '', /known section/);
    assert.match(texts[1] ?? '', /not among the known sections/);
  });

  it('reads a file as the dialect that is chosen for it, also after it was closed', async () => {
    const { uri } = (document = await openInFront('chosen.aicf', CONTEXT));
    await commands.executeCommand('parley.pickDialect', uri.toString(), 'rpc');
    // As messages the lines are wrong, as sections they are not. VS Code itself keeps outlines for a while.
    const hasErrors = (): boolean =>
      languages.getDiagnostics(uri).some(({ severity }) => severity === DiagnosticSeverity.Error);
    await ask('messages', async () => hasErrors() || undefined);
    await closeEditors();
    await ask('the file to be closed', async () => !hasErrors() || undefined);
    await window.showTextDocument(await workspace.openTextDocument(uri));
    await ask('messages', async () => hasErrors() || undefined);
    await commands.executeCommand('parley.pickDialect', uri, 'auto');
    await ask('sections', async () => !hasErrors() || undefined);
  });

  it('asks where no dialect is named', async () => {
    const { uri } = (document = await openInFront('asked.aicf', CONTEXT));
    const answers: Thenable<unknown>[] = [];
    // A list takes a moment to open, and nothing tells when it has: what came too early is done again.
    await ask('the choice', async () => {
      answers.push(commands.executeCommand('parley.pickDialect'));
      await new Promise(resolve => setTimeout(resolve, 300));
      await commands.executeCommand('workbench.action.quickOpenSelectNext');
      await commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      // VS Code itself keeps outlines for a while: as messages the lines are wrong.
      return (
        languages.getDiagnostics(uri).some(({ severity }) => severity === DiagnosticSeverity.Error) ||
        undefined
      );
    });
    // A list that opened after the choice was made is left.
    const closed = Promise.all(answers).then(() => true);
    await ask('the lists to close', async () => {
      await commands.executeCommand('workbench.action.closeQuickOpen');
      return Promise.race([closed, Promise.resolve(undefined)]);
    });
  });

  it('keeps what was chosen for the newest files, but not for one that was never saved', async () => {
    let stored: unknown = ['x', { uri: 'file:///a.aicf', dialect: 'none' }];
    const state = { get: () => stored, update: async (_: string, value: unknown) => void (stored = value) };
    const choices = new DialectChoices(state as unknown as Memento);
    assert.deepEqual(choices.all(), []);
    for (let file = 0; file < 201; file++) await choices.set(`file:///${file}.aicf`, 'rpc');
    await choices.set('file:///1.aicf', 'context');
    await choices.set('file:///2.aicf', undefined);
    assert.deepEqual(
      [0, 1, 2, 3].map(file => choices.find(`file:///${file}.aicf`)),
      [undefined, 'context', undefined, 'rpc'],
    );
    assert.equal(choices.all().length, 199);
    const untitled = await workspace.openTextDocument({ language: 'aicf', content: CONTEXT });
    await window.showTextDocument(untitled);
    const uri = untitled.uri.toString();
    await choices.set(uri, 'rpc');
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await ask('the choice to go', async () => (choices.find(uri) === undefined ? true : undefined));
    choices.dispose();
  });

  it('says beside the language which dialect a file is read in, and why', async () => {
    const shown: unknown[] = [];
    const item = { dispose: () => shown.push('end') } as unknown as LanguageStatusItem;
    const read = new EventEmitter<DialectReadParams>();
    const store = new DisposableStore();
    showDialect(store, item, read.event);
    const look = (): void => void shown.push([item.selector, item.text, item.detail]);
    document = await openScratch('status.aicf', CONTEXT);
    const uri = document.uri.toString();
    await window.showTextDocument(document);
    look();
    read.fire({ uri, dialect: 'context', reason: 'Because.' });
    look();
    read.fire({ uri: 'file:///other.aicf', dialect: 'rpc', reason: 'Not this one.' });
    read.fire({ uri, dialect: 'rpc', reason: 'Now so.' });
    look();
    store.dispose();
    read.dispose();
    const selector = { language: 'aicf' };
    assert.deepEqual(
      [item.command, shown],
      [
        { title: 'Change', command: 'parley.pickDialect' },
        [
          [[], undefined, undefined],
          [selector, 'AICF context', 'Because.'],
          [selector, 'AICF-RPC', 'Now so.'],
          'end',
        ],
      ],
    );
  });
});
