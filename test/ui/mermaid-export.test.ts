import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../core/events/events.ts';
import {
  call,
  end,
  fold,
  testAnyTrace,
  testParticipants,
  useMermaid,
  write,
} from './support/mermaid-page.ts';

describe("sequence diagrams, by Mermaid's own parser and painter", () => {
  const mermaid = useMermaid();
  const { parse, draw } = mermaid;

  it('show every name as it is, and run none of them', async () => {
    const names: readonly (readonly [name: string, shown: string])[] = HOSTILE.map(each =>
      typeof each === 'string' ? [each, each] : each,
    );
    const events = names.flatMap(([name], index) => {
      const id = `c${index}`;
      const status = index % 2 === 0 ? 'ok' : 'error';
      return [
        call(id, index * 10, { agent: name, title: name }),
        end(id, index * 10 + 5, {
          status,
          ...(status === 'error' ? { code: name === ' ' ? 'none' : name } : {}),
        }),
      ];
    });
    const { participants, messages } = await draw(await write(fold(events)));
    assert.deepEqual(participants, ['client', ...names.map(([, shown]) => shown)]);
    assert.deepEqual(
      messages,
      names.flatMap(([, shown], index) => [
        shown,
        index % 2 === 0 ? 'ok · 5 ms' : `error ${shown === "' '" ? 'none' : shown} · 5 ms`,
      ]),
    );
    assert.equal(await mermaid.page.evaluate('globalThis.hit'), undefined);
  });

  for (const count of [1, 2, 5]) testParticipants(mermaid, count);

  it('have cycles, failures, orphans, calls that go on, a client by name, and several traces', async () => {
    const trees = fold([
      call('a', 10, { agent: 'planner', title: 'plan' }),
      call('b', 20, { parent: 'a', agent: 'coder', title: 'code' }),
      call('c', 30, { parent: 'b', agent: 'planner', title: 'ask back' }),
      call('d', 40, { parent: 'c', agent: 'planner', title: 'ask myself' }),
      end('d', 50, { status: 'cancelled', code: 'STOPPED' }),
      end('c', 60, { status: 'error', code: '500' }),
      end('b', 70, { status: 'incomplete' }),
      call('o', 80, { parent: 'nobody', agent: 'orphan', title: 'lost' }),
      end('o', 81),
      call('x', 15, { trace: 'u', agent: 'client', title: 'of the same name' }),
      end('x', 16),
    ]);
    assert.deepEqual(await parse(await write(trees)), {
      participants: ['client', 'planner', 'coder', 'orphan', 'client'],
      messages: [
        'client note client: Trace t',
        'client ->> planner: plan',
        'planner ->> coder: code',
        'coder ->> planner: ask back',
        'planner ->> planner: ask myself',
        'planner --x planner: stopped · 10 ms',
        'planner --x coder: error 500 · 30 ms',
        'coder --x planner: incomplete · 50 ms',
        'client ->> orphan: lost',
        'orphan -->> client: ok · 1 ms',
        'client note client: Trace u',
        'client ->> client: of the same name',
        'client -->> client: ok · 1 ms',
      ],
    });
  });

  it('say what to do where they are larger than Mermaid draws unasked', async () => {
    const many = (count: number): readonly TraceEvent[] =>
      Array.from({ length: count }, (_, index) => [
        call(`c${index}`, index, { agent: 'agent', title: 'x'.repeat(1000) }),
      ]).flat();
    const [small, large] = [await write(fold(many(48))), await write(fold(many(50)))];
    const drawn = [await draw(small), await draw(large), await draw(large, 100_000)];
    assert.deepEqual(
      drawn.map(({ messages }) => messages.length),
      [48, 0, 50],
    );
    assert.deepEqual(
      [small.split('\n')[0], large.split('\n')[0]],
      [
        'sequenceDiagram',
        '%% These are 50669 characters: set maxTextSize in the configuration of Mermaid, which draws 50000 by default',
      ],
    );
  });

  testAnyTrace(mermaid, 5);
});

/** Names that would end their line, begin markup or steer the diagram; those that are shown otherwise, with how. */
const HOSTILE: readonly (string | readonly [name: string, shown: string])[] = [
  ['', "''"],
  [' ', "' '"],
  'end',
  'End of "it"',
  "o'clock",
  'a:b',
  'a;b',
  'a#b',
  '#35;',
  '&amp;',
  '&#35;',
  ['line\nbreak', 'line⏎break'],
  ['cr\r\nlf', 'crU+000D⏎lf'],
  ['tab\there', 'tabU+0009here'],
  '-->',
  'p9->>p9: x',
  '<b>bold</b>',
  '<br/>',
  '<script>globalThis.hit=1</script>',
  '<img src=x onerror="globalThis.hit=1">',
  '%% comment',
  '%%{init: {"theme":"dark"}}%%',
  ['---\ntitle: x\n---', '---⏎title: x⏎---'],
  '`code`',
  '$$x^2$$',
  '{"type":"actor"}',
  '@{ "type": "database" }',
  '[link](javascript:globalThis.hit=1)',
  'emoji 😀',
  'עברית',
  'العربية',
  ['\u202egnp.exe', 'U+202Egnp.exe'],
  ['zero\u200bwidth', 'zeroU+200Bwidth'],
  ['\u00a0nbsp', 'U+00A0nbsp'],
  ['\ud800lone', 'U+D800lone'],
  ['\u0000nul', 'U+0000nul'],
  ['\u001b[31mred', 'U+001B[31mred'],
  '日本語',
  'wrap: x',
  'nowrap: x',
  'as',
  'a as b',
  'participant x',
  'note over p0: x',
  'loop',
  'activate p0',
  'style x:y#z;',
  'classDef x:#y;',
  '+plus',
  '-minus',
  '()',
  '\\n',
  'a|b',
  'a,b',
  '__proto__',
  'constructor',
  'ﬂ°°35¶ß',
  'x'.repeat(300),
];
