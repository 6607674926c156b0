import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  CodeLensRequest,
  CodeLensResolveRequest,
  DidChangeConfigurationNotification,
  type CodeLens,
} from 'vscode-languageserver/node';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';
import { withClient, type TestClient } from './support/test-client.ts';

const TEXT = 'CALL|figma.getFile|abc123|1.0\n\nOK|{"a":1}\nOK|{"b":2}\n';

/** Sends settings along, as clients do that are not asked, and waits until they hold. */
async function set(client: TestClient, uri: string, settings: object): Promise<void> {
  await client.connection.sendNotification(DidChangeConfigurationNotification.type, {
    settings: { parley: settings },
  });
  // A request is answered after what came before it.
  await listLenses(client, uri);
}

async function listLenses(client: TestClient, uri: string): Promise<readonly CodeLens[]> {
  return (await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
}

const resolve = (client: TestClient, lens: CodeLens): Promise<CodeLens> =>
  client.connection.sendRequest(CodeLensResolveRequest.type, lens);

describe('token lenses', () => {
  it('are where Convert is, and are counted when they are in sight', async () => {
    await withClient({ initializationOptions: { canConvert: true } }, async client => {
      const uri = await client.open('lens.aicf', 'aicf', TEXT);
      assert.deepEqual(
        (await listLenses(client, uri)).map(({ command }) => command?.command),
        ['parley.convert', 'parley.convert'],
      );
      await set(client, uri, { codeLens: { tokens: true } });
      const lenses = await listLenses(client, uri);
      assert.deepEqual(
        lenses.map(({ range, command }) => [range.start.line, command?.command]),
        [
          [0, 'parley.convert'],
          [2, 'parley.convert'],
          [0, undefined],
          [2, undefined],
        ],
      );
      const run = { start: { line: 2, character: 0 }, end: { line: 3, character: 10 } };
      const [one, several] = await Promise.all(lenses.slice(2).map(lens => resolve(client, lens)));
      assert.deepEqual(
        [one, several],
        [
          {
            range: lenses[2]?.range,
            command: {
              title: '13 tokens',
              command: 'parley.compareCost',
              arguments: [uri, { line: 0, character: 0 }],
            },
          },
          {
            range: lenses[3]?.range,
            command: { title: '14 tokens', command: 'parley.compareCost', arguments: [uri, run] },
          },
        ],
      );
      await set(client, uri, { codeLens: { tokens: true }, tokens: { encoding: 'cl100k_base' } });
      const [, , other] = await listLenses(client, uri);
      assert.equal(other && (await resolve(client, other)).command?.title, '12 tokens');
    });
  });

  it('of a text that was edited, and what is no lens of ours, are left as they are', async () => {
    await withClient({ initializationOptions: {} }, async client => {
      const uri = await client.open('edited.aicf', 'aicf', TEXT);
      await set(client, uri, { codeLens: { tokens: true } });
      const [lens] = await listLenses(client, uri);
      assert.ok(lens);
      // A client without our commands reads the words, and can click nothing.
      assert.deepEqual((await resolve(client, lens)).command?.command, '');
      await client.change(uri, 2, [{ text: 'LIST\n' }]);
      assert.deepEqual(await resolve(client, lens), lens);
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
      for (const data of [undefined, 7, { uri, version: 2 }])
        assert.deepEqual(
          await resolve(client, { range, data }),
          data === undefined ? { range } : { range, data },
        );
    });
  });

  it('load no encoding before one is in sight, and say once why they cannot', async () => {
    let loads = 0;
    const runtime = {
      ...NODE_RUNTIME,
      loadEncoding() {
        loads++;
        return Promise.reject(new Error('no such script'));
      },
    };
    await withClient({ runtime }, async client => {
      const uri = await client.open('none.aicf', 'aicf', TEXT);
      await set(client, uri, { codeLens: { tokens: true } });
      const lenses = await listLenses(client, uri);
      assert.deepEqual([lenses.length, loads], [2, 0]);
      for (const lens of lenses) assert.deepEqual(await resolve(client, lens), lens);
      assert.equal(loads, 2);
      assert.equal(client.log.filter(line => line.includes('no such script')).length, 1);
    });
  });
});
