import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { TraceIndex } from '../../../agents/store/trace-index.ts';
import { TimelineSession } from '../../../client/src/features/traces/timeline/timeline-session.ts';
import type { TraceSource } from '../../../client/src/trace/trace-source.ts';
import type { CallState } from '../../../trace/fold/call-state.ts';
import { printTraceHeader } from '../../../trace/file.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { withoutPayload } from '../../../core/events/payload.ts';
import type { ToTimeline } from '../../../wire/timeline-messages.ts';
import { REAL_COUNTER } from '../../support/token-counter.ts';
import { hostileLines } from '../../unit/trace/support/hostile-lines.ts';
import { picture } from '../../unit/trace/support/picture.ts';
import { parseTraceFile } from '../../support/at-once.ts';
import { runs } from '../../support/size.ts';

const RUNS = runs(100);
const HEADER = printTraceHeader('hostile');

describe('a hostile trace file', () => {
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    path = join(folder, 't.agenttrace.jsonl');
  });
  after(() => rm(folder, { recursive: true }));

  async function open(text: string | Uint8Array): Promise<TraceIndex> {
    await writeFile(path, text);
    const index = new TraceIndex(path);
    assert.deepEqual(await index.readOn(), { ok: true, found: 'more' });
    return index;
  }

  it('is indexed as it is read whole, with every omitted line reported', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileLines,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.constantFrom('', '\u{feff}'),
        async (lines, end, mark) => {
          const text = [mark + HEADER.trimEnd(), ...lines].join(end);
          const { events, notes } = parseTraceFile(text);
          const fold = new TraceFold('counted');
          for (const event of events) fold.add(withoutPayload(event));
          const index = await open(text);
          assert.deepEqual(picture(index.fold.trees()), picture(fold.trees()));
          assert.deepEqual(index.notes, [...notes, ...fold.notes()]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('is the same where it occurs twice, but for what has no number', async () => {
    await fc.assert(
      fc.asyncProperty(hostileLines, async lines => {
        const once = lines.map(line => JSON.parse(line) as { type?: unknown; seq?: unknown });
        const numbered = once.flatMap((event, at) =>
          event.type === 'call' ? [event] : [{ ...event, call: 'a', seq: at + 1 }],
        );
        const text = numbered.map(event => `${JSON.stringify(event)}\n`).join('');
        const [single, double] = [await open(HEADER + text), await open(HEADER + text + text)];
        assert.deepEqual(picture(double.fold.trees()), picture(single.fold.trees()));
      }),
      { numRuns: RUNS },
    );
  });

  it('comes to the timeline whole, in messages that it takes', async () => {
    await fc.assert(
      fc.asyncProperty(hostileLines, async lines => {
        const index = await open([HEADER.trimEnd(), ...lines].join('\n'));
        for (const tree of index.fold.trees()) {
          const first = tree.roots[0]?.call.call ?? '';
          const states: CallState[] = [];
          const messages: ToTimeline[] = [];
          const session = new TimelineSession(
            {
              source: sourceOf(index),
              kind: 'recording',
              tokens: REAL_COUNTER,
              depthLimit: () => 5,
            },
            message => messages.push(message),
          );
          assert.equal(session.show(first), true);
          session.receive({ type: 'ready' });
          session.receive({ type: 'ask', call: first, from: 0 });
          await new Promise(resolve => setImmediate(resolve));
          for (const message of messages) {
            // As it is on its way to the page.
            const sent = JSON.parse(JSON.stringify(message)) as ToTimeline;
            if ('calls' in sent && sent.type === 'show') states.push(...sent.calls);
          }
          session.dispose();
          assert.equal(states.length, tree.size);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('is refused with a reason where it is of another encoding', async () => {
    await writeFile(path, Buffer.from(`\u{feff}${HEADER}`, 'utf16le'));
    const answer = await new TraceIndex(path).readOn();
    assert.match(answer.ok ? '' : answer.message, /^This is not a trace file: its first line should be /);
  });
});

function sourceOf(index: TraceIndex): TraceSource {
  return {
    title: 'hostile',
    onDidChange: () => ({ dispose: () => undefined }),
    trees: () => index.fold.trees(),
    treeOf: call => index.fold.treeOf(call),
    find: call => index.fold.find(call),
    payload: (call, room) => index.payload(call, room),
    payloads: calls => index.payloads(calls),
    notes: () => index.notes,
  };
}
