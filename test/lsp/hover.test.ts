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

  const tensor = '[t:uint8:2:$0009]';
  const facts =
    '**tensor**\n\n- shape: 2, 2 elements\n- uint8: 1 byte an element, 2 bytes in all, 3 characters of Base85\n- min 0, max 1\n- mean 0.5, std 0.5\n- zeros 1\n- values: `0, 1`';

  it('has a picture for a client that names what reads its Markdown', async () => {
    const capabilities: ClientCapabilities = {
      general: { markdown: { parser: 'marked', version: '1.1.0' } },
      textDocument: { hover: { contentFormat: ['markdown', 'plaintext'] } },
    };
    const found = await hoverAt(capabilities, 'aicl', tensor);
    assert.ok(found && typeof found.contents === 'object' && 'kind' in found.contents);
    const [text, picture = ''] = found.contents.value.split('\n\n![');
    assert.equal(text, facts);
    const [, alt, bytes = ''] = /^(.*)\]\(data:image\/png;base64,([A-Za-z0-9+/=]+)\)$/.exec(picture) ?? [];
    assert.equal(alt, 'Heat map of 1 row and 2 columns; 0 to 1, blue to yellow');
    assert.deepEqual([...Buffer.from(bytes, 'base64').subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  });

  it('has none for other clients', async () => {
    const general = { markdown: { parser: 'marked' } };
    const plain: ClientCapabilities = { general, textDocument: { hover: { contentFormat: ['plaintext'] } } };
    const [shown, written] = [await hoverAt({}, 'aicl', tensor), await hoverAt(plain, 'aicl', tensor)];
    assert.deepEqual(shown?.contents, { kind: 'markdown', value: facts });
    assert.deepEqual(written?.contents, {
      kind: 'plaintext',
      value: facts.replace(/\*\*|`/g, ''),
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
