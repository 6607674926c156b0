import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { TEXT_AT } from '../../wire/text-requests.ts';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

describe('the text at a place, over the connection', () => {
  let client: TestClient;
  before(async () => {
    client = await TestClient.start();
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });

  async function askAt(marked: string): Promise<unknown> {
    const { text, position } = readCursor(marked);
    const uri = await client.open('at.aicl', 'aicl', text);
    const found: unknown = await client.connection.sendRequest(TEXT_AT.method, { uri, position });
    await client.close(uri);
    return found;
  }

  it('is returned decoded, with its place', async () => {
    const found = await askAt('[d:[s:data]:\r\n[s:a\\u005D\r\nb$0]]');
    assert.deepEqual(found, {
      version: 1,
      range: { start: { line: 1, character: 3 }, end: { line: 2, character: 1 } },
      text: 'a]\nb',
      name: 'data',
      isSigned: false,
    });
  });

  it('is none elsewhere, in a document that is not open, and for what is no question', async () => {
    assert.equal(await askAt('[d:[s:data]:$0[i:1]]'), null);
    const position = { line: 0, character: 0 };
    for (const params of [{ uri: 'file:///no.aicl', position }, { uri: 7, position }, null])
      assert.equal(await client.connection.sendRequest(TEXT_AT.method, params), null);
  });
});
