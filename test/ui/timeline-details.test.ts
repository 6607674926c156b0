import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { show, statesOf, useTimelinePage } from './support/timeline-page.ts';
import { expectSoon } from './support/wait.ts';

type Traffic = Extract<TraceEvent, { readonly type: 'head' | 'wire' }>;

/** A request of the connection with its reply. */
function exchange(number: number, at: number, request: object, reply: object): readonly Traffic[] {
  const common = { call: 'forecast', exchange: number };
  return [
    { type: 'head', ...common, at, direction: 'out', line: 'POST http://a/mcp', headers: [] },
    { type: 'wire', ...common, at, direction: 'out', bytes: { text: JSON.stringify(request) } },
    { type: 'head', ...common, at: at + 5, direction: 'in', line: '200 OK', headers: [] },
    { type: 'wire', ...common, at: at + 5, direction: 'in', bytes: { text: JSON.stringify(reply) } },
  ];
}

const TRAFFIC: readonly Traffic[] = [
  ...exchange(
    1,
    10,
    { jsonrpc: '2.0', id: 0, method: 'server/discover' },
    { jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'Method not found' } },
  ),
  ...exchange(
    2,
    20,
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
    { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'almanac' } } },
  ),
  ...exchange(
    3,
    30,
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'forecast' } },
    { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'sunny' }], days: [1, 2] } },
  ),
];

const EVENTS: readonly TraceEvent[] = [
  { type: 'call', call: 'forecast', trace: 't', at: 0, agent: 'weather', protocol: 'mcp', title: 'forecast' },
  ...TRAFFIC,
  { type: 'end', call: 'forecast', at: 40, status: 'ok' },
];

/** The details of a call of MCP, whose connection was set up for it. */
describe('details of a call in the timeline', () => {
  const timeline = useTimelinePage();
  let page: Page;
  beforeEach(async () => {
    page = timeline.page;
    const fold = new TraceFold();
    for (const event of EVENTS) fold.add(event);
    const wire = fold.find('forecast')?.wire ?? [];
    const parts = readParts(ALL_PROTOCOLS.find('mcp'), wire, 'ended');
    const payload = { type: 'payload', call: 'forecast', names: [], attributes: [], leftOut: 0 } as const;
    await timeline.tell(show(statesOf(EVENTS), 'forecast'));
    await timeline.tell(
      { ...payload, from: 0, events: TRAFFIC, own: [9, 11] },
      { type: 'parts', call: 'forecast', ...parts },
    );
  });

  /** The lines of what is visible, without the signs of folds. */
  const linesOf = async (selector: string): Promise<readonly string[]> =>
    (await page.locator(selector).innerText()).split('\n').map(line => line.trim());

  it('show the request of the call first, and fold what set up the connection', async () => {
    const sections = page.locator('.details > div > .exchange:not(.parts)');
    assert.deepEqual(await sections.locator('h2').allInnerTexts(), [
      'Request\n75 bytes\nRaw\nOpen request',
      'Reply\n91 bytes in 3 chunks\nRaw\nOpen reply',
    ]);
    assert.equal(await page.getByText('almanac').count(), 0);
    await page.getByText('Set-up and other requests of the connection (2)').click();
    await expectSoon(
      () => page.locator('.fold.section .head-line').allInnerTexts(),
      ['POST http://a/mcp', '200 OK', 'POST http://a/mcp', '200 OK'],
    );
    await page.getByText('"almanac"').waitFor();
  });

  it('fold the parts from before the call, and show an expected refusal as usual', async () => {
    const words = (): Promise<readonly string[]> => page.locator('.part-fold .word').allInnerTexts();
    assert.deepEqual(await words(), ['Result']);
    await page.getByText('Before the call: 2 exchanges of the connection').click();
    await expectSoon(words, ['Result', 'Earlier exchange', 'Error', 'Earlier exchange', 'Result']);
    assert.equal(await page.locator('.part-fold.status-error').count(), 0);
  });

  it('lay out JSON, fold it, copy it, and show it as it was on the wire', async () => {
    const reply = '.details > div > .exchange:not(.parts):nth-of-type(3) .body';
    const lines = ['{', '"jsonrpc": "2.0",', '"id": 2,', '"result": {', '"content": ['];
    assert.deepEqual((await linesOf(reply)).slice(0, 5), lines);
    assert.equal(await page.locator(`${reply} .json-key`).nth(1).innerText(), '"id"');
    await page.locator(`${reply} summary`, { hasText: '"result"' }).first().click();
    assert.deepEqual(await linesOf(reply), [...lines.slice(0, 3), '"result": {… 2 members }', '}']);
    await page.getByRole('button', { name: 'Copy reply' }).click();
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: 'sunny' }], days: [1, 2] },
    });
    assert.deepEqual(await timeline.sent('copy'), [{ type: 'copy', text }]);
    await page.getByRole('button', { name: 'Raw' }).first().click();
    assert.deepEqual(await linesOf(reply), [text]);
  });

  it('mark the text of the search where it is, and open and scroll to it', async () => {
    await page.setViewportSize({ width: 1200, height: 400 });
    const marked = (name: string): Promise<readonly string[]> =>
      page.evaluate(key => [...(CSS.highlights.get(key) ?? [])].map(String), name);
    await page.locator('.search-input').fill('Almanac');
    // In the line of the part, in its text, and in the reply of the connection.
    await expectSoon(() => marked('found-details'), ['almanac', 'almanac', 'almanac']);
    assert.deepEqual(await marked('found-rows'), []);
    const top = await page
      .locator('.part-fold .body')
      .getByText('"almanac"')
      .evaluate(node => node.getBoundingClientRect().top);
    assert.ok(top > 0 && top < 400, String(top));
    await page.locator('.search-input').fill('forecast');
    await expectSoon(() => marked('found-rows'), ['forecast']);
    await page.locator('.search-input').press('Escape');
    await expectSoon(() => marked('found-details'), []);
  });
});
