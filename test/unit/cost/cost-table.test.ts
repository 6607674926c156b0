import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { CONVERSIONS } from '../../../core/catalog/conversions.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import { costTable, type CostRow, type CostTable } from '../../../protocols/cost/cost-table.ts';
import type { Encoding } from '../../../protocols/cost/encoding.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { loadEncoding } from '../../../tokenizers/load.ts';

const CALL =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:figma.getFile],[s:params]:[d:[s:fileKey]:[s:abc123],[s:version]:[s:1.0]]]';

/** A clock that goes on by one millisecond each time it is read. */
function ticking(): () => number {
  let now = 0;
  return () => now++;
}

describe('the cost of messages', () => {
  let encoding: Encoding;
  before(async () => {
    encoding = await loadEncoding('o200k_base');
  });

  function table(text: string, now?: () => number): CostTable {
    return runAtOnce(costTable(text, { protocols: ALL_PROTOCOLS, name: 'o200k_base', encoding, now }));
  }

  function briefly(row: CostRow): string {
    return `${row.protocol ?? 'mixed'} ${row.layout} ${row.bytes} ${row.tokens}`;
  }

  it('is listed as written, then in its own protocol, then in the others, without line ends at the end', () => {
    const { rows, ...head } = table(`${CALL}\r\n\n`);
    assert.deepEqual(head, { encoding: 'o200k_base', messages: 1, unread: 0 });
    assert.deepEqual(rows.slice(0, 4).map(briefly), [
      'aicl source 164 75',
      'aicl pretty 180 86',
      'aicl compact 164 75',
      'aicf single 29 13',
    ]);
    assert.deepEqual(
      [...new Set(rows.map(({ protocol }) => protocol))],
      CONVERSIONS.map(({ name }) => name),
    );
    assert.equal(briefly(rows.at(-1) ?? assert.fail()), 'json compact 102 31');
  });

  it('of some messages counts the tools that the others declare', () => {
    const text = 'TOOL|echo|Says it again|word:string\nCALL|echo|hi\n';
    const within = { start: text.indexOf('CALL'), end: text.length };
    const { messages, rows } = runAtOnce(
      costTable(text, { protocols: ALL_PROTOCOLS, name: 'o200k_base', encoding, within }),
    );
    assert.equal(messages, 1);
    assert.deepEqual(briefly(rows[0] ?? assert.fail()), 'aicf source 12 5');
    const json = rows.find(row => row.protocol === 'json' && row.layout === 'compact');
    const { text: written } = convertText(text, {
      protocols: ALL_PROTOCOLS,
      to: 'json',
      layout: 'compact',
      within,
    });
    assert.equal(written, '{"kind":"call","tool":"echo","arguments":{"word":"hi"}}\n');
    assert.deepEqual([json?.bytes, json?.losses], [utf8Length(written) - 1, 0]);
  });

  it('is that of what a conversion writes, with its losses', () => {
    const text = `${CALL}\n${CALL.replace('abc123', 'ä'.repeat(40))}\n`;
    const { rows } = table(text);
    for (const { protocol, layout, bytes, tokens, losses } of rows.slice(1)) {
      const to = protocol ?? assert.fail();
      const converted = convertText(text, {
        protocols: ALL_PROTOCOLS,
        to,
        layout: layout === 'pretty' ? 'pretty' : 'compact',
      });
      const written = converted.text.trimEnd();
      assert.deepEqual(
        { bytes, tokens, losses },
        {
          bytes: utf8Length(written),
          tokens: encoding.count(written).tokens,
          losses: converted.losses.length + converted.unreported,
        },
        `${to} ${layout}`,
      );
    }
  });

  it('is a ratio to the text as it is written', () => {
    for (const { bytes, byteRatio, tokens, tokenRatio, parseMs, parseRatio } of table(CALL).rows)
      assert.deepEqual(
        { byteRatio, tokenRatio, parseMs, parseRatio },
        { byteRatio: bytes / 164, tokenRatio: tokens / 75, parseMs: undefined, parseRatio: undefined },
      );
  });

  it('holds the time of reading by the clock that is given', () => {
    // Each reading of the clock is a millisecond later, so a run takes one however often it is repeated: two times twice.
    const { rows } = table(CALL, ticking());
    assert.deepEqual(
      rows.map(({ parseMs, parseRatio }) => [parseMs, parseRatio]),
      rows.map(() => [0.5, 1]),
    );
  });

  it('of messages of several protocols names none for the text as written', () => {
    const { rows, messages } = table(
      '{"jsonrpc":"2.0","id":1,"method":"aip.capabilities.list"}\n{"kind":"list","fields":{}}\n',
    );
    assert.equal(messages, 2);
    assert.deepEqual([rows[0]?.protocol, rows[0]?.layout], [undefined, 'source']);
    assert.deepEqual(new Set(rows.slice(1).map(({ protocol }) => protocol)).size, CONVERSIONS.length);
  });

  it('of a text without a message is that of the text', () => {
    for (const text of ['', '\n', '# only a line for people\n']) {
      const { messages, rows } = table(text);
      assert.deepEqual([messages, rows.length, rows[0]?.layout], [0, 1, 'source'], text);
    }
  });

  it('counts what could not be read', () => {
    const { messages, unread } = table(`${CALL}\nstray words\n${CALL}\n`);
    assert.deepEqual([messages, unread], [2, 1]);
  });

  it('is worked out in slices, one conversion or reading each', () => {
    const work = costTable(CALL, { protocols: ALL_PROTOCOLS, name: 'o200k_base', encoding, now: ticking() });
    let slices = 0;
    while (!work.next().done) slices++;
    // 18 conversions, as many readings and counts, and the runs that are timed.
    assert.ok(slices > 3 * 18, String(slices));
  });
});
