import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Outgoing, Reply, WireListener } from '../../../agents/connection.ts';
import { Greeting } from '../../../agents/greeting.ts';

const LISTENER: WireListener = {
  head: () => undefined,
  bytes: () => undefined,
  note: () => undefined,
  progress: () => undefined,
};
const REQUEST: Outgoing = { wireText: 'request' };
const ANSWER: Reply = { status: 'ok', isProtocol: true, text: 'answer' };
const STOPPED: Reply = { status: 'cancelled', isProtocol: false, text: '', code: 'CANCELLED' };

/** A greeting whose questions are answered by hand, or stopped with their signal. */
function greet(timeout?: number): {
  readonly greeting: Greeting<string>;
  readonly answers: ((reply: Reply) => void)[];
} {
  const answers: ((reply: Reply) => void)[] = [];
  const greeting = new Greeting({
    text: () => 'question',
    read: reply => reply.text,
    send: (_, __, signal) =>
      new Promise(resolve => {
        answers.push(resolve);
        signal.addEventListener('abort', () => resolve(STOPPED));
      }),
    timeout,
  });
  return { greeting, answers };
}

describe('what a connection asks once', () => {
  it('is asked by the next request that waits, where the one that asked is stopped', async () => {
    const { greeting, answers } = greet();
    const stop = new AbortController();
    const first = greeting.before(REQUEST, LISTENER, stop.signal);
    const second = greeting.before(REQUEST, LISTENER, new AbortController().signal);
    const third = greeting.before(REQUEST, LISTENER, new AbortController().signal);
    stop.abort();
    assert.deepEqual(await first, { ok: false, reply: STOPPED });
    while (answers.length < 2) await new Promise(resolve => setImmediate(resolve));
    answers[1]?.(ANSWER);
    assert.deepEqual(await Promise.all([second, third]), [
      { ok: true, request: REQUEST },
      { ok: true, request: REQUEST },
    ]);
    assert.deepEqual([answers.length, greeting.answer], [2, 'answer']);
  });

  it('keeps no request that is stopped while another one asks', async () => {
    const { greeting, answers } = greet();
    const first = greeting.before(REQUEST, LISTENER, new AbortController().signal);
    const stop = new AbortController();
    const second = greeting.before(REQUEST, LISTENER, stop.signal);
    stop.abort();
    // Whoever sends it next tells that it was stopped.
    assert.deepEqual(await second, { ok: true, request: REQUEST });
    answers[0]?.(ANSWER);
    assert.deepEqual([await first, answers.length], [{ ok: true, request: REQUEST }, 1]);
  });

  it('counts as time of the call', async () => {
    const { greeting, answers } = greet(1000);
    const asked = greeting.before(REQUEST, LISTENER, new AbortController().signal);
    await new Promise(resolve => setTimeout(resolve, 50));
    answers[0]?.(ANSWER);
    const greeted = await asked;
    const left = greeted.ok ? (greeted.request.timeout ?? Infinity) : Infinity;
    assert.ok(left >= 1 && left < 1000, String(left));
  });
});
