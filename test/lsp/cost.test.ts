import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { CancellationTokenSource, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { CONVERSIONS } from '../../core/catalog/conversions.ts';
import type { EncodingName } from '../../core/catalog/costs.ts';
import { COST, COUNT_TEXTS, TOKENS, type CostResult, type TokensResult } from '../../wire/cost-requests.ts';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';
import type { Runtime } from '../../server/src/runtime.ts';
import { encoding } from '../../tokenizers/cl100k_base.ts';
import { sized } from '../support/size.ts';
import { readCursor } from './support/marked-text.ts';
import { TestClient, withClient } from './support/test-client.ts';

const CALL =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:figma.getFile],[s:params]:[d:[s:fileKey]:[s:abc123],[s:version]:[s:1.0]]]';
const RPC = '{"jsonrpc":"2.0","id":1,"method":"aip.capabilities.list"}';

/** Readings are repeated until they take a time that can be measured: by this clock they soon do. */
const FAST_CLOCK: Runtime = { ...NODE_RUNTIME, now: () => 20 * NODE_RUNTIME.now() };

describe('what messages cost, over the connection', () => {
  let client: TestClient;
  before(async () => {
    client = await TestClient.start({ runtime: FAST_CLOCK });
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });

  async function askTokens(
    marked: string,
    language: 'aicl' | 'aicf',
    encoding: EncodingName = 'o200k_base',
  ): Promise<unknown> {
    const { text, position } = readCursor(marked);
    const uri = await client.open(`at.${language}`, language, text);
    const found: unknown = await client.connection.sendRequest(TOKENS.method, { uri, position, encoding });
    await client.close(uri);
    return found;
  }

  async function askCost(source: object): Promise<CostResult> {
    return client.connection.sendRequest<CostResult>(COST.method, { source, encoding: 'o200k_base' });
  }

  it('texts of no document are counted each by itself', async () => {
    const ask = (params: unknown): Promise<unknown> =>
      client.connection.sendRequest(COUNT_TEXTS.method, params);
    const long = 'Zeilen und Wörter, 1234567890. '.repeat(sized(20_000));
    assert.deepEqual(await ask({ texts: [CALL, '', long], encoding: 'cl100k_base' }), [
      encoding.count(CALL).tokens,
      0,
      encoding.count(long).tokens,
    ]);
    assert.deepEqual(await ask({ texts: [CALL], encoding: 'o200k_base' }), [75]);
    assert.deepEqual(await ask({ texts: [], encoding: 'o200k_base' }), []);
    assert.equal(await ask({ texts: [7], encoding: 'o200k_base' }), null);
    assert.equal(await ask({ texts: [CALL], encoding: 'gpt2' }), null);
  });

  it('the message under the cursor is counted as it is written', async () => {
    const found = await askTokens(`# before\n${CALL.replace('figma', 'fig$0ma')}\n`, 'aicl');
    assert.deepEqual(found, {
      version: 1,
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: CALL.length } },
      title: 'figma.getFile',
      tokens: 75,
      isExact: true,
      bytes: 164,
    });
  });

  it('a request and a reply of AICF are counted, each alone', async () => {
    const file = 'CALL|figma.getFile|abc123|1.0\nOK|{"name":"My Design"}\n';
    const range = (line: number, end: number): object => ({
      start: { line, character: 0 },
      end: { line, character: end },
    });
    assert.deepEqual(await askTokens(`$0${file}`, 'aicf', 'cl100k_base'), {
      ...{ version: 1, range: range(0, 29), title: 'figma.getFile' },
      ...{ tokens: 12, isExact: true, bytes: 29 },
    });
    assert.deepEqual(await askTokens(file.replace('My', '$0My'), 'aicf'), {
      ...{ version: 1, range: range(1, 23), title: 'result' },
      ...{ tokens: 8, isExact: true, bytes: 23 },
    });
  });

  it('without a message, nothing is counted', async () => {
    assert.equal(await askTokens(`${CALL}\n\n# a l$0ine\n`, 'aicl'), null);
    const uri = 'file:///not-open.aicl';
    const position = { line: 0, character: 0 };
    for (const params of [{ uri, position, encoding: 'o200k_base' }, { uri, position }, 7])
      assert.equal(await client.connection.sendRequest(TOKENS.method, params), null);
  });

  it('an edit is counted anew', async () => {
    const uri = await client.open('edited.aicf', 'aicf', 'LIST\n');
    const ask = async (): Promise<unknown> => {
      const position = { line: 0, character: 0 };
      const found = await client.connection.sendRequest<TokensResult>(TOKENS.method, {
        uri,
        position,
        encoding: 'o200k_base',
      });
      return [found.version, found.tokens, found.bytes];
    };
    assert.deepEqual(
      [await ask(), await ask()],
      [
        [1, 1, 4],
        [1, 1, 4],
      ],
    );
    await client.change(uri, 2, [{ text: 'INFO|figma.getFile\n' }]);
    assert.deepEqual(await ask(), [2, 6, 18]);
    await client.close(uri);
  });

  it('a document, a part of it and a text are compared in every protocol', async () => {
    const uri = await client.open('cost.aicl', 'aicl', `${CALL}\n# between\n${CALL}\n`);
    const onSecond = { start: { line: 2, character: 3 }, end: { line: 2, character: 3 } };
    const results = [
      await askCost({ uri }),
      await askCost({ uri, range: onSecond }),
      await askCost({ text: RPC }),
      await askCost({ uri }),
    ];
    const facts = results.map(result => {
      assert.ok(result.ok);
      const { messages, rows } = result.table;
      assert.equal(new Set(rows.map(({ protocol }) => protocol)).size, CONVERSIONS.length);
      return [messages, rows[0]?.protocol, rows[0]?.bytes, rows[0]?.tokens];
    });
    assert.deepEqual(facts, [
      [2, 'aicl', 2 * CALL.length + 11, facts[0]?.[3]],
      [1, 'aicl', 164, 75],
      [1, 'json-rpc', RPC.length, facts[2]?.[3]],
      facts[0],
    ]);
    // The same version is not measured twice: times would differ.
    assert.deepEqual(results[3], results[0]);
    await client.close(uri);
  });

  it('says why there is no comparison', async () => {
    assert.deepEqual(await askCost({ uri: 'file:///not-open.aicl' }), {
      ok: false,
      reason: 'The document is in no language of Parley, or was closed',
    });
    const uri = await client.open('none.aicl', 'aicl', '# nothing\n');
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    assert.deepEqual(await askCost({ uri, range }), {
      ok: false,
      reason: 'There is no message in the selection',
    });
    await client.close(uri);
  });

  it('can be cancelled while it counts', async () => {
    // One long run of letters: some hundred slices, between which the cancel is seen.
    const uri = await client.open('long.aicf', 'aicf', `CALL|x|${'ab'.repeat(400_000)}\n`);
    const cancel = new CancellationTokenSource();
    const params = { uri, position: { line: 0, character: 0 }, encoding: 'o200k_base' };
    const asked = client.connection.sendRequest(TOKENS.method, params, cancel.token);
    cancel.cancel();
    await assert.rejects(
      asked,
      (error: unknown) => error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled,
    );
    await client.close(uri);
  });

  it('loads no encoding before one is asked for, says why where it cannot, and tries again', async () => {
    const loaded: EncodingName[] = [];
    const runtime = {
      ...FAST_CLOCK,
      loadEncoding(...[name, ask]: Parameters<typeof NODE_RUNTIME.loadEncoding>) {
        loaded.push(name);
        return loaded.length === 1
          ? Promise.reject(new Error('no such script'))
          : NODE_RUNTIME.loadEncoding(name, ask);
      },
    };
    await withClient({ runtime }, async other => {
      const uri = await other.open('a.aicl', 'aicl', `${CALL}\n`);
      await other.connection.sendRequest('textDocument/hover', {
        textDocument: { uri },
        position: { line: 0, character: 5 },
      });
      assert.deepEqual(loaded, []);
      const params = { source: { uri }, encoding: 'cl100k_base' };
      assert.deepEqual(await other.connection.sendRequest(COST.method, params), {
        ok: false,
        reason: 'Tokens cannot be counted here, because the encoding could not be loaded: no such script',
      });
      assert.deepEqual(loaded, ['cl100k_base']);
      const again = await other.connection.sendRequest<CostResult>(COST.method, params);
      assert.ok(again.ok, JSON.stringify(again));
    });
  });
});
