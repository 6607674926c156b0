import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { TraceEvent } from '../../../core/events/events.ts';
import { exportTraceText } from '../../../trace/export/export.ts';
import { callerOf, walkCalls } from '../../../trace/export/source.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { TraceTree } from '../../../trace/fold/tree.ts';
import { formatDuration } from '../../../trace/words.ts';
import { ROOT } from '../../../scripts/root.ts';
import { openPage } from '../../../scripts/vscode/browser.ts';
import { anyTrace } from '../../unit/trace/support/trace-arbitrary.ts';
import { takeBrowser } from './shared-browser.ts';

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
export interface Parsed {
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

/** The trees of events. */
export function fold(events: readonly TraceEvent[]): readonly TraceTree[] {
  const made = new TraceFold();
  for (const event of events) made.add(event);
  return made.trees();
}

/** The diagram of trees. */
export function write(trees: readonly TraceTree[]): Promise<string> {
  return exportTraceText('mermaid', { protocols: ALL_PROTOCOLS, trees, payload: async () => [] });
}

/** The event that begins a call of the agent of the same name. */
export function call(
  id: string,
  at: number,
  more: Partial<Extract<TraceEvent, { type: 'call' }>>,
): TraceEvent {
  return { type: 'call', call: id, trace: 't', at, agent: id, protocol: 'other', title: id, ...more };
}

/** The event that ends a call. */
export function end(
  id: string,
  at: number,
  more: Partial<Extract<TraceEvent, { type: 'end' }>> = {},
): TraceEvent {
  return { type: 'end', call: id, at, status: 'ok', ...more };
}

/** Mermaid on a page. */
export interface MermaidPage {
  readonly page: Page;
  readonly parse: (text: string) => Promise<Parsed>;
  /** Draws a diagram on the page; answers what is read there: the heads of the lanes, and the texts of the arrows. */
  readonly draw: (text: string, maxTextSize?: number) => Promise<Parsed>;
}

/** Opens a page with Mermaid in it for the suite that calls this. */
export function useMermaid(): MermaidPage {
  let page: Page;

  before(async () => {
    page = await openPage(await takeBrowser(), 'light');
    await page.setContent('<!doctype html><main></main>');
    await page.addScriptTag({ path: MERMAID });
  });
  after(() => page.context().close());

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

  return {
    get page() {
      return page;
    },
    parse,
    draw,
  };
}

/** Declares the test that a diagram of a chain of agents is read with every one. */
export function testParticipants({ parse }: MermaidPage, count: number): void {
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
}

/** Declares the property that Mermaid reads every call of any trace, tried so often. */
export function testAnyTrace({ parse }: MermaidPage, numRuns: number): void {
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
      { numRuns },
    );
  });
}
