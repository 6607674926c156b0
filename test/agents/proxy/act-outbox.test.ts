import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ActOutbox } from '../../../agents/proxy/thread/act-outbox.ts';
import type { ExchangeAct } from '../../../agents/proxy/thread/recorder-messages.ts';

const MB = 2 ** 20;

describe('acts that are to be recorded', () => {
  let sent: { readonly acts: readonly ExchangeAct[]; readonly memory: Uint8Array }[] = [];
  let outbox: ActOutbox | undefined;
  afterEach(() => {
    outbox?.drop();
    sent = [];
  });

  function send(acts: readonly ExchangeAct[], memory = new Uint8Array()): void {
    sent.push({ acts, memory });
  }

  let at = 1;
  function open(maxBehind = 8 * MB): ActOutbox {
    at = 1;
    outbox = new ActOutbox({ send, now: () => at, maxBehind });
    return outbox;
  }

  /** What was sent: of each act its exchange and type, and its bytes. */
  function read(): readonly string[] {
    return sent.flatMap(({ acts, memory }) =>
      acts.map(act => {
        const { exchange, type } = act;
        if (!('bytes' in act)) return `${exchange} ${type}`;
        const { from, length } = act.bytes;
        return `${exchange} ${type} ${Buffer.from(memory).toString('utf8', from, from + length)}`;
      }),
    );
  }

  it('are one for what was read together of one exchange, and others for all else', () => {
    const acts = open();
    // Each with memory of its own, as what a socket reads has.
    const write = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer);
    const first = write('5\r\nhello\r\n3\r\nyou\r\n');
    acts.emitBytes(1, 'replyBody', first.subarray(3, 8));
    acts.emitBytes(1, 'replyBody', first.subarray(13, 16));
    acts.emitBytes(1, 'replyBody', write('next'));
    const both = write('of two');
    acts.emitBytes(1, 'replyBody', both.subarray(0, 2));
    acts.tell({ exchange: 1, at: 1, type: 'replyOver' });
    acts.emitBytes(2, 'replyBody', both.subarray(2));
    acts.send();
    assert.deepEqual(read(), [
      '1 replyBody helloyou',
      '1 replyBody next',
      '1 replyBody of',
      '1 replyOver',
      '2 replyBody  two',
    ]);
  });

  it('hold copies of what was read elsewhere, however long', () => {
    const acts = open();
    const bytes = Buffer.from('0123456789'.repeat(20_000));
    acts.emitBytes(1, 'requestBody', bytes);
    const other = Buffer.from('short');
    acts.emitBytes(1, 'requestBody', other);
    bytes.fill(0);
    other.fill(0);
    acts.send();
    const prefix = '1 requestBody '.length;
    const texts = read().map(line => line.slice(prefix));
    assert.deepEqual([texts.join(''), texts.at(-1)], [`${'0123456789'.repeat(20_000)}short`, 'short']);
    assert.ok(texts.every(text => text.length <= 2 ** 16));
  });

  it('are too many until half of them are recorded', () => {
    const acts = open(2 * MB);
    const states: boolean[] = [];
    let isFree = false;
    for (let reported = 0; reported < 3; reported++) {
      states.push(acts.isFull);
      acts.emitBytes(1, 'replyBody', Buffer.alloc(MB));
    }
    acts.send();
    acts.whenFree(() => (isFree = true));
    const seen: boolean[] = [];
    sent.forEach(() => {
      seen.push(isFree);
      acts.recorded();
    });
    assert.deepEqual([states, acts.isFull, isFree], [[false, false, true], false, true]);
    assert.deepEqual([seen[0], seen.length > 2], [false, true]);
  });

  it('are too many where one waits for more than 0.3 s, however small, until it is recorded', () => {
    const acts = open();
    const states: boolean[] = [];
    let isFree = false;
    acts.tell({ exchange: 1, at: 1, type: 'requestOver' });
    at = 300;
    states.push(acts.isFull);
    at = 302;
    states.push(acts.isFull);
    acts.emitBytes(1, 'replyBody', Buffer.alloc(MB / 2));
    acts.send();
    states.push(acts.isFull);
    acts.whenFree(() => (isFree = true));
    states.push(isFree);
    sent.forEach(() => acts.recorded());
    assert.deepEqual([...states, acts.isFull, isFree], [false, true, true, false, false, true]);
  });

  it('are too many where they would take more than 0.3 s by the speed of those before', () => {
    const acts = open(64 * MB);
    const record = (bytes: number, took: number): void => {
      acts.emitBytes(1, 'replyBody', Buffer.alloc(bytes));
      acts.send();
      at += took;
      sent.splice(0).forEach(() => acts.recorded());
    };
    const most = (): number => {
      let reported = 0;
      for (; !acts.isFull; reported++) acts.emitBytes(1, 'replyBody', Buffer.alloc(MB));
      acts.send();
      sent.splice(0).forEach(() => acts.recorded());
      return reported;
    };
    // It is not known yet; then 10 kB a millisecond, and so little that 1 MiB may wait all the same.
    record(MB / 2, 60);
    const some = most();
    for (let count = 0; count < 20; count++) record(MB / 2, 200);
    assert.deepEqual([some, most()], [3, 1]);
  });

  it('release waiting callers once the recorder is gone', () => {
    const acts = open(2 * MB);
    let freed = 0;
    for (let reported = 0; reported < 3; reported++) acts.emitBytes(1, 'replyBody', Buffer.alloc(MB));
    acts.send();
    acts.whenFree(() => freed++);
    const before = [acts.isFull, freed];
    acts.drop();
    acts.drop();
    assert.deepEqual([before, acts.isFull, freed], [[true, 0], false, 1]);
  });
});
