import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CONVERSIONS } from '../../core/catalog/conversions.ts';
import { itAtFullSize } from '../support/size.ts';
import { CliFolder } from './support/run-cli.ts';

const CALL =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:figma.getFile],[s:params]:[d:[s:fileKey]:[s:abc123],[s:version]:[s:1.0]]]';
const RESULT = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[i:1]]';
const RPC =
  '{"jsonrpc":"2.0","method":"aip.tool.invoke","params":{"tool":"figma.getFile","arguments":{"fileKey":"abc123","version":"1.0"}},"id":1}';

interface PrintedCost {
  readonly file: string;
  readonly message?: number;
  readonly encoding: string;
  readonly messages: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

describe('parley tokens', () => {
  let folder: CliFolder;

  beforeEach(async () => {
    folder = await CliFolder.create({
      'call.aicl': `${CALL}\n`,
      'two.aicl': `${CALL}\n# between\n${RESULT}\n`,
      'call.json': RPC,
      'line.aicf': 'CALL|figma.getFile|abc123|1.0\n',
      'empty.aicl': '# nothing\n',
      'bad.aicl': Uint8Array.of(0x5b, 0xff),
    });
  });

  afterEach(async () => {
    await folder.remove();
  });

  itAtFullSize('says of a long text that counting takes a while, before it counts', async () => {
    await folder.write('long.aicf', `OK|${'internationalization '.repeat(47_620)}`);
    const run = await folder.run(['tokens', 'long.aicf']);
    assert.deepEqual(
      [run.exitCode, run.err],
      [0, "Counting 'long.aicf' in every protocol; a text this long takes a while\n"],
    );
  });

  itAtFullSize('times no text of over four million characters, and says so', async () => {
    await folder.write('long.aicf', `OK|${'internationalization '.repeat(200_000)}`);
    const run = await folder.run(['tokens', 'long.aicf', '--format', 'json']);
    const [cost] = JSON.parse(run.out) as readonly PrintedCost[];
    assert.deepEqual(
      cost?.rows.filter(row => 'parseMs' in row),
      [],
    );
    const count = cost?.rows.length ?? 0;
    assert.ok(count > 5);
    assert.equal(
      run.err.split('\n')[1],
      `${count} rows of 'long.aicf' have no time, because their texts are over 4 million characters`,
    );
  });

  async function costs(...words: readonly string[]): Promise<readonly PrintedCost[]> {
    const run = await folder.run(['tokens', ...words, '--format', 'json']);
    assert.deepEqual([run.exitCode, run.err], [0, '']);
    return JSON.parse(run.out) as readonly PrintedCost[];
  }

  /** Bytes and tokens of the text as it is written. */
  async function firstRow(...words: readonly string[]): Promise<readonly unknown[]> {
    const [cost] = await costs(...words);
    const { protocol, layout, bytes, tokens } = cost?.rows[0] ?? {};
    return [cost?.file, cost?.message, cost?.encoding, cost?.messages, protocol, layout, bytes, tokens];
  }

  it('prints an aligned Markdown table, numbers on the right, the fewest tokens first', async () => {
    const { exitCode, out, err } = await folder.run(['tokens', 'call.aicl']);
    assert.deepEqual([exitCode, err], [0, '']);
    const [title, blank, head = '', rule = '', ...rows] = out.trimEnd().split('\n');
    assert.deepEqual([title, blank], ['call.aicl: 1 message, tokens of o200k_base', '']);
    assert.match(
      head,
      /^Protocol +\| Layout +\| Tokens \| Ratio \| Bytes \| Ratio \| +Parse ms \| +Ratio \| Losses$/,
    );
    assert.match(rule, /^-+ \| -+ \| -+: \| -+: \| -+: \| -+: \| -+: \| -+: \| -+:$/);
    const untimed = rows.map(row => row.slice(0, head.search(/ \| +Parse/)));
    assert.equal(untimed[0], 'AICF      | one layout |     13 |  0.17 |    29 |  0.18');
    assert.ok(untimed.includes('AICL      | as written |     75 |  1.00 |   164 |  1.00'), out);
    const tokens = rows.map(row => Number(row.split('|')[2]));
    assert.deepEqual(
      tokens,
      tokens.toSorted((one, other) => one - other),
    );
    assert.ok([rule, ...rows].every(row => row.length === head.length));
    for (const { short } of CONVERSIONS)
      assert.ok(
        rows.some(row => row.startsWith(`${short} `)),
        short,
      );
  });

  it('prints one JSON document, a table each file', async () => {
    const [cost, ...others] = await costs('line.aicf');
    assert.deepEqual(others, []);
    const { rows = [], ...head } = cost ?? {};
    assert.deepEqual(head, { file: 'line.aicf', encoding: 'o200k_base', messages: 1, unread: 0 });
    const { parseMs, ...first } = rows[0] ?? {};
    assert.ok(typeof parseMs === 'number' && parseMs > 0);
    assert.deepEqual(first, {
      protocol: 'aicf',
      layout: 'source',
      bytes: 29,
      byteRatio: 1,
      tokens: 13,
      isExact: true,
      tokenRatio: 1,
      losses: 0,
      parseRatio: 1,
    });
  });

  it('counts the documents’ examples by either encoding', async () => {
    assert.deepEqual(await firstRow('call.json'), [
      ...['call.json', undefined, 'o200k_base', 1, 'json-rpc', 'source'],
      ...[134, 43],
    ]);
    assert.deepEqual(await firstRow('call.json', '--encoding', 'cl100k_base'), [
      ...['call.json', undefined, 'cl100k_base', 1, 'json-rpc', 'source'],
      ...[134, 42],
    ]);
  });

  it('counts a file as a whole, one message of it, standard input, and a folder', async () => {
    const whole = `${CALL}\n# between\n${RESULT}`;
    assert.deepEqual((await firstRow('two.aicl')).slice(3, 7), [2, 'aicl', 'source', whole.length]);
    assert.deepEqual((await firstRow('two.aicl:2')).slice(0, 7), [
      ...['two.aicl', 2, 'o200k_base', 1, 'aicl', 'source'],
      RESULT.length,
    ]);
    const piped = await folder.run(['tokens', '-', '--format', 'json'], { input: RPC });
    assert.deepEqual((JSON.parse(piped.out) as readonly PrintedCost[])[0]?.rows[0]?.['tokens'], 43);
    await folder.write('below/a.aicf', 'LIST\n');
    await folder.write('below/b.aicl', `${RESULT}\n`);
    const files = (await costs('below')).map(({ file, messages }) => [file, messages]);
    assert.deepEqual(files, [
      ['below/a.aicf', 1],
      ['below/b.aicl', 1],
    ]);
  });

  it('says where there is nothing to compare, and what cannot be read', async () => {
    const empty = await folder.run(['tokens', 'empty.aicl']);
    assert.deepEqual(
      [empty.exitCode, empty.err],
      [0, "There is no message in 'empty.aicl': only the text as it is written was counted\n"],
    );
    assert.equal(empty.out.trimEnd().split('\n').length, 5);
    const bad = await folder.run(['tokens', 'bad.aicl']);
    assert.deepEqual([bad.exitCode, bad.out], [1, '']);
    assert.match(bad.err, /^bad\.aicl:1:2: error: /);
  });

  it('tells of parts that count in the row as written alone', async () => {
    await folder.write('part.aicl', `${CALL}\nstray words\n`);
    const { exitCode, err } = await folder.run(['tokens', 'part.aicl']);
    assert.deepEqual(
      [exitCode, err],
      [
        0,
        "1 part of 'part.aicl' could not be read and counts only in the row as written; 'parley convert' shows which\n",
      ],
    );
  });

  it('refuses wrong usage', async () => {
    for (const words of [
      [],
      ['a', 'b'],
      ['call.aicl', '--encoding', 'gpt2'],
      ['missing.aicl'],
      ['two.aicl:3'],
    ])
      assert.equal((await folder.run(['tokens', ...words])).exitCode, 2, words.join(' '));
  });
});
