import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { begin, HEADER, print, printChain, printChildren, useTraceWindow } from './support/trace-window.ts';
import { expectSoon } from './support/wait.ts';

const SCRIPT = '<img src=x onerror="top.hurt=globalThis.hurt=1"><script>top.hurt=globalThis.hurt=1</script>';
const LINK = 'javascript:top.hurt=globalThis.hurt=1';

/** A hundredth of what the stress tests open. */
const DEEP = 1_000;
const CHILDREN = 5_000;

const end = (call: string, at: number, more: object = {}): object => ({
  ...{ type: 'end', call, at, status: 'ok' },
  ...more,
});
/** Script in every field of every event, and the keys of prototypes for ids. */
function listEvil(): readonly object[] {
  const evil = { agent: SCRIPT, from: SCRIPT, title: SCRIPT, session: SCRIPT };
  const source = { uri: LINK, line: 1 };
  const names = [{ scheme: 'w3c', trace: SCRIPT, id: LINK, parent: SCRIPT }];
  const common = { call: '__proto__', at: 2 };
  return [
    begin('__proto__', 1, { ...evil, trace: SCRIPT, source, names }),
    begin('constructor', 2, { ...evil, trace: SCRIPT, parent: '__proto__' }),
    begin('toString', 3, { ...evil, trace: SCRIPT, parent: 'constructor' }),
    { type: 'head', ...common, direction: 'out', line: SCRIPT, headers: [{ name: SCRIPT, value: LINK }] },
    { type: 'wire', ...common, direction: 'out', bytes: { text: SCRIPT } },
    { type: 'wire', ...common, direction: 'in', bytes: { text: SCRIPT } },
    { type: 'note', ...common, text: SCRIPT },
    {
      type: 'attributes',
      ...common,
      attributes: [{ name: SCRIPT, json: JSON.stringify(SCRIPT) }],
    },
    end('__proto__', 9, { status: 'error', code: SCRIPT, message: SCRIPT }),
  ];
}

/** Ids that lead back to themselves, at once and over others. */
const LOOPS = [
  begin('a', 1, { parent: 'a' }),
  begin('b', 2, { parent: 'c' }),
  begin('c', 3, { parent: 'b' }),
  begin('d', 4, { parent: 'c' }),
];

/** Clocks that run backwards, stand before all time, and far behind it. */
const CLOCKS = [
  begin('a', 1000),
  begin('b', 10, { parent: 'a' }),
  begin('c', -1e300, { parent: 'b' }),
  begin('d', 1e300, { parent: 'c' }),
  end('a', 5),
  end('b', -5),
  end('c', 1e300),
  end('d', -1e300),
];

const PLAN = [begin('a', 1), begin('b', 2, { parent: 'a' }), end('b', 3), end('a', 4)];

/** What a file shows: the line over the views, the notes on the file, and its rows. */
interface Case {
  readonly name: string;
  readonly text: string;
  readonly facts: string;
  readonly notes: readonly string[];
  readonly rows: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'script in every field and keys of prototypes',
    text: print(listEvil()),
    facts: `${SCRIPT}\n3 calls · N ms · 2 calls running`,
    notes: [],
    rows: [
      `1 ${SCRIPT} · notes 1 · error ${SCRIPT} · 8 ms open`,
      `2 ${SCRIPT} · cycle ${SCRIPT} → ${SCRIPT}depth 1 of 5 · running open`,
      `3 ${SCRIPT} · cycle ${SCRIPT} → ${SCRIPT}depth 2 of 5 · running *`,
    ],
  },
  {
    name: 'ids that lead back to themselves',
    text: print(LOOPS),
    facts: 'call a\n4 calls · N ms · 4 calls running',
    notes: [],
    rows: [
      '1 call a · notes 1 · running',
      '1 call b · notes 1 · running open',
      '2 call c · cycle worker → workerdepth 1 of 5 · running open',
      '3 call d · cycle worker → workerdepth 2 of 5 · running *',
    ],
  },
  {
    name: 'clocks that run backwards, and times before and behind all time',
    text: print(CLOCKS),
    facts: 'call a\n4 calls · 2.31e+292 d',
    notes: [],
    rows: [
      '1 call a · notes 1 · ok · 0 ms open',
      '2 call b · cycle worker → workerdepth 1 of 5notes 1 · ok · 0 ms open',
      '3 call c · cycle worker → workerdepth 2 of 5 · ok · 2.31e+292 d open',
      '4 call d · cycle worker → workerdepth 3 of 5notes 1 · ok · 0 ms *',
    ],
  },
  {
    name: 'lines that are no events, and a cut in the middle',
    text: `${print([...PLAN.slice(0, 2), 7, null, [], { type: 'call' }])}{"type":"end","call":"b`,
    facts: 'call a\n2 calls · N ms · 2 calls running',
    notes: [
      ...['7', 'null', '[]', '{"type":"call"}'].map(
        (line, at) => `Line ${4 + at} is not an event of this format; it is left out: '${line}'`,
      ),
      'The last line is incomplete, because writing it was interrupted; it is left out',
    ],
    rows: ['1 call a ·  · running open', '2 call b · cycle worker → workerdepth 1 of 5 · running *'],
  },
  {
    name: 'all lines twice',
    text: print(PLAN) + print(PLAN),
    facts: 'call a\n2 calls · N ms',
    notes: [`Line 6 is not an event of this format; it is left out: '${JSON.stringify(HEADER)}'`],
    rows: ['1 call a ·  · ok · 3 ms open', '2 call b · cycle worker → workerdepth 1 of 5 · ok · 1 ms *'],
  },
];

const nameOf = (number: number): string => `hostile${number}.agenttrace.jsonl`;

/** Hostile files in the window, under its policy and beside all else that it does. */
describe('hostile traces in the window', () => {
  const traces = useTraceWindow(() => ({
    ...Object.fromEntries(CASES.map(({ text }, number) => [nameOf(number), text] as const)),
    'deep.agenttrace.jsonl': printChain(DEEP),
    'children.agenttrace.jsonl': printChildren(CHILDREN),
  }));
  const { open, press, facts, rows, selected, expectNoScript } = traces;

  for (const [number, { name, facts: line, notes, rows: all }] of CASES.entries())
    it(`show ${name}`, async () => {
      await open(nameOf(number));
      await expectSoon(facts, line.replaceAll(/\d+ ms/g, 'N ms'));
      assert.deepEqual(await traces.view.locator('.source-notes li').allInnerTexts(), notes);
      await press('End');
      await expectSoon(rows, all);
      for (const tab of ['Graph', 'Sequence', 'Timeline']) {
        await traces.view.getByRole('tab', { name: tab }).click();
        await traces.view.getByRole('tab', { name: tab, selected: true }).waitFor();
      }
      await expectSoon(rows, all);
      await expectNoScript();
    });

  it('show a chain of a thousand calls', async () => {
    await open('deep.agenttrace.jsonl');
    await expectSoon(facts, 'call 0\n1,000 calls · N ms · 1,000 calls running');
    await press('End');
    const last = '1000 call 999 · depth 999, over 5cycle worker → worker · running *';
    await expectSoon(selected, last);
    await expectNoScript();
  });

  it('show a call that led to thousands of others', async () => {
    await open('children.agenttrace.jsonl');
    await expectSoon(async () => (await facts()).split(' · ')[0], 'call root\n5,001 calls');
    await press('ArrowDown');
    await expectSoon(selected, '2 call 1 ·  · running *');
    await expectNoScript();
  });
});
