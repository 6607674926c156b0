import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  SignatureHelpRequest,
  type ClientCapabilities,
  type SignatureHelp,
} from 'vscode-languageserver/node';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

const CALL = 'TOOL|make|Makes *it*|on:boolean|data?\nCALL|make|true|$0';

async function helpAt(
  capabilities: ClientCapabilities,
  language: string,
  marked: string,
): Promise<SignatureHelp | null> {
  const client = await TestClient.start({ capabilities });
  const { text, position } = readCursor(marked);
  const uri = await client.open(`a.${language}`, language, text);
  const found = await client.connection.sendRequest(SignatureHelpRequest.type, {
    textDocument: { uri },
    position,
  });
  assert.deepEqual(client.log, []);
  await client.stop();
  return found;
}

describe('signature help over the connection', () => {
  const label = 'CALL|make|on:boolean|data:any?';

  it('gives offsets to a client that knows them', async () => {
    const signatureInformation = { parameterInformation: { labelOffsetSupport: true } };
    assert.deepEqual(
      await helpAt({ textDocument: { signatureHelp: { signatureInformation } } }, 'aicf', CALL),
      {
        signatures: [
          {
            label,
            documentation: { kind: 'markdown', value: 'Makes \\*it\\*' },
            parameters: [
              { label: [5, 9], documentation: { kind: 'markdown', value: 'The tool to call.' } },
              {
                label: [10, 20],
                documentation: {
                  kind: 'markdown',
                  value: '**boolean** (argument type)\n\n`true` or `false`. An empty field is absent.',
                },
              },
              {
                label: [21, 30],
                documentation: {
                  kind: 'markdown',
                  value:
                    'Optional. **any** (argument type)\n\nAny text or JSON: what an argument without a type takes.',
                },
              },
            ],
          },
        ],
        activeSignature: 0,
        activeParameter: 2,
      },
    );
  });

  it('gives texts to a client that declares nothing', async () => {
    const found = await helpAt({}, 'aicf', CALL);
    assert.deepEqual(
      found?.signatures[0]?.parameters?.map(parameter => parameter.label),
      ['make', 'on:boolean', 'data:any?'],
    );
  });

  it('is null in an empty document, past the end of one, and for AICL', async () => {
    assert.equal(await helpAt({}, 'aicf', '$0'), null);
    assert.equal(await helpAt({}, 'aicl', '[d:[s:tool]:[s:$0]]'), null);
    const client = await TestClient.start({ capabilities: {} });
    const uri = await client.open('a.aicf', 'aicf', 'LIST\n');
    const position = { line: 99, character: 99 };
    assert.equal(
      await client.connection.sendRequest(SignatureHelpRequest.type, { textDocument: { uri }, position }),
      null,
    );
    await client.stop();
  });
});
