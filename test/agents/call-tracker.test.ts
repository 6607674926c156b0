import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { CallTracker } from '../../agents/call-tracker.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { Redactor } from '../../core/secrets/redact.ts';

describe('a call tracker', () => {
  let reported: TraceEvent[];
  let time: number;
  beforeEach(() => {
    reported = [];
    time = 100;
  });

  const track = (...secrets: readonly string[]): CallTracker =>
    new CallTracker(
      'c',
      { emit: event => void reported.push(event), now: () => time++ },
      new Redactor(secrets),
    );
  const BEGINNING = { trace: 't', agent: 'coder', protocol: 'aio', title: 'plan' } as const;

  it('counts the events after the call, and takes times that are given', () => {
    const tracker = track();
    tracker.head('out', 'POST /', [], 7);
    tracker.bytes('out', Buffer.from('{}'), { at: 8 });
    tracker.begin({ ...BEGINNING, at: 6, seen: 'between', back: true });
    tracker.bytes('stderr', Uint8Array.of(0xff));
    tracker.note('odd');
    tracker.learn({ title: 'plan trip', session: 's' });
    assert.deepEqual(
      tracker.end({ status: 'error', code: '1', message: 'no', usage: { input: 1, output: 2 } }),
      { code: '1', message: 'no' },
    );
    assert.deepEqual(reported, [
      { type: 'head', call: 'c', at: 7, seq: 1, direction: 'out', line: 'POST /', headers: [] },
      { type: 'wire', call: 'c', at: 8, seq: 2, direction: 'out', bytes: { text: '{}' } },
      { type: 'call', call: 'c', at: 6, ...BEGINNING, seen: 'between', back: true },
      { type: 'wire', call: 'c', at: 100, seq: 3, direction: 'stderr', bytes: { base64: '/w==' } },
      { type: 'note', call: 'c', at: 101, seq: 4, text: 'odd' },
      { type: 'identity', call: 'c', at: 102, seq: 5, title: 'plan trip', session: 's' },
      {
        type: 'end',
        call: 'c',
        at: 103,
        seq: 6,
        status: 'error',
        code: '1',
        message: 'no',
        usage: { input: 1, output: 2 },
      },
    ]);
  });

  it('lets no secret into what a call is known by', () => {
    const tracker = track('pass');
    const names = [{ scheme: 'aio', trace: 'a-pass', id: 'pass1', parent: 'pass', depth: 3 }] as const;
    const hidden = {
      title: 'say [redacted]',
      session: '[redacted]!',
      names: [{ scheme: 'aio', trace: 'a-[redacted]', id: '[redacted]1', parent: '[redacted]', depth: 3 }],
    };
    tracker.begin({ ...BEGINNING, title: 'say pass', session: 'pass!', names });
    tracker.learn({ title: 'say pass', session: 'pass!', names });
    assert.deepEqual(reported, [
      { type: 'call', call: 'c', at: 100, ...BEGINNING, ...hidden },
      { type: 'identity', call: 'c', at: 101, seq: 1, ...hidden },
    ]);
  });

  it('finds a secret that is split over pieces of a request, and lets go of what was held where that is whole', async () => {
    const endTurn = (): Promise<void> => Promise.resolve();
    const texts = (): readonly unknown[] =>
      reported.flatMap(event => (event.type === 'wire' && 'text' in event.bytes ? [event.bytes.text] : []));
    const tracker = track('secret');
    for (const piece of ['a sec', 'ret b sec']) tracker.bytes('out', Buffer.from(piece));
    await endTurn();
    assert.deepEqual(texts(), ['a ', '[redacted] b ']);
    tracker.flush('out');
    tracker.bytes('out', Buffer.from('ret se'));
    await endTurn();
    assert.deepEqual(texts().slice(2), ['sec', 'ret ']);
    // The reply begins, so the request is whole.
    tracker.head('in', '200 OK', []);
    assert.deepEqual(texts().slice(4), ['se']);
    tracker.bytes('in', Buffer.from('tok se'));
    tracker.secret('token');
    tracker.secret('token');
    tracker.bytes('in', Buffer.from('cret tok'));
    tracker.bytes('in', Buffer.from('en to'));
    tracker.end({ status: 'ok' });
    assert.deepEqual(texts().slice(5), ['tok ', 'se', 'cret ', '[redacted] ', 'to']);
  });

  it('stores small chunks of a body that arrive together as one event, with their count', async () => {
    const tracker = new CallTracker(
      'c',
      { emit: event => void reported.push(event), now: () => time },
      new Redactor(['secret']),
    );
    const counts = (): readonly unknown[] =>
      reported
        .splice(0)
        .map(event => (event.type === 'wire' ? [event.direction, event.bytes, event.count] : event.type));
    for (const letter of 'a secret be') tracker.bytes('in', Buffer.from(letter));
    tracker.bytes('stderr', Buffer.from('odd'));
    tracker.bytes('in', Buffer.from('fore'));
    assert.deepEqual(counts(), [
      ['in', { text: 'a [redacted] be' }, 11],
      ['stderr', { text: 'odd' }, undefined],
    ]);
    await Promise.resolve();
    tracker.bytes('in', Buffer.from(' se'));
    tracker.note('it pauses');
    tracker.bytes('in', Buffer.from('cret'), { chunks: 4 });
    time += 1;
    tracker.bytes('in', Buffer.from('.'));
    tracker.bytes('in', Buffer.alloc(1024, '-'));
    tracker.bytes('in', Buffer.from('sec'));
    tracker.end({ status: 'ok' });
    assert.deepEqual(counts(), [
      ['in', { text: 'fore' }, undefined],
      ['in', { text: ' ' }, undefined],
      'note',
      ['in', { text: '[redacted]' }, 4],
      ['in', { text: '.' }, undefined],
      ['in', { text: '-'.repeat(1024) }, undefined],
      ['in', { text: 'sec' }, undefined],
      'end',
    ]);
    tracker.bytes('in', Buffer.alloc(2 ** 20 + 1, 'x'));
    assert.deepEqual(
      counts().map(each => (Array.isArray(each) ? (each as unknown[])[2] : each)),
      [undefined, 0],
    );
  });

  it('tells a long request in events of a megabyte, none of which cuts a character or a secret', () => {
    const secret = 'sec\u20acret';
    // The secret begins before the end of the first megabyte, and characters stand across all others.
    const text = `${'x'.repeat(2 ** 20 - 4)}${secret}${'\u20ac'.repeat(2 ** 19)}`;
    const tracker = track(secret);
    tracker.bytes('out', Buffer.from(text));
    tracker.flush('out');
    const pieces = reported.flatMap(event =>
      event.type === 'wire' && 'text' in event.bytes ? [event.bytes.text] : [],
    );
    assert.equal(pieces.join(''), text.replace(secret, '[redacted]'));
    assert.deepEqual([reported.length, pieces.length], [3, 3]);
    assert.deepEqual(
      reported.map(event => event.type !== 'call' && event.seq),
      [1, 2, 3],
    );
  });
});
