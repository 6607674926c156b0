import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { RecorderThread } from '../../../agents/proxy/thread/recorder-thread.ts';
import { now } from '../../../agents/runtime.ts';
import { readBytes } from '../../../core/events/bytes.ts';
import type { WireEvent } from '../../../core/events/events.ts';
import { sized } from '../../support/size.ts';

const PIECE = 64 * 2 ** 10;
const MAX_BEHIND = sized(16 * 2 ** 20, 2 ** 20);
/** In the gate, too, several times what may wait to be recorded. */
const PIECES = sized(2 ** 14, 2 ** 7);

describe('the thread that records, while more comes', () => {
  let thread: RecorderThread | undefined;
  afterEach(async () => void (await thread?.close()));

  /** Tells of pieces of a reply, with a pause after so many, until some are recorded; answers how many of them came first, together. */
  async function report(size: number, burst: number, pause: () => Promise<unknown>): Promise<number> {
    const started = await RecorderThread.start({ to: 'starter' }, now, { maxBehind: MAX_BEHIND });
    assert.ok(started.ok);
    ({ thread } = started);
    let [reported, recorded, first] = [0, 0, 0];
    const recorder = thread.open({ agent: 'a', secrets: [], secretHeaders: [] }, event => {
      if (event.type !== 'wire') return;
      recorded += readBytes(event.bytes).length;
      if (first === 0) queueMicrotask(() => (first ||= recorded));
    });
    const exchange = recorder.open(
      { method: 'POST', path: '/', line: 'POST /', headers: [] },
      'http://127.0.0.1:1',
    );
    exchange.requestOver();
    exchange.replyHead('200 OK', 200, []);
    while (recorded === 0) {
      for (let count = 0; count < burst; count++)
        exchange.replyBody(Buffer.from(new Uint8Array(size).fill(0x78).buffer));
      reported += burst * size;
      await pause();
    }
    exchange.replyOver();
    await recorder.stop({ status: 'ok' });
    assert.equal(recorded, reported);
    return first / size;
  }

  it('tells of a trickle soon, although it never pauses for long', async () => {
    // As many as there are milliseconds until what goes together is sent.
    const together = await report(1, 1, () => setTimeout(1));
    assert.ok(together < 100, `${together} pieces waited for each other`);
  });

  it('tells of a flood that does not end', async () => {
    // So much in each turn is a flood on a busy machine, too.
    const together = await report(PIECE, 8, () => setImmediate());
    assert.ok(together > 4, `${together} pieces went together`);
  });

  it('records all of a flood in little memory', async () => {
    const started = await RecorderThread.start({ to: 'starter' }, now, { maxBehind: MAX_BEHIND });
    assert.ok(started.ok);
    ({ thread } = started);
    let [reported, recorded, next, behind] = [0, 0, 0, 0];
    const recorder = thread.open({ agent: 'a', secrets: [], secretHeaders: [] }, event => {
      if (event.type !== 'wire') return;
      const { text, length } = readWire(event);
      recorded += length;
      // Each piece says which one it is.
      if (Number(text.slice(0, 8)) === next) next++;
    });
    const exchange = recorder.open(
      { method: 'POST', path: '/', line: 'POST /', headers: [] },
      'http://127.0.0.1:1',
    );
    exchange.requestOver();
    exchange.replyHead('200 OK', 200, []);
    for (let count = 0; count < PIECES; count++) {
      if (recorder.isFull) await new Promise<void>(resolve => recorder.whenFree(resolve));
      exchange.replyBody(Buffer.from(String(count).padStart(8, '0').padEnd(PIECE, 'x')));
      reported += PIECE;
      behind = Math.max(behind, reported - recorded);
      if (count % 64 === 0) await setImmediate();
    }
    exchange.replyOver();
    await recorder.stop({ status: 'ok' });
    assert.deepEqual([reported, recorded, next], [PIECES * PIECE, PIECES * PIECE, PIECES]);
    assert.ok(behind < MAX_BEHIND + 2 * 2 ** 20, `${behind} bytes waited`);
  });
});

function readWire({ bytes }: WireEvent): { readonly text: string; readonly length: number } {
  const text = 'text' in bytes ? bytes.text : '';
  return { text, length: readBytes(bytes).length };
}
