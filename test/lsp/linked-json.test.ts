import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  CodeActionRequest,
  CompletionRequest,
  HoverRequest,
  SelectionRangeRequest,
  type CodeAction,
  type CompletionItem,
  type Position,
} from 'vscode-languageserver/node';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

/** Asks a server of a client that declares nothing about a file with a cursor. */
async function ask<T>(
  marked: string,
  request: (client: TestClient, place: { textDocument: { uri: string }; position: Position }) => Promise<T>,
): Promise<T> {
  const client = await TestClient.start({ capabilities: {} });
  const { text, position } = readCursor(marked);
  const uri = await client.open('a.aicf', 'aicf', text);
  const answer = await request(client, { textDocument: { uri }, position });
  assert.deepEqual(client.log, []);
  await client.stop();
  return answer;
}

function complete(marked: string): Promise<readonly CompletionItem[]> {
  return ask(marked, async ({ connection }, place) => {
    const found = await connection.sendRequest(CompletionRequest.type, place);
    return Array.isArray(found) ? found : (found?.items ?? []);
  });
}

describe('JSON in AICF over the connection', () => {
  it('completes names through the escapes', async () => {
    const [item] = await complete('CALL|t|{"a\\|b":"x"}\nCALL|t|{"c":1,"a$0"}');
    assert.deepEqual(
      [item?.label, item?.filterText, item?.textEdit],
      [
        'a|b',
        '"a\\|b":""',
        {
          range: { start: { line: 1, character: 14 }, end: { line: 1, character: 17 } },
          newText: '"a\\|b":""',
        },
      ],
    );
  });

  it('shows the path of a value', async () => {
    const found = await ask('LIST\nOK|{"a\\|b":[1,$02]}', ({ connection }, place) =>
      connection.sendRequest(HoverRequest.type, place),
    );
    assert.deepEqual(found, {
      contents: { kind: 'markdown', value: '**$\\["a\\|b"\\]\\[1\\]**: number' },
      range: { start: { line: 1, character: 14 }, end: { line: 1, character: 15 } },
    });
  });

  it('offers other layouts', async () => {
    const actions = await ask('OK|{"a": $0[1]}', ({ connection }, { textDocument, position }) =>
      connection.sendRequest(CodeActionRequest.type, {
        textDocument,
        range: { start: position, end: position },
        context: { diagnostics: [], only: ['refactor'] },
      }),
    );
    assert.deepEqual(
      actions?.map(action => [action.title, (action as CodeAction).kind]),
      [['Minify this JSON', 'refactor.rewrite']],
    );
  });

  it('grows a selection through values', async () => {
    const [range] =
      (await ask('CALL|t|{"a":[$01]}', ({ connection }, { textDocument, position }) =>
        connection.sendRequest(SelectionRangeRequest.type, { textDocument, positions: [position] }),
      )) ?? [];
    const widths: number[] = [];
    for (let at = range; at; at = at.parent) widths.push(at.range.end.character - at.range.start.character);
    assert.deepEqual(widths, [1, 3, 7, 9, 16]);
  });

  it('has nothing to say in an empty document, or past the end', async () => {
    assert.deepEqual(await complete('# no JSON: $0'), []);
    const found = await ask('$0', ({ connection }, { textDocument }) =>
      connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 9, character: 99 } }),
    );
    assert.equal(found, null);
  });
});
