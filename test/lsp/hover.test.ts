import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { HoverRequest, type ClientCapabilities, type Hover } from 'vscode-languageserver/node';
import { plainOfMarkdown } from '../../server/src/markup.ts';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

async function hoverAt(
  capabilities: ClientCapabilities,
  language: string,
  marked: string,
): Promise<Hover | null> {
  const client = await TestClient.start({ capabilities });
  const { text, position } = readCursor(marked);
  const uri = await client.open(`a.${language}`, language, text);
  const found = await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
  assert.deepEqual(client.log, []);
  await client.stop();
  return found;
}

describe('hover over the connection', () => {
  const value = '**string**, 2 characters, 2 bytes in UTF-8.';
  const range = { start: { line: 1, character: 3 }, end: { line: 1, character: 9 } };

  it('is Markdown for a client that declares nothing', async () => {
    assert.deepEqual(await hoverAt({}, 'aicl', '# x\n[l:[s:$0ab]]'), {
      contents: { kind: 'markdown', value },
      range,
    });
  });

  it('is plain text for a client that knows nothing else', async () => {
    const capabilities: ClientCapabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } };
    assert.deepEqual(await hoverAt(capabilities, 'aicl', '# x\n[l:[s:$0ab]]'), {
      contents: { kind: 'plaintext', value: 'string, 2 characters, 2 bytes in UTF-8.' },
      range,
    });
  });

  it('is null in an empty document', async () => {
    for (const language of ['aicl', 'aicf']) assert.equal(await hoverAt({}, language, '$0'), null);
  });
});

describe('Markdown as plain text', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['**a** `b`\n\nc', 'a b\n\nc'],
    ['a\\*\\_\\`\\\\ &lt;b\\> &amp;amp;', 'a*_`\\ <b> &amp;'],
    ['```ts\n**a** `b` \\*\n```\n\n**c**', '**a** `b` \\*\n\nc'],
    ['````text\n```\n````\nx', '```\nx'],
  ];
  for (const [markdown, plain] of cases) it(markdown, () => assert.equal(plainOfMarkdown(markdown), plain));
});
