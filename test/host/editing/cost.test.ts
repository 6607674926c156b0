import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  ConfigurationTarget,
  Range,
  TabInputWebview,
  window,
  workspace,
  type CodeLens,
  type Position,
  type Tab,
  type TextDocument,
  type Uri,
} from 'vscode';
import { CONVERSIONS } from '../../../protocol/src/catalog/conversions.ts';
import type { CostResult } from '../../../protocol/src/wire/cost-requests.ts';
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

  const panels = (): readonly Tab[] =>
    window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(({ input }) => input instanceof TabInputWebview && input.viewType.includes('parley.cost'));

  it('of the message at the cursor, of a selection and of a file is compared, in one panel', async () => {
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
      panels().map(({ label, group }) => [label, group.viewColumn]),
      [['Cost of cost.aicf', 2]],
    );
  });

  it('of a text that the server does not know is compared as well', async () => {
    const document = await openScratch('cost.json', `${RPC}\n`);
    made.push(document.uri);
    assert.deepEqual((await compare(document.uri)).slice(0, 3), [1, 'json-rpc', RPC.length]);
  });

  it('stands above each message while the user wants it', async () => {
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
