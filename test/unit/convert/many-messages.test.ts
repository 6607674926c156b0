import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { convertText, writtenSteps } from '../../../protocols/convert/convert.ts';
import { SharedAtoms } from '../../../core/values/shared-atoms.ts';
import { listValue, NULL, textValue, type Value } from '../../../core/values/value.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { itAtFullSize, sized } from '../../support/size.ts';
import { FaultList } from '../../../language/values/fault-list.ts';

/** More messages than may wait for the last one. */
const MANY = 10_100;

describe('a conversion of more messages than can wait', () => {
  const call =
    '{"method":"tools/call","jsonrpc":"2.0","id":1,"params":{"name":"t","arguments":{"b":2,"a":1}}}\n';
  const declared =
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}}]}}\n';

  itAtFullSize('knows tools that are declared behind them, and tells the same once', () => {
    const few = convertText(call + declared, { protocols: ALL_PROTOCOLS, from: 'mcp', to: 'aicf' });
    const many = convertText(call.repeat(MANY) + declared, {
      protocols: ALL_PROTOCOLS,
      from: 'mcp',
      to: 'aicf',
    });
    const [line = '', ...rest] = few.text.split(/(?<=\n)/);
    assert.match(line, /^CALL\|t\|1\|2\n/);
    assert.equal(many.text, line.repeat(MANY) + rest.join(''));
    assert.equal(many.messageCount, MANY + 1);
    assert.deepEqual(
      many.notes.map(note => note.message),
      few.notes.map(note => note.message),
    );
  });

  itAtFullSize('writes events where all of them are parts of a reply', () => {
    const text = `${'STREAM|a\n'.repeat(MANY)}END\n`;
    const { text: events } = convertText(text, { protocols: ALL_PROTOCOLS, from: 'aicf', to: 'a2a' });
    assert.ok(events.startsWith('data: '));
    assert.equal(events.split('"artifactUpdate"').length - 1, MANY);
  });
});

describe('a broken message of more pieces than are read', () => {
  itAtFullSize('is converted as far as it is read, and the rest is reported', () => {
    const { text, losses, unreported } = convertText(`[l:[i:1]${','.repeat(60_000)}[i:2]]`, {
      protocols: ALL_PROTOCOLS,
      to: 'json',
    });
    assert.equal(text, '[1]\n');
    assert.ok(losses.length + unreported > 0);
    assert.ok(losses.every(({ kind }) => kind === 'dropped'));
  });
});

describe('a conversion of which the length is limited', () => {
  it('drops what is longer, and writes what is not', () => {
    const text = 'OK|1\n'.repeat(sized(5_000, 500));
    const whole = convertText(text, { protocols: ALL_PROTOCOLS, to: 'json' }).text;
    for (const most of [whole.length, whole.length - 1]) {
      const { taker, written } = runAtOnce(
        writtenSteps(text, { protocols: ALL_PROTOCOLS, to: 'json', most }),
      );
      assert.equal(taker.isTooLong, most < whole.length);
      assert.equal(written.pieces.join(''), most < whole.length ? '' : whole);
    }
  });
});

describe('a long conversion whose pieces are emitted', () => {
  const assertEmitted = (text: string, to: string): void => {
    const options = { protocols: ALL_PROTOCOLS, to, layout: 'fitting' } as const;
    const stored = convertText(text, options);
    for (const mostStored of [stored.text.length - 1, stored.text.length]) {
      const emitted: string[] = [];
      const long = convertText(text, { ...options, mostStored, emit: piece => emitted.push(piece) });
      assert.equal(emitted.length > 1, mostStored < stored.text.length);
      assert.equal([...emitted, ...long.pieces].join(''), stored.text);
      assert.deepEqual(
        [long.losses, long.notes, long.messages],
        [stored.losses, stored.notes, stored.messages],
      );
    }
  };
  const value = JSON.stringify({ text: 'x'.repeat(5_000), count: 1.5 });

  it('is the same text, with the same report, as one that is stored', () =>
    assertEmitted(`${value}\n`.repeat(20), 'mcp'));

  it('may hold messages of two languages, which are read again in segments', () =>
    assertEmitted(
      `OK|${value}\n`.repeat(10) + `[d:[s:text]:[s:${'x'.repeat(5_000)}]]\n`.repeat(10),
      'json-rpc',
    ));

  it('may hold calls whose arguments get their names from a tool at the end', () =>
    assertEmitted(`${`CALL|add|1|${value}\n`.repeat(20)}TOOL|add|a:int,b:dict\n`, 'json-rpc'));

  it('may be the events of one reply', () =>
    assertEmitted(`${`STREAM|${'x'.repeat(5_000)}\n`.repeat(20)}END\n`, 'agent-api'));
});

describe('values that are alike', () => {
  it('are one object where they hold no other than such', () => {
    const shared = new SharedAtoms();
    const read = (): Value =>
      shared.share(listValue([shared.share(listValue([shared.share(textValue('a'))]))]));
    assert.deepEqual(read(), listValue([listValue([textValue('a')])]));
    assert.equal(read(), read());
    const two = listValue([NULL, NULL]);
    assert.equal(shared.share(two), two);
  });
});

describe('a list of faults', () => {
  it('is in the order of the text, with the words of the first thousands and of what comes before others', () => {
    const faults = new FaultList();
    for (let at = 0; at < 5_000; at++)
      faults.push({ kind: 'moved', span: { start: at + 1, end: at + 2 }, message: `fault ${at}` });
    faults.push({ kind: 'dropped', span: { start: 0, end: 9 }, message: 'all of it' });
    const listed = [...faults];
    assert.equal(listed.length, 5_001);
    assert.deepEqual(listed[0], { kind: 'dropped', span: { start: 0, end: 9 }, message: 'all of it' });
    assert.deepEqual(listed[1_000]?.message, 'fault 999');
    assert.deepEqual(listed[5_000]?.span, { start: 5_000, end: 5_001 });
    faults.cut(2);
    assert.deepEqual(
      [...faults].map(({ message }) => message),
      ['fault 0', 'fault 1'],
    );
  });
});
