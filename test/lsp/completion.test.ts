import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  CompletionRequest,
  CompletionResolveRequest,
  type ClientCapabilities,
  type CompletionItem,
  type CompletionList,
} from 'vscode-languageserver/node';
import { OPTIONS_CHANGED } from '../../wire/server-messages.ts';
import { explain } from '../../core/catalog/describe.ts';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

const TOOL = 'TOOL|make|Makes *it*|on:boolean|data:object\n';

/** What an editor like VS Code declares. */
const EDITOR: ClientCapabilities = {
  textDocument: {
    completion: {
      completionItem: {
        snippetSupport: true,
        commitCharactersSupport: true,
        documentationFormat: ['markdown', 'plaintext'],
        resolveSupport: { properties: ['documentation'] },
      },
    },
  },
};

let opened = 0;

async function ask(
  client: TestClient,
  language: string,
  marked: string,
  typed?: string,
): Promise<CompletionItem[] | CompletionList | null> {
  const { text, position } = readCursor(marked);
  const uri = await client.open(`${++opened}.${language}`, language, text);
  const context =
    typed === undefined ? {} : { context: { triggerKind: 2 as const, triggerCharacter: typed } };
  return client.connection.sendRequest(CompletionRequest.type, {
    textDocument: { uri },
    position,
    ...context,
  });
}

async function list(
  client: TestClient,
  language: string,
  marked: string,
  typed?: string,
): Promise<CompletionItem[]> {
  const found = await ask(client, language, marked, typed);
  assert.ok(Array.isArray(found));
  return found;
}

async function first(client: TestClient, language: string, marked: string): Promise<CompletionItem> {
  const [item] = await list(client, language, marked);
  assert.ok(item);
  return item;
}

describe('completion over the connection', () => {
  let editor: TestClient;
  let plain: TestClient;
  before(async () => {
    editor = await TestClient.start({ capabilities: EDITOR });
    plain = await TestClient.start({ capabilities: {} });
  });
  after(async () => {
    assert.deepEqual([...editor.log, ...plain.log], []);
    await editor.stop();
    await plain.stop();
  });

  it('a client that resolves gets the documentation of the proposal that it asks for', async () => {
    for (const [language, marked, code] of [
      ['aicf', 'ERR|$0', '400'],
      ['aicl', '[d:[s:msg_type]:[s:$0]]', 'task_request'],
    ] as const) {
      const item = await first(editor, language, marked);
      assert.equal(item.documentation, undefined);
      const resolved = await editor.connection.sendRequest(CompletionResolveRequest.type, item);
      assert.deepEqual(resolved, { ...item, documentation: { kind: 'markdown', value: explain(code) } });
    }
  });

  it('the documentation of a tool is the one of its document, none once that is closed', async () => {
    const item = await first(editor, 'aicf', `${TOOL}CALL|$0`);
    const resolved = await editor.connection.sendRequest(CompletionResolveRequest.type, item);
    assert.deepEqual(resolved.documentation, {
      kind: 'markdown',
      value: '```ts\nmake (on: boolean, data: object)\n```\n\nMakes \\*it\\*',
    });
    await editor.close(`file:///folder/${opened}.aicf`);
    assert.deepEqual(await editor.connection.sendRequest(CompletionResolveRequest.type, item), item);
  });

  it('what is not ours to resolve comes back as it is', async () => {
    for (const data of [
      undefined,
      null,
      7,
      'x',
      {},
      { uri: 1, topic: 2 },
      { uri: 'file:///no.aicf', topic: 'x' },
    ]) {
      const item = { label: 'x', data } as const;
      const resolved = await editor.connection.sendRequest(CompletionResolveRequest.type, item);
      assert.deepEqual(resolved, JSON.parse(JSON.stringify(item)));
    }
  });

  it('a client that declares nothing gets the documentation at once, and no snippet', async () => {
    const item = await first(plain, 'aicf', `${TOOL}CALL|make||$0`);
    assert.deepEqual(item, {
      label: '{"key":"value"}',
      kind: 12,
      detail: 'data: object',
      documentation: {
        kind: 'markdown',
        value:
          '**object** (argument type)\n\nA JSON object, such as `{"key":"value"}`. An empty field is absent.',
      },
      sortText: '0000 {"key":"value"}',
      insertTextFormat: 1,
      textEdit: {
        range: { start: { line: 1, character: 11 }, end: { line: 1, character: 11 } },
        newText: '{"key":"value"}',
      },
    });
  });

  it('a client that knows only plain text gets the documentation without marks', async () => {
    const capabilities = {
      textDocument: { completion: { completionItem: { documentationFormat: ['plaintext' as const] } } },
    };
    const terminal = await TestClient.start({ capabilities });
    const item = await first(terminal, 'aicf', `${TOOL}CALL|$0`);
    assert.deepEqual(item.documentation, {
      kind: 'plaintext',
      value: 'make (on: boolean, data: object)\n\nMakes *it*',
    });
    await terminal.stop();
  });

  it('characters that accept a proposal go to a client that knows them', async () => {
    assert.deepEqual((await first(editor, 'aicl', '[l:[b:$0]]')).commitCharacters, [']']);
    assert.equal((await first(plain, 'aicl', '[l:[b:$0]]')).commitCharacters, undefined);
  });

  it('a comma that is missing comes with the pair', async () => {
    const item = (await list(editor, 'aicl', '[d:\n  [s:x]:[i:1]\n  [$0\n]')).find(
      ({ label }) => label === 'msg_type',
    );
    const at = (line: number, character: number): object => ({ line, character });
    assert.deepEqual(
      [item?.textEdit, item?.additionalTextEdits, item?.filterText],
      [
        { range: { start: at(2, 2), end: at(2, 3) }, newText: '[s:msg_type]:[s:$1]' },
        [{ range: { start: at(1, 13), end: at(1, 13) }, newText: ',' }],
        '[s:msg_type]:[s:]',
      ],
    );
  });

  it('what is typed after a bracket finds a proposal that writes a comma first', async () => {
    const item = (await list(editor, 'aicl', '[d:[s:x]:[i:1][$0]')).find(({ label }) => label === 'msg_type');
    assert.equal(item?.filterText, '[msg_type');
  });

  it('a blank asks for nothing but values of directives', async () => {
    assert.deepEqual(await list(editor, 'aicl', '[d:\n $0', ' '), []);
    assert.deepEqual(
      (await list(editor, 'aicf', '# @agent one\n# @agent $0', ' ')).map(({ label }) => label),
      ['one'],
    );
  });

  it('the agents that the client names come first', async () => {
    const client = await TestClient.start({ initializationOptions: { agents: ['b', 7, 'a', 'used'] } });
    const named = async (): Promise<string[]> =>
      (await list(client, 'aicl', '# @agent used\n# @agent other\n# @agent $0')).map(({ label }) => label);
    assert.deepEqual(await named(), ['b', 'a', 'used', 'other']);
    await client.connection.sendNotification(OPTIONS_CHANGED, { canSend: false, agents: ['c'] });
    assert.deepEqual(await named(), ['c', 'other', 'used']);
    await client.stop();
  });

  it('a list that may lack some says so', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `t${index}`).join('|');
    const found = await ask(editor, 'aicf', `TOOLS|${names}\nCALL|$0`);
    assert.ok(found && !Array.isArray(found));
    assert.deepEqual([found.isIncomplete, found.items.length], [true, 500]);
  });

  it('answers for an empty document, past its end, and for one that is not open', async () => {
    assert.equal((await list(plain, 'aicl', '$0')).length, 6);
    const uri = await plain.open('end.aicf', 'aicf', 'LIST');
    const position = { line: 99, character: 99 };
    const past = await plain.connection.sendRequest(CompletionRequest.type, {
      textDocument: { uri },
      position,
    });
    assert.ok(Array.isArray(past) && past.length > 0);
    const textDocument = { uri: 'file:///folder/none.aicf' };
    assert.equal(
      await plain.connection.sendRequest(CompletionRequest.type, { textDocument, position }),
      null,
    );
  });
});
