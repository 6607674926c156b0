import assert from 'node:assert/strict';

/** After so long it is certain that a thing does not come: many times what a busy machine takes for it. */
export const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** Waits until what is read equals what is expected; fails with the difference as it last was. */
export async function expectSoon<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const actual = await read();
    try {
      assert.deepEqual(actual, expected);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
  }
}

/** Times differ from run to run; everything else of a text is compared. */
export function withoutTimes(text: string): string {
  return text.replace(/\d[\d.]* (ms|s)\b/g, 'N ms');
}
