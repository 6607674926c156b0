import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  Position,
  TabInputCustom,
  TabInputWebview,
  window,
  workspace,
  type CodeLens,
  type Tab,
  type TextDocument,
  type Uri,
} from 'vscode';
import { NPY } from '../../../tensor/files/npy.ts';
import { readTensor } from '../../../tensor/read-tensor.ts';
import { ask, deleteScratch, openInFront, positionOf } from '../support/editor.ts';
import { closeEditors, sampleUri, waitFor } from '../support/parley.ts';

/** Four float32: 1, 2, 3 and 4; the payload is wrapped. */
const WRAPPED = '[t:float32:2,2:\n    004kL0000$\n    002Nh004kM\n  ]';

const TEXT =
  '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:tensor],\n  [s:msg_type]:[s:result],\n' +
  `  [s:data]:${WRAPPED}\n]\n`;

describe('tensors', () => {
  const made: Uri[] = [];

  async function open(name: string, content = TEXT): Promise<TextDocument> {
    const document = await openInFront(name, content);
    made.push(document.uri);
    return document;
  }

  afterEach(async () => {
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
  });

  function findTab(what: string, isIt: (tab: Tab) => boolean): Promise<Tab> {
    return waitFor(what, () => window.tabGroups.all.flatMap(group => group.tabs).find(isIt));
  }

  function isInspector({ input }: Tab): boolean {
    return input instanceof TabInputWebview && input.viewType.includes('parley.tensor');
  }

  it('are inspected from their lens, each in one inspector', async () => {
    const document = await open('tensor-lens.aicl');
    const lens = await ask('the Inspect lens', async () => {
      const lenses = await commands.executeCommand<CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        100,
      );
      return lenses.find(({ command }) => command?.command === 'parley.inspectTensor');
    });
    assert.equal(lens.range.start.line, positionOf(document, '[t:').line);
    const { command, arguments: args = [] } = lens.command ?? { command: '' };
    await commands.executeCommand(command, ...(args as unknown[]));
    const tab = await findTab('the inspector', found => isInspector(found) && found.isActive);
    assert.deepEqual([tab.label, tab.group.viewColumn, tab.isActive], ['data', 2, true]);
    await commands.executeCommand(command, ...(args as unknown[]));
    assert.equal(window.tabGroups.all.flatMap(group => group.tabs).filter(isInspector).length, 1);
  });

  it('take a value in their place, and Undo takes it back at once', async () => {
    const document = await open('tensor-edit.aicl');
    const change = { type: 'setValue', index: 3, value: '-0.5' };
    const problem = await commands.executeCommand(
      'parley.editTensor',
      document.uri.toString(),
      positionOf(document, '[t:'),
      change,
    );
    // -0.5 is 0xbf000000, little-endian 00 00 00 bf: the group is 191, which is 2 * 85 + 21.
    const edited = TEXT.replace('004kM', '0002L');
    assert.deepEqual([problem, document.getText()], [undefined, edited]);
    await window.showTextDocument(document);
    await commands.executeCommand('undo');
    assert.equal(document.getText(), TEXT);
  });

  it('are reshaped and cast, and say why they are not', async () => {
    const document = await open('tensor-cast.aicl');
    const edit = (change: unknown): Thenable<unknown> =>
      commands.executeCommand(
        'parley.editTensor',
        document.uri.toString(),
        positionOf(document, '[t:'),
        change,
      );
    const answers = [
      await edit({ type: 'reshape', shape: '3' }),
      await edit({ type: 'setValue', index: 0, value: 'many' }),
      await edit({ type: 'cast', dtype: 'uint8' }),
      await edit({ type: 'reshape', shape: '4, -1' }),
    ];
    assert.deepEqual(
      [typeof answers[0], typeof answers[1], answers[2], answers[3]],
      ['string', 'string', undefined, undefined],
    );
    assert.equal(document.getText(), TEXT.replace(WRAPPED, '[t:uint8:4,1:\n    0RjUA\n  ]'));
  });

  it('are changed in a file that no editor shows', async () => {
    const uri = sampleUri('tensor-unseen.aicl');
    await workspace.fs.writeFile(uri, new TextEncoder().encode(TEXT));
    made.push(uri);
    const line = TEXT.split('\n').findIndex(text => text.includes('[t:'));
    const problem = await commands.executeCommand(
      'parley.editTensor',
      uri.toString(),
      { line, character: '  [s:data]:['.length },
      { type: 'reshape', shape: '4' },
    );
    const document = await workspace.openTextDocument(uri);
    assert.deepEqual([problem, document.getText()], [undefined, TEXT.replace('float32:2,2', 'float32:4')]);
    await document.save();
  });

  it('are not inserted into another one, which would end both', async () => {
    const document = await open('tensor-inside.aicl');
    const insert = (further: number): Thenable<unknown> =>
      commands.executeCommand(
        'parley.insertTensor',
        document.uri.toString(),
        positionOf(document, '[t:', further),
        { fill: 'ones', dtype: 'uint8', shape: '4' },
      );
    const answers = [await insert(1), await insert(WRAPPED.length - 1)];
    const inside =
      'A tensor cannot be inserted into another one. Select all of that one to replace it, or put the cursor elsewhere.';
    assert.deepEqual([answers, document.getText()], [[inside, inside], TEXT]);
    assert.equal(await insert(0), undefined);
    assert.equal(document.getText(), TEXT.replace('[t:', '[t:uint8:4:0RaI4][t:'));
  });

  it('are inserted, as one edit', async () => {
    const before = TEXT.replace(WRAPPED, '');
    const document = await open('tensor-insert.aicl', before);
    const place = positionOf(document, '[s:data]:', '[s:data]:'.length);
    const insert = (what: unknown): Thenable<unknown> =>
      commands.executeCommand('parley.insertTensor', document.uri.toString(), place, what);
    const refused = await insert({ fill: 'zeros', dtype: 'float32', shape: '100000, 100000' });
    assert.match(String(refused), /37 GiB/);
    assert.equal(document.getText(), before);
    assert.equal(await insert({ fill: 'zeros', dtype: 'float32', shape: '2, 3' }), undefined);
    const zeros = `[t:float32:2,3:${'0'.repeat(30)}]`;
    assert.equal(document.getText(), before.replace('[s:data]:', `[s:data]:${zeros}`));
    await commands.executeCommand('undo');
    assert.equal(document.getText(), before);
  });

  it('are inserted wrapped where they are long, from a file too', async () => {
    const document = await open('tensor-insert-file.aicl', TEXT.replace(WRAPPED, ''));
    const place = positionOf(document, '[s:data]:', '[s:data]:'.length);
    const what = { uri: sampleUri('arrays/weights.npy').toString() };
    await commands.executeCommand('parley.insertTensor', document.uri.toString(), place, what);
    const lines = document.getText().split('\n');
    const at = lines.findIndex(line => line.includes('[t:'));
    assert.deepEqual(
      [lines[at], lines.slice(at + 1, -3).map(line => line.length), lines.at(-3)],
      ['  [s:data]:[t:float32:16,16:', [...Array<number>(10).fill(124), 84], '  ]'],
    );
    const start = document.getText().indexOf('[t:') + '[t:'.length;
    const tensor = readTensor(document.getText().slice(start, document.getText().indexOf(']', start)));
    const file = NPY.read(await workspace.fs.readFile(sampleUri('arrays/weights.npy')));
    assert.ok(file.kind === 'ok');
    assert.deepEqual([...(tensor?.bytes ?? [])], [...(file.tensors[0]?.tensor.bytes ?? [])]);
  });

  it('are exported as NumPy writes them', async () => {
    const document = await open('tensor-export.aicl');
    const target = sampleUri('exported.npy');
    made.push(target);
    await commands.executeCommand(
      'parley.exportTensor',
      document.uri.toString(),
      positionOf(document, '[t:'),
      target.toString(),
    );
    const bytes = await workspace.fs.readFile(target);
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
    const start = [
      0x93,
      ...new TextEncoder().encode('NUMPY'),
      1,
      0,
      118,
      0,
      ...new TextEncoder().encode(header),
    ];
    assert.deepEqual([...bytes.subarray(0, start.length)], start);
    assert.deepEqual([...bytes.subarray(128)], [0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64]);
    const read = NPY.read(new Uint8Array(bytes));
    assert.ok(read.kind === 'ok');
    assert.deepEqual(
      read.tensors.map(({ tensor }) => [tensor.dtype, tensor.shape]),
      [['float32', [2, 2]]],
    );
  });

  it('of a file open in an editor of their own', async () => {
    await commands.executeCommand('vscode.open', sampleUri('arrays/weights.npy'));
    const tab = await findTab('the editor of the file', ({ label }) => label === 'weights.npy');
    assert.ok(tab.input instanceof TabInputCustom);
    assert.deepEqual(
      [tab.input.viewType, tab.input.uri.toString()],
      ['parley.tensorFile', sampleUri('arrays/weights.npy').toString()],
    );
  });

  it('are asked for where the cursor is on none', async () => {
    const document = await open('tensor-none.aicl');
    await commands.executeCommand('parley.inspectTensor', document.uri.toString(), new Position(0, 0));
    assert.deepEqual(window.tabGroups.all.flatMap(group => group.tabs).filter(isInspector), []);
  });
});
