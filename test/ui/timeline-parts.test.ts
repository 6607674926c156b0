import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { TraceEvent } from '../../core/events/events.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import type { ReportParts } from '../../wire/timeline-messages.ts';
import { listRows, show, statesOf, useTimelinePage } from './support/timeline-page.ts';

const begin = (call: string, at: number, parent?: string): TraceEvent => ({
  type: 'call',
  call,
  trace: 't',
  at,
  agent: 'planner',
  protocol: 'agent-api',
  title: call,
  ...(parent === undefined ? {} : { parent }),
});
const end = (call: string, at: number): TraceEvent => ({ type: 'end', call, at, status: 'ok' });
const come = (call: string, at: number, event: object): TraceEvent => ({
  type: 'wire',
  call,
  at,
  direction: 'in',
  bytes: { text: `data: ${JSON.stringify(event)}\n\n` },
});
const message = (id: string, type: string, status: string): object => ({
  object: 'message',
  id,
  type,
  status,
});
const delta = (msg_id: string, text: string): object => ({
  object: 'content',
  type: 'text',
  index: 0,
  delta: true,
  msg_id,
  status: 'in_progress',
  text,
});

/** A plan that thinks, asks the weather and says something; what the weather says came in one piece of two contents. */
const PLAN: readonly TraceEvent[] = [
  begin('plan', 0),
  come('plan', 100, delta('m1', 'Let me ')),
  come('plan', 150, delta('m1', 'see.')),
  come('plan', 160, message('m1', 'reasoning', 'completed')),
  begin('weather', 200, 'plan'),
  come('weather', 290, {
    object: 'response',
    status: 'completed',
    output: [
      {
        id: 'w',
        type: 'message',
        status: 'completed',
        content: [
          { type: 'text', text: 'Sun' },
          { type: 'text', text: 'Rain' },
        ],
      },
    ],
  }),
  end('weather', 300),
  come('plan', 400, delta('m2', 'Take a coat.')),
];

function foldOf(events: readonly TraceEvent[]): TraceFold {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return fold;
}

function parts(events: readonly TraceEvent[], call: string): ReportParts {
  const node = foldOf(events).find(call);
  assert.ok(node);
  const read = readParts(
    ALL_PROTOCOLS.find(node.call.protocol),
    node.wire,
    node.status === 'open' ? 'open' : 'ended',
  );
  return { type: 'parts', call, ...read };
}

describe('parts of replies in the timeline', () => {
  const timeline = useTimelinePage();
  const { settle, tell: report, press } = timeline;
  let page: Page;
  beforeEach(() => {
    page = timeline.page;
  });

  /** The calls of which the parts were asked for since this was asked last. */
  const asked = (): Promise<readonly string[]> =>
    page.evaluate(() =>
      (globalThis as unknown as { sent: { type: string; call?: string }[] }).sent
        .splice(0)
        .flatMap(each => (each.type === 'askParts' ? [each.call ?? ''] : [])),
    );

  /** The rows from top to bottom: word and title, and how it ended. */
  const listAll = (): Promise<readonly string[]> => listRows(page, ['.agent', '.title', '.outcome']);

  /** The parts in the details: those that are open with what they say. */
  const listDetails = (): Promise<readonly string[]> =>
    page.locator('.part-fold').evaluateAll(folds =>
      folds.map(fold => {
        const text = (fold as HTMLDetailsElement).open
          ? `: ${fold.querySelector('.times')?.textContent} ${fold.querySelector('.piece.text > :first-child')?.textContent}`
          : '';
        return `${fold.querySelector('.word')?.textContent}${text}`;
      }),
    );

  it('are asked for when they are looked at, and stand between the calls by their time', async () => {
    await report(show(statesOf(PLAN), 'plan'));
    assert.deepEqual(await asked(), ['plan']);
    await page.locator('.rows').focus();
    await press('p');
    await report(parts(PLAN, 'plan'));
    assert.deepEqual(await listAll(), [
      '1 planner · plan · streaming, 4 chunks open *',
      '2 Reasoning · Let me see. · 60 ms',
      '2 planner · weather · ok · 100 ms folded',
      '2 Message · Take a coat. · running',
    ]);
    assert.deepEqual(await asked(), []);
    await press('ArrowDown', 'ArrowDown', 'ArrowRight');
    assert.deepEqual(await asked(), ['weather']);
    await report(parts(PLAN, 'weather'));
    await press('ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.deepEqual((await listAll()).slice(2), [
      '2 planner · weather · ok · 100 ms open',
      '3 Message ·  ·  open',
      '4 Text · Sun ·  *',
      '4 Text · Rain · ',
      '2 Message · Take a coat. · running',
    ]);
    await press('ArrowLeft', 'ArrowLeft');
    assert.deepEqual((await listAll())[3], '3 Message ·  ·  folded *');
    await press('ArrowLeft', 'ArrowLeft');
    assert.deepEqual((await listAll())[2], '2 planner · weather · ok · 100 ms folded *');
    await press('Home', 'p');
    assert.deepEqual((await listAll()).length, 2);
  });

  it('open in the details when they are selected, and take the focus there', async () => {
    await report(show(statesOf(PLAN), 'plan'));
    await report(parts(PLAN, 'plan'));
    assert.deepEqual(await listDetails(), ['Reasoning', 'Message']);
    await page.locator('.row', { hasText: 'plan' }).first().hover();
    await page.locator('.row.has-parts .parts-toggle').first().click();
    await settle();
    await page.locator('.row', { hasText: 'Take a coat.' }).click();
    await settle();
    assert.deepEqual(await listDetails(), ['Reasoning', 'Message: Received after 400 ms Take a coat.']);
    const track = page.locator('.row', { hasText: 'Let me' }).locator('.track');
    assert.equal(await track.getAttribute('aria-label'), 'received after 100 ms, in 60 ms, 3 chunks');
    await page.locator('.rows').focus();
    const active = await page.locator('.rows').evaluate(grid => {
      const row = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');
      return row?.querySelector('.title')?.textContent;
    });
    assert.equal(active, 'Take a coat.');
    await press('Enter');
    assert.equal(
      await page.evaluate(() => document.activeElement?.textContent),
      'MessageTake a coat.running',
    );
    await press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'treegrid');
  });

  it('grow while a reply comes, and stay selected', async () => {
    await report(show(statesOf(PLAN), 'plan'));
    await report(parts(PLAN, 'plan'));
    await page.locator('.rows').focus();
    await press('p', 'End');
    await asked();
    const more = [...PLAN, come('plan', 480, delta('m2', ' And a hat.')), end('plan', 500)];
    await report({ type: 'calls', shown: 1, size: 2, calls: statesOf(more), gone: [] });
    assert.deepEqual(await asked(), ['plan']);
    await report(parts(more, 'plan'));
    assert.deepEqual((await listAll()).at(-1), '2 Message · Take a coat. And a hat. · incomplete · 80 ms *');
    assert.deepEqual(await listDetails(), [
      'Reasoning',
      'Message: Received after 400 ms, in 80 ms, 2 chunks Take a coat. And a hat.',
    ]);
    assert.equal(
      await page.locator('.details .parts > .notes').innerText(),
      'The stream did not end; its content may be incomplete',
    );
  });
});
