import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentDiagnosticRequest,
  HoverRequest,
  type CompletionItem,
} from 'vscode-languageserver/node';
import { OPTIONS_CHANGED, REQUEST_AT } from '../../wire/server-messages.ts';
import { readOffset } from '../support/cursor.ts';
import { TestClient } from './support/test-client.ts';

const OPTIONS = {
  environment: [{ name: 'host', value: 'localhost', environment: 'dev' }],
  secrets: ['figma'],
};

const FILE = `# @city = Rome
# @name login
CALL|login
CALL|weather|{{city}}|{{host}}|{{login.data.id}}|{{secret figma}}|{{$uuid}}|{{other}}|{{ctiy}}
OK|{{city}}
`;

describe('variables over LSP', () => {
  let client: TestClient | undefined;

  async function open(text: string, initializationOptions: unknown = OPTIONS): Promise<[TestClient, string]> {
    client = await TestClient.start({ initializationOptions });
    return [client, await client.open('a.aicf', 'aicf', text)];
  }

  afterEach(async () => {
    await client?.stop();
    client = undefined;
  });

  /** The first place of a text in the file, and one character more. */
  function placeOf(text: string): { line: number; character: number } {
    const at = FILE.indexOf(text) + 1;
    const before = FILE.slice(0, at).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  }

  it('are reported if they cannot be resolved or are text, and again under another environment', async () => {
    const [{ connection }, uri] = await open(FILE);
    const look = async (): Promise<unknown> => {
      const report = await connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
      return report.kind === 'full' ? report.items.map(({ code, message }) => [code, message]) : report.kind;
    };
    const slips = [
      ['variable/unknown', "Nothing defines 'other': it is sent unchanged"],
      ['variable/unresolved', "There is no variable 'ctiy': did you mean 'city'?"],
    ];
    assert.deepEqual(await look(), slips);
    await connection.sendNotification(OPTIONS_CHANGED, { ...OPTIONS, environment: [] });
    while (JSON.stringify(await look()) === JSON.stringify(slips));
    assert.deepEqual(await look(), [
      ['variable/unknown', "Nothing defines 'host': it is sent unchanged"],
      ...slips,
    ]);
  });

  it('show what they stand for and where that comes from, and no secret', async () => {
    const [{ connection }, uri] = await open(FILE);
    const hover = async (text: string): Promise<unknown> => {
      const found = await connection.sendRequest(HoverRequest.type, {
        textDocument: { uri },
        position: placeOf(text),
      });
      return found && 'value' in (found.contents as object)
        ? (found.contents as { value: string }).value
        : found;
    };
    assert.deepEqual(
      [
        await hover('{{city'),
        await hover('{{host'),
        await hover('{{login'),
        await hover('{{secret'),
        await hover('{{other'),
        await hover('{{ctiy'),
      ],
      [
        '**city** (variable)\n\n`Rome`, from line 1.',
        '**host** (variable)\n\n`localhost`, from the environment dev.',
        '**login\\.data\\.id** (variable)\n\nA part of the last reply to the request `login` of this file. That request is sent first.',
        '**secret figma** (variable)\n\nA secret: you enter it once. It is stored outside of files, and masked wherever it is shown.',
        '**other** (variable)\n\nNothing defines it, so it is text and is sent unchanged.',
        "**ctiy** (variable)\n\nThe request is not sent like this. There is no variable 'ctiy': did you mean 'city'?",
      ],
    );
  });

  it('lead to the line that defines them', async () => {
    const [{ connection }, uri] = await open(FILE);
    const define = (text: string): Promise<unknown> =>
      connection.sendRequest(DefinitionRequest.type, { textDocument: { uri }, position: placeOf(text) });
    const name = (line: number, start: number, end: number): unknown => [
      { uri, range: { start: { line, character: start }, end: { line, character: end } } },
    ];
    assert.deepEqual(
      [await define('{{city'), await define('{{login'), await define('{{host'), await define('{{other')],
      [name(0, 3, 7), name(1, 8, 13), null, null],
    );
  });

  it('are proposed between the braces, with what closes them', async () => {
    const texts: readonly (readonly [string, string])[] = [
      ['# @city = Rome\nCALL|t|{{$0', '# @city = Rome\nCALL|t|{{city}}'],
      ['# @city = Rome\nCALL|t|{{ci$0}}|b', '# @city = Rome\nCALL|t|{{city}}|b'],
      ['# @city = Rome\nCALL|t|{{ci$0ty}}|b', '# @city = Rome\nCALL|t|{{city}}|b'],
      ['# @city = Rome\nCALL|t|{{$0|b', '# @city = Rome\nCALL|t|{{city}}|b'],
      ['# @city = Rome\n# @to = in {{$0', '# @city = Rome\n# @to = in {{city}}'],
    ];
    for (const [marked, wanted] of texts) {
      const { text, offset } = readOffset(marked);
      const [server, uri] = await open(text);
      const before = text.slice(0, offset).split('\n');
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const context = { triggerKind: 2 as const, triggerCharacter: '{' };
      const answer = await server.connection.sendRequest(CompletionRequest.type, {
        textDocument: { uri },
        position,
        context,
      });
      const items = answer as CompletionItem[];
      assert.deepEqual(
        items.map(({ label, detail }) => [label, detail]),
        [
          ['city', 'Rome (this file)'],
          ['host', 'localhost (dev)'],
          ['$uuid', 'A new random UUID (RFC 9562, version 4), another one in each place.'],
          ['$timestamp', 'The time of sending in whole seconds since 1970.'],
          ['$env', items.find(({ label }) => label === '$env')?.detail],
          ['secret figma', 'secret'],
          ['secret', 'a value that is never shown'],
          ['file', 'a file of the workspace, as Base64'],
        ],
      );
      const edit = items[0]?.textEdit;
      assert.ok(edit && 'range' in edit);
      const lines = text.split('\n');
      const line = lines[edit.range.start.line] ?? '';
      lines[edit.range.start.line] =
        line.slice(0, edit.range.start.character) + edit.newText + line.slice(edit.range.end.character);
      assert.equal(lines.join('\n'), wanted);
      await client?.stop();
      client = undefined;
    }
  });

  it('are proposed nowhere else: a brace alone asks for nothing', async () => {
    const [{ connection }, uri] = await open('CALL|t|{');
    const answer = await connection.sendRequest(CompletionRequest.type, {
      textDocument: { uri },
      position: { line: 0, character: 8 },
      context: { triggerKind: 2, triggerCharacter: '{' },
    });
    assert.deepEqual(answer, []);
  });

  it('are not needed for a credential in a request, which goes into a secret', async () => {
    const [{ connection }, uri] = await open('CALL|t|a|AUTH:abc\n', { ...OPTIONS, canSend: true });
    const at = { line: 0, character: 12 };
    const actions = await connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range: { start: at, end: at },
      context: { diagnostics: [], only: ['quickfix'] },
    });
    const title = 'Move it into a secret…';
    assert.deepEqual(
      actions?.map(action => [action.title, action.command]),
      [[title, { title, command: 'parley.moveCredential', arguments: [uri, { line: 0, character: 9 }] }]],
    );
  });

  it('go to the client with what their file defines, below # @literal they do not', async () => {
    const [{ connection }, uri] = await open(
      '# @a = 1\nCALL|t|{{a}}\n# @literal\nCALL|t|{{a}}\n# @name n\nCALL|t|{{n.data}}|{{z}}\n# @z = 2\n',
    );
    const scopeOf = async (line: number): Promise<unknown> => {
      const found: unknown = await connection.sendRequest(REQUEST_AT.method, {
        uri,
        position: { line, character: 0 },
      });
      return (found as { scope?: unknown }).scope;
    };
    const a = {
      name: 'a',
      value: '1',
      definition: { kind: 'variable', name: 'a', value: '1', span: { start: 3, end: 4 } },
    };
    const scope = { variables: [a], requests: ['n'], below: ['z'] };
    assert.deepEqual([await scopeOf(1), await scopeOf(3), await scopeOf(5)], [scope, undefined, scope]);
  });
});
