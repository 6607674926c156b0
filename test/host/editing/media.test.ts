import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, Position, TabInputWebview, Uri, window, workspace, type TextDocument } from 'vscode';
import { deleteScratch, openInFront } from '../support/editor.ts';
import { closeEditors, waitFor } from '../support/parley.ts';

const HELLO = '{"type":"file","value":"aGVsbG8="}';
const PICTURE = '{"type":"image","value":"iVBORw0KGgo="}';

describe('files and pictures of messages', () => {
  const made: Uri[] = [];

  async function open(name: string, content: string): Promise<TextDocument> {
    const document = await openInFront(name, content);
    made.push(document.uri);
    return document;
  }

  afterEach(async () => {
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
  });

  it('are saved as the bytes that they are', async () => {
    const { uri } = await open('media.aicf', `OK|1\nOK|${HELLO}\n`);
    const target = Uri.joinPath(uri, '../media-saved.txt');
    made.push(target);
    const saved = await commands.executeCommand('parley.showMedia', uri, new Position(1, 0), target);
    assert.equal(String(saved), String(target));
    assert.equal(new TextDecoder().decode(await workspace.fs.readFile(target)), 'hello');
  });

  it('are shown from any file, in one panel', async () => {
    const panels = (): readonly string[] =>
      window.tabGroups.all
        .flatMap(group => group.tabs)
        .flatMap(({ input, label }) =>
          input instanceof TabInputWebview && input.viewType.includes('parley.media') ? [label] : [],
        );
    const { uri } = await open('media.json', `[${PICTURE},\n{"raw":"iVBORw0KGgo=","filename":"sky.png"}]`);
    await commands.executeCommand('parley.showMedia', uri, new Position(0, 0));
    await waitFor('the panel', () => panels().includes('Image') || undefined);
    await commands.executeCommand('parley.showMedia', uri, new Position(1, 12));
    await waitFor('its new title', () => panels().includes('sky.png') || undefined);
    assert.deepEqual(panels(), ['sky.png']);
    await commands.executeCommand('parley.showMedia', uri, new Position(5, 0));
    assert.deepEqual(panels(), ['sky.png']);
  });
});
