import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { RecorderQueue } from '../../../agents/proxy/thread/recorder-queue.ts';
import type { ExchangeAct } from '../../../agents/proxy/thread/recorder-messages.ts';

const MB = 2 ** 20;

describe('acts that are to be recorded', () => {
  let sent: (readonly ExchangeAct[])[] = [];
  let queue: RecorderQueue | undefined;
  afterEach(() => {
    queue?.drop();
    sent = [];
  });

  let at = 1;
  function open(maxBehind = 8 * MB): RecorderQueue {
    at = 1;
    queue = new RecorderQueue(
      acts => void sent.push(acts),
      () => at,
      maxBehind,
    );
    return queue;
  }

  /** What was sent: of each act its exchange and type, and its bytes. */
  function read(): readonly string[] {
    return sent.flat().map(act => {
      const { exchange, type } = act;
      return 'bytes' in act
        ? `${exchange} ${type} ${Buffer.from(act.bytes).toString()}`
        : `${exchange} ${type}`;
    });
  }

  it('are one for what was read together of one exchange, and others for all else', () => {
    const acts = open();
    // Each with memory of its own, as what a socket reads has.
    const write = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer);
    const first = write('5\r\nhello\r\n3\r\nyou\r\n');
    acts.addBytes(1, 'replyBody', first.subarray(3, 8));
    acts.addBytes(1, 'replyBody', first.subarray(13, 16));
    acts.addBytes(1, 'replyBody', write('next'));
    const both = write('of two');
    acts.addBytes(1, 'replyBody', both.subarray(0, 2));
    acts.add({ exchange: 1, at: 1, type: 'replyOver' });
    acts.addBytes(2, 'replyBody', both.subarray(2));
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
    const text = '0123456789'.repeat(20_000);
    const bytes = Buffer.from(text);
    acts.addBytes(1, 'requestBody', bytes);
    const other = Buffer.from('short');
    acts.addBytes(1, 'requestBody', other);
    acts.send();
    bytes.fill(0);
    other.fill(0);
    const prefix = '1 requestBody '.length;
    const texts = read().map(line => line.slice(prefix));
    assert.deepEqual([texts.join(''), texts.at(-1)], [`${text}short`, 'short']);
    assert.ok(texts.every(each => each.length <= 2 ** 16));
  });

  it('are sent soon, and at once if they are many', async () => {
    const acts = open();
    acts.add({ exchange: 1, at: 1, type: 'requestOver' });
    const counts = [sent.length, acts.isEmpty];
    await new Promise(resolve => setTimeout(resolve, 50));
    counts.push(sent.length, acts.isEmpty);
    acts.addBytes(1, 'replyBody', Buffer.alloc(MB));
    assert.deepEqual([...counts, sent.length], [0, false, 1, true, 2]);
  });

  it('are too many until half of them are recorded', () => {
    const acts = open(2 * MB);
    const states: boolean[] = [];
    let isFree = false;
    for (let reported = 0; reported < 3; reported++) {
      states.push(acts.isFull);
      acts.addBytes(1, 'replyBody', Buffer.alloc(MB));
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
    let isFree = false;
    acts.add({ exchange: 1, at: 1, type: 'requestOver' });
    at = 300;
    const states = [acts.isFull];
    at = 302;
    states.push(acts.isFull);
    acts.send();
    acts.whenFree(() => (isFree = true));
    states.push(acts.isFull, isFree);
    acts.recorded();
    assert.deepEqual([...states, acts.isFull, isFree], [false, true, true, false, false, true]);
  });

  it('release waiting callers once the recorder is gone', () => {
    const acts = open(2 * MB);
    let freed = 0;
    for (let reported = 0; reported < 3; reported++) acts.addBytes(1, 'replyBody', Buffer.alloc(MB));
    acts.send();
    acts.whenFree(() => freed++);
    const before = [acts.isFull, freed];
    acts.drop();
    acts.drop();
    assert.deepEqual([before, acts.isFull, freed], [[true, 0], false, 1]);
  });
});
