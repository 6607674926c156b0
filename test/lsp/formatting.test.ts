import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  type TextEdit,
} from 'vscode-languageserver/node';
import { applyEdits } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

const TABS = { tabSize: 4, insertSpaces: false };
const NOT_OPEN = { uri: 'file:///folder/not-open.aicl' };

let client: TestClient;
let opened = 0;

/** Each text is a document of its own. */
async function open(name: string, text: string): Promise<{ uri: string }> {
  return { uri: await client.open(`${++opened}.${name}`, name, text) };
}

function apply(text: string, edits: readonly TextEdit[] | null): string {
  const lines = SourceText.of(text);
  const placed = (edits ?? []).map(({ range, newText }) => ({
    span: { start: lines.toOffset(range.start), end: lines.toOffset(range.end) },
    newText,
  }));
  return applyEdits(text, placed);
}

describe('formatting over the connection', () => {
  before(async () => {
    client = await TestClient.start({ capabilities: {} });
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });

  describe('of a document', () => {
    const format = async (name: string, text: string): Promise<string> => {
      const textDocument = await open(name, text);
      const params = { textDocument, options: TABS };
      return apply(text, await client.connection.sendRequest(DocumentFormattingRequest.type, params));
    };

    it('indents as the editor says', async () => {
      assert.equal(await format('aicl', '[d:[s:a]:[i:1] ]'), '[d:\n\t[s:a]:[i:1]\n]\n');
      assert.equal(await format('aicf', ' LIST'), 'LIST\n');
    });

    it('leaves an empty one, and one that is not open', async () => {
      assert.deepEqual([await format('aicl', ''), await format('aicf', '')], ['', '']);
      const params = { textDocument: NOT_OPEN, options: TABS };
      assert.equal(await client.connection.sendRequest(DocumentFormattingRequest.type, params), null);
    });
  });

  describe('of a range', () => {
    const format = async (name: string, text: string, lines: readonly [number, number]): Promise<string> => {
      const textDocument = await open(name, text);
      const range = { start: { line: lines[0], character: 1 }, end: { line: lines[1], character: 1 } };
      const params = { textDocument, range, options: TABS };
      return apply(text, await client.connection.sendRequest(DocumentRangeFormattingRequest.type, params));
    };

    it('takes the messages or lines that it touches', async () => {
      assert.equal(await format('aicl', '[l: ]\n[l: ]\n[l: ]\n', [1, 1]), '[l: ]\n[l:]\n[l: ]\n');
      assert.equal(await format('aicf', 'LIST \nLIST \nLIST \n', [1, 1]), 'LIST \nLIST\nLIST \n');
    });

    it('takes what is there of a range that is not', async () => {
      assert.deepEqual([await format('aicl', '', [3, 9]), await format('aicf', '', [3, 9])], ['', '']);
      assert.equal(await format('aicf', 'LIST ', [0, 9999]), 'LIST\n');
      const params = {
        textDocument: NOT_OPEN,
        range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
        options: TABS,
      };
      assert.equal(await client.connection.sendRequest(DocumentRangeFormattingRequest.type, params), null);
    });
  });

  describe('on type', () => {
    const format = async (name: string, marked: string, ch: string): Promise<string> => {
      const { text, position } = readCursor(marked);
      const params = { textDocument: await open(name, text), position, ch, options: TABS };
      return apply(text, await client.connection.sendRequest(DocumentOnTypeFormattingRequest.type, params));
    };

    it('indents the line after Enter', async () => {
      assert.equal(await format('aicl', '[d:\n$0[s:a]:[i:1]]', '\n'), '[d:\n\t[s:a]:[i:1]]');
      assert.equal(await format('aicf', ' LIST \n$0', '\n'), 'LIST\n');
    });

    it('closes the gap before a bracket', async () => {
      assert.equal(await format('aicl', '[l:[i:1] ]$0', ']'), '[l:[i:1]]');
      assert.equal(await format('aicf', 'CALL|a |[1 ]$0', ']'), 'CALL|a |[1 ]');
    });

    it('does nothing at the start of a file', async () => {
      assert.deepEqual([await format('aicl', '$0', '\n'), await format('aicf', '$0', '\n')], ['', '']);
    });
  });
});
