import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, Position, TabInputCustom, Uri, window, workspace, type TextDocument } from 'vscode';
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

  it("are shown from any file, in VS Code's own viewer, as files that nothing can write", async () => {
    const shown = (): readonly Uri[] =>
      window.tabGroups.all
        .flatMap(group => group.tabs)
        .flatMap(({ input }) =>
          input instanceof TabInputCustom && input.viewType === 'imagePreview.previewEditor'
            ? [input.uri]
            : [],
        );
    const waitForTab = (name: string): Promise<Uri> =>
      waitFor(`the tab of ${name}`, () => shown().find(uri => uri.path.endsWith(`/${name}`)));
    const { uri } = await open('media.json', `[${PICTURE},\n{"raw":"iVBORw0KGgo=","filename":"sky.png"}]`);
    await commands.executeCommand('parley.showMedia', uri, new Position(0, 0));
    const first = await waitForTab('image.png');
    await commands.executeCommand('parley.showMedia', uri, new Position(1, 12));
    const second = await waitForTab('sky.png');
    assert.deepEqual(shown().map(String), [String(second)]);
    const { fs } = workspace;
    assert.equal(btoa(String.fromCharCode(...(await fs.readFile(second)))), 'iVBORw0KGgo=');
    await assert.rejects(async () => fs.readFile(first), /./);
    await assert.rejects(async () => fs.writeFile(second, new Uint8Array(1)), /./);
    await assert.rejects(async () => fs.delete(second), /./);
    await commands.executeCommand('parley.showMedia', uri, new Position(5, 0));
    assert.deepEqual(shown().map(String), [String(second)]);
  });
});
