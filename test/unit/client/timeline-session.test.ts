import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TimelineSession } from '../../../client/src/features/traces/timeline/timeline-session.ts';
import type { SourceChange, TraceSource } from '../../../client/src/trace/trace-source.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import type { ToTimeline } from '../../../wire/timeline-messages.ts';
import { REAL_COUNTER } from '../../support/token-counter.ts';
import { readEach, type PayloadPiece } from '../../../core/events/payload.ts';
import { fitPayload, type PayloadLimiter } from '../../../trace/payload-limiter.ts';
import { call } from '../../support/trace-call.ts';
import { IS_FULL_SIZE, sized } from '../../support/size.ts';

/** Traces that a test tells event by event. */
class ScriptedSource implements TraceSource {
  readonly title = 'Told';
  readonly #fold = new TraceFold();
  readonly #listeners = new Set<(change: SourceChange) => void>();

  onDidChange(listener: (change: SourceChange) => unknown): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Changes are not reported. */
  changeSilently(...events: readonly TraceEvent[]): void {
    for (const event of events) this.#fold.add(event);
    this.#fold.settle();
    this.#fold.takeChanges();
  }

  tell(...events: readonly TraceEvent[]): void {
    for (const event of events) this.#fold.add(event);
    this.#fold.settle();
    const change = { changed: this.#fold.takeChanges(), dropped: [] };
    for (const listener of this.#listeners) listener(change);
  }

  forget(id: string): void {
    const tree = this.#fold.treeOf(id);
    const dropped = tree?.roots.map(({ call }) => call.call) ?? [];
    if (tree) this.#fold.forget(tree);
    for (const listener of this.#listeners) listener({ changed: new Set(), dropped });
  }

  trees(): readonly TraceTree[] {
    return this.#fold.trees();
  }

  treeOf(id: string): TraceTree | undefined {
    return this.#fold.treeOf(id);
  }

  find(id: string): CallNode | undefined {
    return this.#fold.find(id);
  }

  async payload(id: string, room?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]> {
    const node = this.find(id);
    return fitPayload(node ? [...node.heads, ...node.wire] : [], room);
  }

  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece> {
    return readEach(calls, id => this.payload(id));
  }

  notes(): readonly string[] {
    return ['One line was left out'];
  }
}

/** A session with what it sent, each message in a line: its type, the calls it tells and those that went. */
class Heard {
  readonly messages: ToTimeline[] = [];
  readonly session: TimelineSession;
  #shown = 0;

  constructor(source: TraceSource, kind: 'live' | 'recording' = 'recording') {
    const options = { source, kind, tokens: REAL_COUNTER, depthLimit: () => 5 } as const;
    this.session = new TimelineSession(options, message => {
      this.messages.push(message);
      if (message.type === 'show') this.#shown = message.shown;
    });
  }

  /** A session whose page shows the trace of the call `a`, and took all of it in. */
  static async shown(source: TraceSource): Promise<Heard> {
    const observed = new Heard(source);
    observed.session.show('a');
    observed.session.receive({ type: 'ready' });
    await observed.drawn();
    observed.take();
    return observed;
  }

  /** The page processed the last update; then enough time passes for the next one. */
  async drawn(): Promise<void> {
    this.session.receive({ type: 'drawn', shown: this.#shown });
    await new Promise(resolve => setTimeout(resolve, 60));
  }

  /** So many messages were sent. */
  async something(count = 1): Promise<void> {
    while (this.messages.length < count) await new Promise(resolve => setTimeout(resolve, 2));
  }

  /** What a search found, once it looked at all that there is: how much it tells at a time is a matter of time. */
  async found(search: number): Promise<readonly string[]> {
    const reported = (): Extract<ToTimeline, { type: 'found' }>[] =>
      this.messages.filter(message => message.type === 'found').filter(found => found.search === search);
    while (reported().at(-1)?.share !== 1) await new Promise(resolve => setTimeout(resolve, 2));
    const all = reported();
    for (const found of all) this.messages.splice(this.messages.indexOf(found), 1);
    assert.ok(all.every(found => found.lost === 0));
    return all.flatMap(({ calls }) => calls);
  }

  /** What was sent since this was asked last. */
  take(): readonly string[] {
    return this.messages.splice(0).map(message => {
      const ids =
        'calls' in message
          ? message.calls
              .map(each => (typeof each === 'string' ? each : 'id' in each ? each.id : each.call))
              .sort()
          : [];
      const gone = 'gone' in message && message.gone.length > 0 ? ` −${message.gone.join(' ')}` : '';
      const size = 'size' in message ? ` of ${message.size}` : '';
      return `${message.type} ${ids.join(' ')}${size}${gone}`;
    });
  }
}

describe('a session of the timeline', () => {
  it('tells a trace when the page is ready, and then only what changed', async () => {
    const source = new ScriptedSource();
    source.tell(call('a', 0), call('b', 1, 'a'), { ...call('other', 2), trace: 'u' } as TraceEvent);
    const observed = new Heard(source);
    assert.deepEqual([observed.session.show('b'), observed.take()], [true, []]);
    observed.session.receive({ type: 'ready' });
    assert.deepEqual(observed.take(), ['show a b of 2']);
    await observed.drawn();
    source.tell(call('c', 3, 'b'), { type: 'end', call: 'other', at: 9, status: 'ok' });
    assert.deepEqual(observed.take(), ['calls b c of 3']);
    await observed.drawn();
    source.tell({ type: 'end', call: 'b', at: 9, status: 'ok' });
    assert.deepEqual(observed.take(), ['calls b of 3']);
    observed.session.dispose();
    assert.equal(source.listeners, 0);
  });

  it('waits until the page took in the last message, and then tells all that came meanwhile at once', async () => {
    const source = new ScriptedSource();
    source.tell(call('a', 0));
    const observed = new Heard(source);
    observed.session.show('a');
    observed.session.receive({ type: 'ready' });
    for (const id of ['b', 'c', 'd']) source.tell(call(id, 1, 'a'));
    assert.deepEqual(observed.take(), ['show a of 1']);
    await observed.drawn();
    assert.deepEqual(observed.take(), ['calls a b c d of 4']);
    observed.session.dispose();
  });

  it('tells a large trace in parts, those above first, and what changes meanwhile after them', async () => {
    const source = new ScriptedSource();
    source.tell(
      call('a', 0),
      ...Array.from({ length: sized(10_000, 1_500) }, (_, at) => call(`c${at}`, at + 1, 'a')),
    );
    const observed = new Heard(source);
    observed.session.show('a');
    observed.session.receive({ type: 'ready' });
    source.tell({ type: 'end', call: 'a', at: 20_000, status: 'ok' });
    const counts: number[] = [];
    const expected = IS_FULL_SIZE ? [1000, 8000, 1001, 1] : [1000, 501, 1];
    for (let round = 0; round < expected.length; round++) {
      for (const message of observed.messages) if ('calls' in message) counts.push(message.calls.length);
      await observed.drawn();
      observed.messages.splice(0, observed.messages.length - 1);
    }
    assert.deepEqual(counts, expected);
    observed.session.dispose();
  });

  it('begins anew with another trace, and only selects in the one that is shown', async () => {
    const source = new ScriptedSource();
    source.tell(call('a', 0), call('b', 1, 'a'), { ...call('other', 2), trace: 'u' } as TraceEvent);
    const observed = await Heard.shown(source);
    observed.session.show('b');
    observed.session.show('other');
    assert.deepEqual(
      [observed.take(), observed.session.show('gone')],
      [['select ', 'show other of 1'], false],
    );
    observed.session.dispose();
  });

  it('follows a trace whose name changes, and that joins another one', async () => {
    const source = new ScriptedSource();
    const named = (id: string, at: number, trace: string): TraceEvent =>
      ({ ...call(id, at), trace }) as TraceEvent;
    source.tell(named('a', 5, 't'), named('z', 9, 'u'));
    const observed = await Heard.shown(source);
    source.tell({ type: 'identity', call: 'z', at: 9, names: [{ scheme: 'w3c', trace: 't', parent: 'a' }] });
    const reported = observed.take();
    assert.equal(source.treeOf('a')?.size, 2);
    assert.deepEqual(reported, ['calls a z of 2']);
    observed.session.dispose();
  });

  it('finds calls of the trace that were not reported', async () => {
    const source = new ScriptedSource();
    source.tell(call('a', 0));
    const observed = await Heard.shown(source);
    source.changeSilently(call('b', 1, 'a'), call('c', 2, 'b'));
    source.tell({ type: 'end', call: 'a', at: 9, status: 'ok' });
    assert.deepEqual(observed.take(), ['calls a b c of 3']);
    observed.session.dispose();
  });

  it('says that a trace is gone', async () => {
    const source = new ScriptedSource();
    source.tell(call('a', 0));
    const observed = await Heard.shown(source);
    source.forget('a');
    assert.deepEqual(observed.take(), ['clear ']);
    observed.session.receive({ type: 'ready' });
    assert.deepEqual(observed.take(), ['clear ']);
    observed.session.dispose();
  });

  it('counts tokens when the page asks, and no more once it asks for none', async () => {
    const source = new ScriptedSource();
    source.tell(call('a', 0), { type: 'wire', call: 'a', at: 1, direction: 'out', bytes: { text: 'hello' } });
    const observed = await Heard.shown(source);
    observed.session.receive({ type: 'countTokens', count: 7, calls: ['a'] });
    await observed.something(2);
    const reported = { type: 'tokens', count: 7, encoding: 'o200k_base' };
    assert.deepEqual(observed.messages.splice(0), [
      { ...reported, calls: [{ call: 'a', tokens: { input: 1 } }], share: 0.99 },
      { ...reported, calls: [], share: 1 },
    ]);
    observed.session.receive({ type: 'countTokens', count: 8, calls: ['a'] });
    observed.session.receive({ type: 'countTokens', count: 9, calls: [] });
    await observed.drawn();
    observed.session.receive({ type: 'countTokens', count: 10, calls: ['a'] });
    observed.session.dispose();
    await observed.drawn();
    assert.deepEqual(observed.messages, []);
  });

  it('tells the payload of a call from where the page has it, and no more than a page shows', async () => {
    const source = new ScriptedSource();
    const wire = (text: string): TraceEvent => ({
      type: 'wire',
      call: 'a',
      at: 1,
      direction: 'in',
      bytes: { text },
    });
    source.tell(call('a', 0), wire('x'.repeat(300_000)), wire('😀'.repeat(200_000)), wire('rest'));
    const observed = new Heard(source);
    observed.session.receive({ type: 'ask', call: 'a', from: 1 });
    await observed.something();
    const [reported] = observed.messages;
    assert.ok(reported?.type === 'payload');
    const [cut] = reported.events;
    assert.ok(cut?.type === 'wire' && 'text' in cut.bytes);
    assert.deepEqual(
      [reported.from, reported.events.length, reported.leftOut, cut.bytes.text === '😀'.repeat(50_000)],
      [1, 1, 1, true],
    );
    observed.session.dispose();
  });

  it('tells what came back for a call part by part, the beginning of long texts, and reads on where it stopped', async () => {
    const source = new ScriptedSource();
    source.tell({ ...call('a', 0), protocol: 'agent-api' } as TraceEvent);
    const observed = new Heard(source);
    const ask = async (): Promise<unknown> => {
      observed.session.receive({ type: 'askParts', call: 'a' });
      await observed.something();
      const [reported, ...others] = observed.messages.splice(0);
      assert.deepEqual(others, []);
      assert.ok(reported?.type === 'parts');
      return reported.parts.map(({ id, kind, status, at, until, pieces, text, hidden }) =>
        [id, kind, status, `${at}-${until}`, pieces, text?.length, hidden].join(' '),
      );
    };
    const say = (at: number, text: string): TraceEvent => ({
      type: 'wire',
      call: 'a',
      at,
      direction: 'in',
      bytes: {
        text: `data: {"object":"content","type":"text","index":0,"delta":true,"msg_id":"m","status":"in_progress","text":"${text}"}\n\n`,
      },
    });
    assert.deepEqual(await ask(), []);
    source.tell(say(1, 'one'));
    assert.deepEqual(await ask(), ['0 message open 1-1 1 3 ']);
    source.tell(say(2, 'x'.repeat(30_000)));
    assert.deepEqual(await ask(), ['0 message open 1-2 2 20000 10003']);
    // A late one is before what was read already: all of it is read again.
    source.tell(say(0.5, 'zero'));
    assert.deepEqual(await ask(), ['0 message open 0.5-2 3 20000 10007']);
    source.tell({ type: 'end', call: 'a', at: 3, status: 'incomplete' });
    assert.deepEqual(await ask(), ['0 message incomplete 0.5-2 3 20000 10007']);
    observed.session.receive({ type: 'askParts', call: 'gone' });
    await observed.something();
    assert.deepEqual(observed.messages, [{ type: 'parts', call: 'gone', parts: [], notes: [] }]);
    observed.session.dispose();
  });

  it('looks for a text in what was on the wire, in what comes later too', async () => {
    const source = new ScriptedSource();
    const wire = (id: string, text: string): TraceEvent => ({
      ...{ type: 'wire', call: id, at: 3, direction: 'in' },
      bytes: { text },
    });
    source.tell(call('a', 0), call('b', 1, 'a'), wire('b', 'a NEED'), wire('b', 'LE here'));
    const observed = await Heard.shown(source);
    observed.session.receive({ type: 'search', search: 1, text: 'needle' });
    assert.deepEqual([await observed.found(1), observed.take()], [['b'], []]);
    source.tell(call('c', 4, 'a'), wire('c', 'needles'));
    assert.deepEqual([await observed.found(1), observed.take()], [['c'], ['calls a c of 3']]);
    await observed.drawn();
    observed.session.receive({ type: 'search', search: 1, text: '' });
    source.tell(call('d', 5, 'a'), wire('d', 'needle'));
    await observed.drawn();
    assert.deepEqual(observed.take(), ['calls a d of 4']);
    observed.session.dispose();
  });
});
