import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { CodeLensRequest, type CodeLens } from 'vscode-languageserver/node';
import { TENSOR_AT, TENSORS, type TensorAnswer } from '../../wire/tensor-requests.ts';
import { readCursor } from './support/marked-text.ts';
import { TestClient, withClient } from './support/test-client.ts';

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],\r\n';
const ELIDED = "The data are left out with '...': put them in to look at the tensor";

/** A range on one line. */
function onLine(line: number, start: number, end: number): TensorAnswer['range'] {
  return { start: { line, character: start }, end: { line, character: end } };
}

describe('tensors over the connection', () => {
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
    const found: unknown = await client.connection.sendRequest(TENSOR_AT.method, { uri, position });
    await client.close(uri);
    return found;
  }

  async function list(text: string): Promise<readonly TensorAnswer[]> {
    const uri = await client.open('list.aicl', 'aicl', text);
    const found = await client.connection.sendRequest<readonly TensorAnswer[]>(TENSORS.method, { uri });
    await client.close(uri);
    return found;
  }

  it('are listed with their places', async () => {
    const found = await askAt(`${HEAD}[s:data]:[l:[t:int8:2:0$00],[t:int8:2:001]]]`);
    assert.deepEqual(found, {
      version: 1,
      range: onLine(1, 12, 25),
      payload: onLine(1, 22, 24),
      dtype: 'int8',
      shape: '2',
      path: 'data[0]',
      message: 1,
      title: 'result',
      isSigned: false,
      faults: [
        "The data has 2 characters (1 bytes); int8 of shape '2' needs 2 bytes (3 characters) (error 1001)",
      ],
    });
  });

  it('are found at their edges, and not beside them', async () => {
    for (const marked of ['[l:$0[t:int8:1:00]]', '[l:[t:int8:1:00]$0]', '[t:int8:1:00]$0[t:int8:2:001]'])
      assert.notEqual(await askAt(marked), null, marked);
    assert.equal(await askAt('[l$0:[t:int8:1:00]]'), null);
    assert.equal(await askAt('$0'), null);
  });

  it('have faults of their own only', async () => {
    const found = await list(
      `${HEAD}[s:data]:[l:[t:int9:2:00],[t:int8:x:00],[i:x],[t:int8:2:...],[t:int8:0:],[t:int8:2:001]]]\n[t:int8:1:`,
    );
    assert.deepEqual(
      found.map(answer => [answer.path, answer.message, answer.faults]),
      [
        ['data[0]', 1, ["'int9' is not a data type: did you mean 'int8'? (error 1001)"]],
        [
          'data[1]',
          1,
          ["'x' is not a shape: write dimensions with commas between, as in 3,224,224 (error 1001)"],
        ],
        ['data[3]', 1, [ELIDED]],
        ['data[4]', 1, []],
        ['data[5]', 1, []],
        ['', 2, ["A closing ']' is missing before the message ends here (error 1000)"]],
      ],
    );
  });

  it('have no fault of the message around them', async () => {
    const found = await list('[d:[s:data]:[t:int8:1:00]');
    assert.deepEqual(
      found.map(answer => answer.faults),
      [[]],
    );
  });

  it('are the first thousand, which the log says', async () => {
    await withClient({}, async other => {
      const uri = await other.open('many.aicl', 'aicl', '[t:int8:1:00]\n'.repeat(1_001));
      const found: unknown = await other.connection.sendRequest(TENSORS.method, { uri });
      assert.ok(Array.isArray(found));
      assert.equal(found.length, 1_000);
      assert.deepEqual(other.log, [`${uri}: only the first 1000 tensors are listed`]);
    });
  });

  it('are those of the version that the answer names', async () => {
    const uri = await client.open('edited.aicl', 'aicl', '[t:int8:1:00]');
    await client.change(uri, 7, [{ range: onLine(0, 0, 0), text: '\n' }]);
    const found: unknown = await client.connection.sendRequest(TENSORS.method, { uri });
    assert.deepEqual(found, [
      {
        version: 7,
        range: onLine(1, 0, 13),
        payload: onLine(1, 10, 12),
        dtype: 'int8',
        shape: '1',
        path: '',
        message: 1,
        title: 'fragment',
        isSigned: false,
        faults: [],
      },
    ]);
  });

  it('are none where nothing is open or asked rightly, and in another language', async () => {
    const uri = await client.open('call.aicf', 'aicf', 'CALL|a|[t:int8:1:00]');
    const position = { line: 0, character: 9 };
    const ask = (method: string, params: object): Promise<unknown> =>
      client.connection.sendRequest(method, params);
    assert.deepEqual(
      [
        await ask(TENSORS.method, { uri }),
        await ask(TENSORS.method, { uri: 'file:///folder/none.aicl' }),
        await ask(TENSORS.method, { uri: 7 }),
        await ask(TENSOR_AT.method, { uri, position }),
        await ask(TENSOR_AT.method, { uri: 'file:///folder/none.aicl', position }),
        await ask(TENSOR_AT.method, { uri, position: 7 }),
      ],
      [[], [], [], null, null, null],
    );
  });
});

describe('lenses of tensors', () => {
  /** Titles with their places, and what the log says. */
  async function lensesOf(
    text: string,
    initializationOptions: object,
  ): Promise<{
    readonly lenses: readonly CodeLens[];
    readonly uri: string;
    readonly log: readonly string[];
  }> {
    const client = await TestClient.start({ initializationOptions });
    const uri = await client.open('a.aicl', 'aicl', text);
    const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
    await client.stop();
    return { lenses: lenses ?? [], uri, log: client.log };
  }

  const titles = (lenses: readonly CodeLens[]): readonly string[] =>
    lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`);

  it('stand at the line of each, beside those of Send', async () => {
    const text = '[d:[s:msg_type]:[s:result],\n[s:data]:[t:int8:1:00]]';
    const { lenses, uri, log } = await lensesOf(text, { canSend: true, canInspect: true });
    const lens = (line: number, character: number, title: string, command: string): CodeLens => {
      const start = { line, character };
      return { range: { start, end: start }, command: { title, command, arguments: [uri, start] } };
    };
    assert.deepEqual(lenses, [
      lens(0, 0, '$(play)\u00a0Send', 'parley.send'),
      lens(1, 9, '$(table)\u00a0Inspect', 'parley.inspectTensor'),
    ]);
    assert.deepEqual(log, []);
  });

  it('are there only where the client can do what they say', async () => {
    const text = '[d:[s:msg_type]:[s:result],[s:data]:[t:int8:1:00]]';
    assert.deepEqual(titles((await lensesOf(text, { canSend: true })).lenses), ['0 $(play)\u00a0Send']);
    assert.deepEqual(titles((await lensesOf(text, { canInspect: true })).lenses), [
      '0 $(table)\u00a0Inspect',
    ]);
    assert.deepEqual((await lensesOf(text, {})).lenses, []);
  });

  it('name the tensors of a line that has several', async () => {
    const text = '[l:[t:int8:1:00],[t:int8:1:00],\n[t:int8:1:00]]\n[t:int8:1:00][s:a]:[t:int8:1:00]';
    assert.deepEqual(titles((await lensesOf(text, { canInspect: true })).lenses), [
      ...['0 $(table)\u00a0Inspect [0]', '0 $(table)\u00a0Inspect [1]', '1 $(table)\u00a0Inspect'],
      ...['2 $(table)\u00a0Inspect', '2 $(table)\u00a0Inspect a'],
    ]);
  });

  it('are twenty of a line and a thousand in all, which the log says', async () => {
    const line = `[l:${'[t:int8:1:00],'.repeat(21)}]\n`;
    const { lenses, uri, log } = await lensesOf(line.repeat(51), { canInspect: true });
    assert.equal(lenses.length, 1_000);
    assert.equal(lenses.filter(({ range }) => range.start.line === 49).length, 20);
    assert.deepEqual(log, [
      `${uri}: only the first 20 tensors of a line have a lens`,
      `${uri}: only the first 1000 tensors have a lens`,
    ]);
  });
});
