import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import type { TraceEvent } from '../../protocol/src/trace/events.ts';
import { exportTraceText } from '../../protocol/src/trace/export/export.ts';
import { callerOf, walkCalls } from '../../protocol/src/trace/export/source.ts';
import { TraceFold } from '../../protocol/src/trace/fold.ts';
import type { TraceTree } from '../../protocol/src/trace/tree.ts';
import { formatDuration } from '../../protocol/src/trace/words.ts';
import { ROOT } from '../../scripts/root.ts';
import { launchBrowser, openPage } from '../../scripts/vscode/browser.ts';
import { ensureChromium } from '../../scripts/vscode/system.ts';
import { anyTrace } from '../unit/trace/support/trace-arbitrary.ts';

const MERMAID = join(ROOT, 'node_modules', '@mermaid-js', 'tiny', 'dist', 'mermaid.tiny.js');

/** What of Mermaid is used: its API, and the database of a sequence diagram behind it. */
interface Mermaid {
  initialize(config: { readonly startOnLoad: boolean; readonly maxTextSize?: number }): void;
  parse(text: string): Promise<unknown>;
  run(options: { readonly nodes: readonly Element[] }): Promise<void>;
  readonly mermaidAPI: {
    getDiagramFromText(text: string): Promise<{
      readonly db: {
        getActors(): Map<string, { readonly description: string }>;
        getMessages(): readonly {
          readonly from: string;
          readonly to: string;
          readonly message: string;
          readonly type: number;
        }[];
      };
    }>;
  };
}

declare const mermaid: Mermaid;

/** What Mermaid's parser finds in a diagram: names as they stand in the text, entities undone by its painter alone. */
interface Parsed {
  readonly participants: readonly string[];
  /** From, arrow, to, text. */
  readonly messages: readonly string[];
}

/** Arrows and notes by the numbers that Mermaid gives them. */
const ARROWS = new Map([
  [0, '->>'],
  [1, '-->>'],
  [2, 'note'],
  [4, '--x'],
]);

function fold(events: readonly TraceEvent[]): readonly TraceTree[] {
  const made = new TraceFold();
  for (const event of events) made.add(event);
  return made.trees();
}

function write(trees: readonly TraceTree[]): Promise<string> {
  return exportTraceText('mermaid', { trees, payload: async () => [] });
}

function call(id: string, at: number, more: Partial<Extract<TraceEvent, { type: 'call' }>>): TraceEvent {
  return { type: 'call', call: id, trace: 't', at, agent: id, protocol: 'other', title: id, ...more };
}

function end(id: string, at: number, more: Partial<Extract<TraceEvent, { type: 'end' }>> = {}): TraceEvent {
  return { type: 'end', call: id, at, status: 'ok', ...more };
}

describe("sequence diagrams, by Mermaid's own parser and painter", () => {
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser(await ensureChromium(line => console.log(line)));
    page = await openPage(browser, 'light');
    await page.setContent('<!doctype html><main></main>');
    await page.addScriptTag({ path: MERMAID });
  });
  after(() => browser.close());

  async function parse(text: string): Promise<Parsed> {
    const { participants, messages } = await page.evaluate(async diagram => {
      mermaid.initialize({ startOnLoad: false, maxTextSize: 100_000_000 });
      await mermaid.parse(diagram);
      const { db } = await mermaid.mermaidAPI.getDiagramFromText(diagram);
      return { participants: [...db.getActors()], messages: db.getMessages() };
    }, text);
    const names = new Map(participants.map(([alias, { description }]) => [alias, description]));
    return {
      participants: [...names.values()],
      messages: messages.map(
        ({ from, to, message, type }) =>
          `${names.get(from)} ${ARROWS.get(type)} ${names.get(to)}: ${message}`,
      ),
    };
  }

  /** Draws a diagram on the page; answers what is read there: the heads of the lanes, and the texts of the arrows. */
  async function draw(text: string, maxTextSize?: number): Promise<Parsed> {
    return page.evaluate(
      async ([diagram, most]) => {
        mermaid.initialize({ startOnLoad: false, ...(most === undefined ? {} : { maxTextSize: most }) });
        const element = document.createElement('pre');
        element.textContent = diagram;
        document.body.replaceChildren(element);
        await mermaid.run({ nodes: [element] });
        const heads = [...document.querySelectorAll('rect.actor-top')].map(rect => [
          rect.getAttribute('name') ?? '',
          rect.parentElement?.querySelector('text')?.textContent ?? '',
        ]);
        const numberOf = (head: readonly string[]): number => Number(head[0]?.slice(1));
        heads.sort((one, other) => numberOf(one) - numberOf(other));
        return {
          participants: heads.map(([, name = '']) => name),
          messages: [...document.querySelectorAll('text.messageText')].map(each => each.textContent),
        };
      },
      [text, maxTextSize] as const,
    );
  }

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
    assert.equal(await page.evaluate('globalThis.hit'), undefined);
  });

  for (const count of [1, 2, 500])
    it(`have ${count} participants, one behind the other`, async () => {
      const agents = Array.from({ length: count }, (_, index) => `agent ${index}`);
      const events = agents.flatMap((agent, index) => [
        call(agent, index, index === 0 ? {} : { parent: `agent ${index - 1}` }),
        end(agent, 2 * count - index),
      ]);
      const nameOf = (index: number): string => agents[index] ?? 'client';
      assert.deepEqual(await parse(await write(fold(events))), {
        participants: ['client', ...agents],
        messages: [
          ...agents.map((agent, index) => `${nameOf(index - 1)} ->> ${agent}: ${agent}`),
          ...agents
            .map(
              (agent, index) =>
                `${agent} -->> ${nameOf(index - 1)}: ok · ${formatDuration(2 * (count - index))}`,
            )
            .reverse(),
        ],
      });
    });

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
        '%% These are 50669 characters: set maxTextSize in the configuration of Mermaid, which draws 50000 unless it is told otherwise',
      ],
    );
  });

  it('are read with every call of any trace', async () => {
    await fc.assert(
      fc.asyncProperty(anyTrace, async events => {
        const trees = fold(events);
        const calls = [...walkCalls(trees)].filter(node => !node.isView);
        const ended = calls.filter(({ status }) => status !== 'open');
        const actors = new Set(calls.flatMap(node => [callerOf(node), node.call.agent]));
        const { participants, messages } = await parse(await write(trees));
        const count = (arrow: string): number => messages.filter(each => each.includes(` ${arrow} `)).length;
        assert.deepEqual(
          [participants.length, count('->>'), count('-->>'), count('--x')],
          [
            actors.size,
            calls.length,
            ended.filter(({ status }) => status === 'ok').length,
            ended.filter(({ status }) => status !== 'ok').length,
          ],
        );
      }),
      { numRuns: 50 },
    );
  });
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
