import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  Range,
  TabInputText,
  ViewColumn,
  window,
  workspace,
  WorkspaceEdit,
  type TextDocument,
  type Uri,
} from 'vscode';
import { deleteScratch, openInFront, positionOf } from '../support/editor.ts';
import { closeEditors, waitFor } from '../support/parley.ts';

const TEXT =
  '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:texts],\n  [s:msg_type]:[s:result],\n' +
  '  [s:data]:[s:see [1\\u005D\n    there],\n  [s:more]:[s:one]\n]\n';

describe('texts in editors of their own', () => {
  const made: Uri[] = [];

  async function open(name: string, content = TEXT): Promise<TextDocument> {
    const document = await openInFront(name, content);
    made.push(document.uri);
    return document;
  }

  afterEach(async () => {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
  });

  /** Opens the AICL text that contains something. */
  async function edit(document: TextDocument, inside: string): Promise<TextDocument> {
    const problem = await commands.executeCommand(
      'parley.editText',
      document.uri.toString(),
      positionOf(document, inside, 1),
    );
    assert.equal(problem, undefined);
    const shown = window.activeTextEditor?.document;
    assert.equal(shown?.uri.scheme, 'parley-text');
    return shown;
  }

  async function replace(document: TextDocument, from: string, to: string): Promise<void> {
    const change = new WorkspaceEdit();
    change.replace(
      document.uri,
      new Range(positionOf(document, from), positionOf(document, from, from.length)),
      to,
    );
    assert.equal(await workspace.applyEdit(change), true);
  }

  it('are decoded beside their message, and written back when they are saved', async () => {
    const document = await open('texts-edit.aicl');
    const text = await edit(document, 'see');
    assert.deepEqual(
      [text.getText(), text.uri.path.split('/').at(-1), window.activeTextEditor?.viewColumn],
      ['see [1]\n    there', 'data.txt', ViewColumn.Two],
    );
    await replace(text, 'there', '[2]\nthere');
    assert.equal(document.getText(), TEXT);
    assert.equal(await text.save(), true);
    assert.deepEqual(
      [document.getText(), document.isDirty, text.isDirty],
      [TEXT.replace('there', '[2\\u005D\nthere'), true, false],
    );
    await document.save();
    // The same text has one editor.
    await edit(document, 'see');
    const tabs = window.tabGroups.all.flatMap(group => group.tabs);
    assert.equal(
      tabs.filter(({ input }) => input instanceof TabInputText && input.uri.scheme === 'parley-text').length,
      1,
    );
  });

  it('follow what changes in their message, before them and in them', async () => {
    const document = await open('texts-follow.aicl');
    const text = await edit(document, 'one');
    await replace(document, 'see', 'a longer text:');
    await replace(document, '[s:one', '[s:two and [3\\u005D one');
    await waitFor('the text', () => text.getText() === 'two and [3] one' || undefined);
    await replace(text, 'two', '2');
    assert.equal(await text.save(), true);
    assert.ok(document.getText().includes('[s:more]:[s:2 and [3\\u005D one]'), document.getText());
    await document.save();
  });

  it('are not written where both changed, nor into another text where they are gone', async () => {
    const document = await open('texts-gone.aicl');
    const text = await edit(document, 'one');
    await replace(text, 'one', 'mine');
    await replace(document, '[s:one', '[s:yours');
    const changed = document.getText();
    assert.equal(await text.save(), false);
    assert.deepEqual([document.getText(), text.getText(), text.isDirty], [changed, 'mine', true]);
    await replace(document, ',\n  [s:more]:[s:yours]', '');
    const without = document.getText();
    assert.equal(await text.save(), false);
    assert.equal(document.getText(), without);
    await document.save();
  });

  it('cannot be opened where there is none, nor where an editor would change them', async () => {
    const document = await open('texts-none.aicl', TEXT.replace('one', 'a\\u000Db'));
    const ask = (inside: string): Thenable<unknown> =>
      commands.executeCommand('parley.editText', document.uri.toString(), positionOf(document, inside));
    assert.equal(await ask('[s:more]'), 'Put the cursor into a text in an .aicl file, then try again.');
    assert.equal(
      await ask('a\\u000Db'),
      'This text contains carriage returns (\\u000D), which an editor turns into line feeds: edit it in its message.',
    );
  });
});
