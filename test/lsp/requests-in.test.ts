import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { REQUESTS_IN } from '../../wire/requests-in.ts';
import { TestClient } from './support/test-client.ts';

const AICF = `# @agent toolbox
CALL|math.add|19|23
OK|{"sum":42}

call|text.reverse|olleH
LIST
`;

describe('the requests of a document', () => {
  let client: TestClient;
  before(async () => {
    client = await TestClient.start();
  });
  after(() => client.stop());

  const ask = (params: object): Promise<unknown> => client.connection.sendRequest(REQUESTS_IN.method, params);
  const range = (start: readonly [number, number], end: readonly [number, number]): object => ({
    start: { line: start[0], character: start[1] },
    end: { line: end[0], character: end[1] },
  });
  const starts = (...lines: readonly number[]): readonly object[] =>
    lines.map(line => ({ line, character: 0 }));

  it('are listed in order, without replies and directives', async () => {
    const uri = await client.open('requests.aicf', 'aicf', AICF);
    assert.deepEqual(await ask({ uri }), starts(1, 4, 5));
  });

  it('are those that a range touches', async () => {
    const uri = await client.open('requests.aicf', 'aicf', AICF);
    const asked = [
      range([1, 5], [4, 2]),
      range([0, 0], [1, 0]),
      range([5, 2], [5, 2]),
      range([2, 0], [3, 0]),
      range([4, 0], [9, 0]),
    ];
    const found = [];
    for (const each of asked) found.push(await ask({ uri, range: each }));
    assert.deepEqual(found, [starts(1, 4), [], starts(5), [], starts(4, 5)]);
  });

  it('are none of a document that is not open, and of a question of another form', async () => {
    assert.deepEqual(await ask({ uri: 'file:///nowhere.aicf' }), []);
    const uri = await client.open('requests.aicf', 'aicf', AICF);
    assert.deepEqual([await ask({}), await ask({ uri, range: 3 })], [[], []]);
  });
});
