import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  ConfigurationTarget,
  Position,
  Range,
  TabInputText,
  window,
  workspace,
  WorkspaceEdit,
  type CodeLens,
  type Tab,
  type TextDocument,
  type Uri,
} from 'vscode';
import { CONVERSIONS } from '../../../core/catalog/conversions.ts';
import type { CostResult } from '../../../wire/cost-requests.ts';
import { ask, deleteScratch, openInFront, positionOf } from '../support/editor.ts';
import { closeEditors, openScratch } from '../support/parley.ts';

const CALL = 'CALL|figma.getFile|abc123|1.0';
const REPLY = 'OK|{"name":"My Design"}';
const TEXT = `# before\n\n${CALL}\n${REPLY}\n\n# after\n`;
const RPC = '{"jsonrpc":"2.0","id":1,"method":"aip.capabilities.list"}';

describe('cost', () => {
  const made: Uri[] = [];

  async function open(name: string, content = TEXT): Promise<TextDocument> {
    const document = await openInFront(name, content);
    made.push(document.uri);
    return document;
  }

  afterEach(async () => {
    const section = workspace.getConfiguration('parley');
    await section.update('codeLens.tokens', undefined, ConfigurationTarget.Global);
    await section.update('tokens.encoding', undefined, ConfigurationTarget.Global);
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
  });

  /** Messages, then of the text as it is written: protocol, bytes, tokens. */
  async function compare(...args: readonly unknown[]): Promise<readonly unknown[]> {
    const result = await commands.executeCommand<CostResult>('parley.compareCost', ...args);
    assert.ok(result.ok, JSON.stringify(result));
    const { messages, rows } = result.table;
    const protocols = new Set(rows.map(({ protocol }) => protocol));
    assert.deepEqual(
      CONVERSIONS.filter(({ name }) => !protocols.has(name)),
      [],
    );
    return [messages, rows[0]?.protocol, rows[0]?.bytes, rows[0]?.tokens];
  }

  const shown = (): readonly Tab[] =>
    window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(({ input }) => input instanceof TabInputText && input.uri.scheme === 'parley-cost');

  /** Waits until the document that compares begins so. */
  const expectText = (beginning: string): Promise<true> =>
    ask(`a comparison that begins with ${beginning}`, () => {
      const open = workspace.textDocuments.find(({ uri }) => uri.scheme === 'parley-cost');
      return Promise.resolve(open?.getText().startsWith(beginning) ? true : undefined);
    });

  it('of the message at the cursor, of a selection and of a file is compared, in one document', async () => {
    const document = await open('cost.aicf');
    const uri = document.uri.toString();
    const place = positionOf(document, 'figma');
    assert.deepEqual(await compare(uri, { line: place.line, character: place.character }), [
      1,
      'aicf',
      CALL.length,
      13,
    ]);
    const select = (from: Position, to: Position): Thenable<unknown> =>
      window.showTextDocument(document, { viewColumn: 1, selection: new Range(from, to) });
    await select(positionOf(document, 'OK'), positionOf(document, 'OK'));
    assert.deepEqual(await compare(), [1, 'aicf', REPLY.length, 8]);
    await select(positionOf(document, 'abc123'), positionOf(document, 'name'));
    assert.deepEqual((await compare(document.uri)).slice(0, 3), [2, 'aicf', CALL.length + 1 + REPLY.length]);
    // Where the cursor is on no message, and from the Explorer.
    await select(positionOf(document, 'after'), positionOf(document, 'after'));
    const whole = [2, 'aicf', TEXT.length - 1];
    assert.deepEqual((await compare()).slice(0, 3), whole);
    assert.deepEqual((await compare(document.uri, [document.uri])).slice(0, 3), whole);
    assert.deepEqual(
      shown().map(({ label, group }) => [label, group.viewColumn]),
      [['Cost', 2]],
    );
    await expectText('`cost.aicf`: 2 messages, tokens of o200k_base\n\nProtocol ');
  });

  it('follows what is typed and the setting, and says why there is nothing to compare', async () => {
    const document = await open('cost-typed.aicf');
    await compare(document.uri.toString(), positionOf(document, 'figma'));
    await expectText('`cost-typed.aicf`, line 3: 1 message, tokens of o200k_base');
    const section = workspace.getConfiguration('parley');
    await section.update('tokens.encoding', 'cl100k_base', ConfigurationTarget.Global);
    await expectText('`cost-typed.aicf`, line 3: 1 message, tokens of cl100k_base');
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, new Position(0, 0), '# more\n');
    await workspace.applyEdit(edit);
    await expectText('`cost-typed.aicf`, line 4: 1 message');
    const rest = new WorkspaceEdit();
    rest.delete(document.uri, new Range(0, 0, document.lineCount, 0));
    await workspace.applyEdit(rest);
    await expectText('`cost-typed.aicf`, line 1: There is no message in the selection.');
  });

  it('is compared again where the document itself is asked, and given up with it', async () => {
    const document = await open('cost-again.aicf');
    const first = await compare(document.uri.toString(), positionOf(document, 'figma'));
    const uri = workspace.textDocuments.find(open => open.uri.scheme === 'parley-cost')?.uri;
    assert.ok(uri);
    await window.showTextDocument(uri);
    assert.deepEqual(await compare(), first);
    await window.tabGroups.close(shown());
    assert.equal(await commands.executeCommand('parley.compareCost', uri), undefined);
  });

  it('of a text that the server does not know is compared as well', async () => {
    const document = await openScratch('cost.json', `${RPC}\n`);
    made.push(document.uri);
    assert.deepEqual((await compare(document.uri)).slice(0, 3), [1, 'json-rpc', RPC.length]);
  });

  it('is above each message while the user wants it', async () => {
    const document = await open('cost-lens.aicf');
    const titles = async (): Promise<readonly string[]> => {
      const lenses = await commands.executeCommand<CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        100,
      );
      return lenses.flatMap(({ command }) =>
        command?.command === 'parley.compareCost' ? command.title : [],
      );
    };
    const expect = (expected: readonly string[]): Promise<true> =>
      ask(`${expected.length} token lenses`, async () =>
        JSON.stringify(await titles()) === JSON.stringify(expected) ? true : undefined,
      );
    assert.deepEqual(await titles(), []);
    await commands.executeCommand('parley.showTokenCounts');
    await expect(['13 tokens', '8 tokens']);
    await commands.executeCommand('parley.hideTokenCounts');
    await expect([]);
  });
});
