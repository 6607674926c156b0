import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { RecorderThread } from '../../../agents/proxy/recorder-thread.ts';
import { now } from '../../../agents/runtime.ts';
import { readBytes } from '../../../core/events/bytes.ts';
import type { WireEvent } from '../../../core/events/events.ts';
import { sized } from '../../support/size.ts';

const PIECE = 64 * 2 ** 10;
const MOST_BEHIND = sized(16 * 2 ** 20, 2 ** 20);
/** In the gate, too, several times what may wait to be recorded. */
const PIECES = sized(2 ** 14, 2 ** 7);

describe('the thread that records, while more comes', () => {
  let thread: RecorderThread | undefined;
  afterEach(async () => void (await thread?.close()));

  /** Tells of pieces of a reply, with a pause after so many, until some are recorded; answers how many of them came first, together. */
  async function tell(size: number, burst: number, pause: () => Promise<unknown>): Promise<number> {
    const started = await RecorderThread.start({ to: 'starter' }, now, { mostBehind: MOST_BEHIND });
    assert.ok(started.ok);
    ({ thread } = started);
    let [told, recorded, first] = [0, 0, 0];
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
      told += burst * size;
      await pause();
    }
    exchange.replyOver();
    await recorder.stop({ status: 'ok' });
    assert.equal(recorded, told);
    return first / size;
  }

  it('tells of a trickle soon, although it never pauses for long', async () => {
    // As many as there are milliseconds until what goes together is sent.
    const together = await tell(1, 1, () => setTimeout(1));
    assert.ok(together < 100, `${together} pieces waited for each other`);
  });

  it('tells of a flood that does not end', async () => {
    // So much in each turn is a flood on a busy machine, too.
    const together = await tell(PIECE, 8, () => setImmediate());
    assert.ok(together > 4, `${together} pieces went together`);
  });

  it('records all of a flood in little memory', async function () {
    this.timeout(120_000);
    const started = await RecorderThread.start({ to: 'starter' }, now, { mostBehind: MOST_BEHIND });
    assert.ok(started.ok);
    ({ thread } = started);
    let [told, recorded, next] = [0, 0, 0];
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
    const memory = recorder.openMemory();
    assert.ok(memory);
    const used = new Set<ArrayBufferLike>();
    for (let count = 0; count < PIECES; count++) {
      if (recorder.isFull) await new Promise<void>(resolve => recorder.whenFree(resolve));
      memory.next().fill('x', 0, PIECE).write(String(count).padStart(8, '0'));
      const bytes = memory.take(PIECE);
      used.add(bytes.buffer);
      exchange.replyBody(bytes);
      told += bytes.length;
      if (count % 64 === 0) await setImmediate();
    }
    memory.close();
    exchange.replyOver();
    await recorder.stop({ status: 'ok' });
    assert.deepEqual([told, recorded, next], [PIECES * PIECE, PIECES * PIECE, PIECES]);
    const bytes = [...used].reduce((sum, { byteLength }) => sum + byteLength, 0);
    assert.ok(bytes < MOST_BEHIND + 2 * 2 ** 20, `${bytes} bytes of memory were used`);
  });
});

function readWire({ bytes }: WireEvent): { readonly text: string; readonly length: number } {
  const text = 'text' in bytes ? bytes.text : '';
  return { text, length: readBytes(bytes).length };
}
