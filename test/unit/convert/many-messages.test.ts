import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { convertText, writtenSteps } from '../../../protocols/convert/convert.ts';
import { SharedAtoms } from '../../../core/values/shared-atoms.ts';
import { listValue, NULL, textValue, type Value } from '../../../core/values/value.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { itAtFullSize } from '../../support/size.ts';
import { FaultList } from '../../../language/values/fault-list.ts';

/** More messages than may wait for the last one. */
const MANY = 10_100;

describe('a conversion of more messages than can wait', () => {
  const call =
    '{"method":"tools/call","jsonrpc":"2.0","id":1,"params":{"name":"t","arguments":{"b":2,"a":1}}}\n';
  const declared =
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}}]}}\n';

  itAtFullSize('knows tools that are declared behind them, and tells the same once', () => {
    const few = convertText(call + declared, { from: 'mcp', to: 'aicf' });
    const many = convertText(call.repeat(MANY) + declared, { from: 'mcp', to: 'aicf' });
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
    const { text: events } = convertText(text, { from: 'aicf', to: 'a2a' });
    assert.ok(events.startsWith('data: '));
    assert.equal(events.split('"artifactUpdate"').length - 1, MANY);
  });
});

describe('a broken message of more pieces than are read', () => {
  itAtFullSize('is converted as far as it is read, and the rest is told', () => {
    const { text, losses, untold } = convertText(`[l:[i:1]${','.repeat(60_000)}[i:2]]`, { to: 'json' });
    assert.equal(text, '[1]\n');
    assert.ok(losses.length + untold > 0);
    assert.ok(losses.every(({ kind }) => kind === 'dropped'));
  });
});

describe('a conversion of which the length is limited', () => {
  it('drops what is longer, and writes what is not', () => {
    const text = 'OK|1\n'.repeat(5_000);
    const whole = convertText(text, { to: 'json' }).text;
    for (const most of [whole.length, whole.length - 1]) {
      const { taker, written } = runAtOnce(writtenSteps(text, { to: 'json', most }));
      assert.equal(taker.isTooLong, most < whole.length);
      assert.equal(written.pieces.join(''), most < whole.length ? '' : whole);
    }
  });
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
