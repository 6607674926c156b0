import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { CallState } from '../../trace/fold/call-state.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import type { ReportCalls } from '../../wire/timeline-messages.ts';
import { call } from '../support/trace-call.ts';
import { listRows, show, statesOf, useTimelinePage } from './support/timeline-page.ts';
import { expectSoon } from './support/wait.ts';

function add(calls: readonly CallState[], size: number, more: Partial<ReportCalls> = {}): ReportCalls {
  return { type: 'calls', shown: 1, size, calls, gone: [], ...more };
}

const end = (id: string, at: number, more: object = {}): TraceEvent => ({
  type: 'end',
  call: id,
  at,
  status: 'ok',
  ...more,
});

/** A plan with two calls below it, the second with one of its own. */
const PLAN: readonly TraceEvent[] = [
  call('plan', 0),
  call('book', 400, 'plan'),
  call('seat', 500, 'book'),
  call('weather', 200, 'plan'),
  end('weather', 300),
  end('seat', 600),
  end('book', 700, { status: 'error', code: '422', message: 'No room is free' }),
  end('plan', 1000),
];

/** Where the line of the critical path is drawn in the row of a call: from and to, in pixels of the chart. */
function listPath(page: Page, title: string): Promise<readonly (readonly number[])[]> {
  return page.locator('.row', { has: page.locator('.title', { hasText: title }) }).evaluate(row => {
    const chart = document.querySelector<HTMLCanvasElement>('canvas.chart');
    const context = chart?.getContext('2d');
    if (!chart || !context) return [];
    const [seen, own] = [chart.getBoundingClientRect(), row.getBoundingClientRect()];
    const scale = chart.height / seen.height;
    const [top, height] = [(own.top - seen.top) * scale, own.height * scale];
    const found: [from: number, to: number][] = [];
    for (let x = 0; x < chart.width; x++) {
      const { data } = context.getImageData(x, Math.round(top), 1, Math.round(height));
      const isOn = data.some((_, at) => at % 4 === 0 && data.slice(at, at + 4).join() === '1,2,3,255');
      const last = found.at(-1);
      if (isOn && last?.[1] === x) last[1] = x + 1;
      else if (isOn) found.push([x, x + 1]);
    }
    return found;
  });
}

/** The page of the timeline alone, with the extension's end of its messages in the test's hand. */
describe('timeline page', () => {
  const timeline = useTimelinePage();
  const { settle, tell: report, press, sent } = timeline;
  let page: Page;
  beforeEach(() => {
    page = timeline.page;
  });

  const listAll = (): Promise<readonly string[]> => listRows(page);

  const selected = (): Promise<string> =>
    page.locator('.row[aria-selected=true] .title').evaluate(node => node.textContent);

  const axis = (): Promise<readonly string[]> =>
    page.locator('.axis-label:visible').evaluateAll(labels => labels.map(label => label.textContent));

  it('shows calls under those that led to them, in the order of their time', async () => {
    await report(show(statesOf(PLAN), 'plan'));
    assert.deepEqual(await listAll(), ['1 plan open *', '2 weather', '2 book open', '3 seat']);
    const said = await page
      .locator('.row')
      .evaluateAll(rows =>
        rows.map(row => [
          row.querySelector('.outcome')?.textContent,
          row.querySelector('.track')?.getAttribute('aria-label'),
        ]),
      );
    assert.deepEqual(said, [
      ['ok · 1.00 s', 'begins after 0 ms, lasts 1.00 s, no reply'],
      ['ok · 100 ms', 'begins after 200 ms, lasts 100 ms, no reply'],
      ['error 422 · 300 ms', 'begins after 400 ms, lasts 300 ms, no reply'],
      ['ok · 100 ms', 'begins after 500 ms, lasts 100 ms, no reply'],
    ]);
    assert.equal(await page.locator('h1').innerText(), 'plan\n4 calls · 1.00 s');
  });

  it('walks, folds and unfolds by keys, and tells what is selected', async () => {
    await report(show(statesOf(PLAN), 'plan'));
    await page.locator('.rows').focus();
    const walked: string[] = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'Home', 'End']) {
      await press(key);
      walked.push(await selected());
    }
    assert.deepEqual(walked, ['weather', 'book', 'seat', 'seat', 'book', 'plan', 'seat']);
    assert.deepEqual(
      await sent('selected'),
      walked.map(each => ({ type: 'selected', call: each })),
    );
    await press('ArrowLeft', 'ArrowLeft');
    assert.deepEqual(await listAll(), ['1 plan open', '2 weather', '2 book folded *']);
    await press('ArrowRight');
    assert.deepEqual(await listAll(), ['1 plan open', '2 weather', '2 book open *', '3 seat']);
    const active = await page.locator('.rows').evaluate(grid => {
      const row = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');
      return [grid.getAttribute('role'), row?.querySelector('.title')?.textContent];
    });
    assert.deepEqual(active, ['treegrid', 'book']);
  });

  it('goes to the call above where what it led to is folded away, and back to one that is selected elsewhere', async () => {
    await report(show(statesOf(PLAN), 'seat'));
    await page.locator('.row', { hasText: 'plan' }).locator('.twist').first().click();
    await settle();
    assert.deepEqual(await listAll(), ['1 plan folded *']);
    await report({ type: 'select', call: 'seat' });
    assert.deepEqual(await listAll(), ['1 plan open', '2 weather', '2 book open', '3 seat *']);
  });

  it('moves a call below its parent where that comes later, and takes away what went', async () => {
    const [parent, child] = statesOf([call('parent', 0), call('child', 1, 'parent')]);
    assert.ok(parent && child);
    await report({ ...show([], 'child'), calls: [child], size: 2 });
    assert.deepEqual(await listAll(), ['1 child *']);
    await report(add([parent], 2));
    assert.deepEqual(await listAll(), ['1 parent open', '2 child *']);
    await report(add([], 1, { gone: ['parent'] }));
    assert.deepEqual(await listAll(), ['1 child *']);
    await report({ type: 'clear' });
    assert.match(await page.locator('main').innerText(), /^This trace is no longer stored/);
  });

  it('stays where the user scrolled to while calls come in above', async () => {
    const events = Array.from({ length: 200 }, (_, at) => call(`c${String(at).padStart(3, '0')}`, 1000 + at));
    await report(show(statesOf(events), 'c000'));
    await page.locator('.waterfall .scroller').evaluate(node => node.scrollTo(0, 1100));
    await settle();
    const top = (): Promise<string> =>
      page.locator('.row').evaluateAll(rows => {
        const first = rows.find(row => (row as HTMLElement).style.transform === 'translateY(0px)');
        return first?.querySelector('.title')?.textContent ?? '';
      });
    assert.equal(await top(), 'c050');
    const before = statesOf(Array.from({ length: 30 }, (_, at) => call(`b${at}`, at)));
    await report(add(before, 230));
    assert.equal(await top(), 'c050');
    assert.equal(await page.locator('.rows').getAttribute('aria-rowcount'), '230');
  });

  it('draws no more rows than are seen', async () => {
    const events = Array.from({ length: 5000 }, (_, at) => call(`c${at}`, at));
    await report(show(statesOf(events), 'c4999'));
    const [count, height] = await page
      .locator('.waterfall .scroller')
      .evaluate(node => [node.querySelectorAll('.row').length, node.clientHeight] as const);
    assert.equal(count, Math.ceil(height / 22) + 1);
    assert.equal(await selected(), 'c4999');
  });

  it('zooms by keys, by the wheel at the pointer and by a drag over the axis', async () => {
    await report(show(statesOf(PLAN), 'plan'));
    const all = await axis();
    assert.deepEqual([all[0], all.at(-1)], ['0', '1.0 s']);
    await page.locator('.rows').focus();
    await press('+', '+', '+');
    const near = await axis();
    assert.deepEqual([near[0], near.at(-1)], ['0', '250 ms']);
    await press(
      'Shift+ArrowRight',
      'Shift+ArrowRight',
      'Shift+ArrowRight',
      'Shift+ArrowRight',
      'Shift+ArrowRight',
    );
    assert.equal((await axis())[0], '300 ms');
    await press('0');
    assert.deepEqual(await axis(), all);
    const box = await page.locator('.axis').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.45, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + 5, { steps: 3 });
    await page.mouse.up();
    await settle();
    assert.equal((await axis())[0], '500 ms');
    await page.mouse.wheel(0, 5000);
    await page.mouse.wheel(0, 5000);
    await settle();
    assert.deepEqual(await axis(), all);
  });

  it('says what is odd about a call beside its title', async () => {
    const states: readonly CallState[] = statesOf(PLAN).map(state =>
      state.id === 'seat'
        ? { ...state, parentage: 'inferred', depth: 4, cycle: ['toolbox', 'b', 'toolbox'], notes: ['odd'] }
        : state.id === 'weather'
          ? { ...state, depth: 6 }
          : state,
    );
    await report({ ...show(statesOf(PLAN), 'seat'), calls: states });
    const badges = (title: string): Promise<readonly string[]> =>
      page
        .locator('.row', { has: page.locator('.title', { hasText: title }) })
        .locator('.badge')
        .evaluateAll(all => all.map(badge => badge.textContent));
    assert.deepEqual(
      [await badges('seat'), await badges('weather'), await badges('plan')],
      [
        ['cycle toolbox → b → toolbox', 'depth 4 of 5', 'inferred', 'notes 1'],
        ['depth 6, over 5', 'cycle toolbox → toolbox'],
        [],
      ],
    );
  });

  it('shows what compressed bytes say, and below it the bytes as they came', async () => {
    await report(show(statesOf(PLAN), 'book'));
    const piece = { type: 'wire', call: 'book', direction: 'in' } as const;
    await report({
      type: 'payload',
      call: 'book',
      names: [],
      attributes: [],
      from: 0,
      events: [
        { ...piece, at: 640, bytes: { base64: 'H4s=' }, unpacked: { text: '' } },
        { ...piece, at: 650, bytes: { base64: 'CA==' }, unpacked: { text: 'ERR|422|No room' } },
      ],
      leftOut: 0,
    });
    const details = page.locator('.details');
    assert.deepEqual(await details.locator('pre:visible').allTextContents(), ['ERR|422|No room']);
    const fold = details.getByText('Compressed, 3 bytes as they were on the wire');
    await fold.click();
    await expectSoon(
      () => details.locator('pre.hex:visible').allTextContents(),
      ['00000000  1f 8b 08                                         ...'],
    );
  });

  it('draws under each bar what of it is on the critical path, and says how much that is', async () => {
    await page.addStyleTag({ content: ':root { --vscode-charts-purple: rgb(1 2 3); }' });
    await report(show(statesOf(PLAN), 'book'));
    const facts = await page.locator('.details dt, .details dd').allTextContents();
    assert.equal(facts[facts.indexOf('Critical path') + 1], '200 ms (20 % of the trace)');
    const whole = await listPath(page, 'plan');
    const [from = 0, to = 0] = [whole[0]?.[0], whole.at(-1)?.[1]];
    // In hundreds of milliseconds of the plan, which lasts for ten of them.
    const inTime = (at: number): number => Math.round((10 * (at - from)) / (to - from));
    const paths = ['plan', 'weather', 'book', 'seat'].map(async title =>
      (await listPath(page, title)).map(each => each.map(inTime)),
    );
    assert.deepEqual(await Promise.all(paths), [
      [
        [0, 2],
        [3, 4],
        [7, 10],
      ],
      [[2, 3]],
      [
        [4, 5],
        [6, 7],
      ],
      [[5, 6]],
    ]);
  });

  it('asks for what was on the wire of the selected call, and shows it', async () => {
    await report(show(statesOf(PLAN), 'book'));
    assert.deepEqual(await sent('ask'), [{ type: 'ask', call: 'book', from: 0 }]);
    const head = { type: 'head', call: 'book', at: 401, direction: 'out', line: 'POST http://a/' } as const;
    await report({
      type: 'payload',
      call: 'book',
      names: [{ scheme: 'aio', trace: 'AIO-TR-20260301-0001', id: '2' }],
      attributes: [{ name: 'gen_ai.system', json: '"x"' }],
      from: 0,
      events: [
        { ...head, headers: [{ name: 'authorization', value: '[redacted]', redacted: 9 }] },
        { type: 'wire', call: 'book', at: 402, direction: 'out', bytes: { text: 'CALL|book' } },
        { type: 'wire', call: 'book', at: 650, direction: 'in', bytes: { text: 'ERR|422|No room' } },
      ],
      leftOut: 0,
    });
    const details = page.locator('.details');
    assert.deepEqual(await details.locator('pre:visible').allTextContents(), [
      'CALL|book',
      'ERR|422|No room',
    ]);
    assert.equal(await details.locator('.failure').innerText(), 'No room is free');
    assert.deepEqual(await details.locator('summary').allTextContents(), [
      '1 header',
      'Names of the trace, 1 row',
      'Attributes, 1 row',
    ]);
    const facts = await details.locator('dt, dd').allTextContents();
    assert.deepEqual(facts.slice(0, 10), [
      ...['Agent', 'toolbox', 'Protocol', 'AICF-RPC 1.0', 'Code', '422, missing or wrong argument'],
      ...['Parent call', 'plan · toolbox', 'Child calls', '1 call'],
    ]);
    await details.getByRole('button', { name: 'plan · toolbox' }).click();
    await settle();
    assert.equal(await selected(), 'plan');
  });

  it('asks for the rest of a reply while it grows, and for all of it in the end', async () => {
    const open = [
      call('a', 0),
      { type: 'wire', call: 'a', at: 5, direction: 'in', bytes: { text: 'x' } },
    ] as const;
    const [first] = statesOf(open);
    assert.ok(first);
    await report(show(statesOf(open), 'a', { now: Date.now() }));
    const wire = { type: 'wire', call: 'a', direction: 'in' } as const;
    const payload = { type: 'payload', call: 'a', names: [], attributes: [], leftOut: 0 } as const;
    await report({ ...payload, from: 0, events: [{ ...wire, at: 5, bytes: { text: 'on' } }] });
    await report(add([{ ...first, last: 6, pieces: 2, bytesIn: 4 }], 1, { now: Date.now() }));
    await report({ ...payload, from: 1, events: [{ ...wire, at: 6, bytes: { text: 'ce' } }] });
    assert.equal(await page.locator('.details pre:visible').innerText(), 'once');
    await report(add([{ ...first, status: 'ok', until: 9, pieces: 2, bytesIn: 4 }], 1));
    assert.deepEqual(
      await sent('ask'),
      [0, 1, 0].map(from => ({ type: 'ask', call: 'a', from })),
    );
  });

  it('grows the bars of calls that run with the time', async () => {
    const drawn = (): Promise<string> =>
      page.locator('canvas.chart').evaluate(canvas => (canvas as HTMLCanvasElement).toDataURL());
    const at = Date.now() - 60_000;
    await report(show(statesOf([call('a', at)]), 'a', { now: at + 10 }));
    const first = await drawn();
    await page.waitForFunction(
      was => (document.querySelector('canvas.chart') as HTMLCanvasElement).toDataURL() !== was,
      first,
    );
    assert.match(await page.locator('h1').innerText(), /1 call running$/);
  });

  it('finds calls by their details, and by what the extension finds', async () => {
    await report(show(statesOf(PLAN), 'plan'));
    await page.locator('.rows').focus();
    await press('/');
    await page.keyboard.type('No ROOM');
    await page.waitForFunction(() => document.querySelector('.search-status')?.textContent !== '');
    await settle();
    // Who types slowly has the beginning searched for as well.
    const lastAsked = async (): Promise<{ readonly search: number; readonly text: string } | undefined> =>
      ((await sent('search')) as readonly { readonly search: number; readonly text: string }[]).at(-1);
    await expectSoon(async () => (await lastAsked())?.text, 'no room');
    const asked = await lastAsked();
    assert.deepEqual(asked, { type: 'search', search: asked?.search, text: 'no room' });
    const status = (): Promise<string> => page.locator('.search-status').innerText();
    assert.equal(await status(), '1 found · payloads 0 %');
    const found = { type: 'found', search: asked?.search ?? 0, calls: ['weather'] } as const;
    await report({ ...found, share: 0.5, lost: 1 });
    assert.equal(await status(), '2 found · payloads 50 % · 1 payload unreadable');
    assert.equal(
      await page.locator('.search-status').getAttribute('title'),
      'Not all payloads of 1 call were searched: its file was deleted, truncated or could not be written.',
    );
    await report({ ...found, share: 1, lost: 0 });
    assert.equal(await status(), '2 found');
    await press('Enter');
    assert.deepEqual([await selected(), await status()], ['weather', '1 of 2']);
    await press('Enter');
    assert.deepEqual([await selected(), await status()], ['book', '2 of 2']);
    assert.deepEqual(await page.locator('.row.found .title').allTextContents(), ['weather', 'book']);
    await press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('.row.found').length === 0);
  });

  it('offers what can be done, and tells the extension', async () => {
    await report(show(statesOf(PLAN), 'book'));
    await page.getByRole('button', { name: 'Copy trace' }).click();
    await page.locator('.row', { hasText: 'weather' }).click();
    await page.getByRole('button', { name: 'Export trace' }).click();
    assert.deepEqual(await sent('act'), [
      { type: 'act', action: 'copyTrace', call: 'book' },
      { type: 'act', action: 'exportTrace', call: 'weather' },
    ]);
  });

  it('shows what agents say as text, times that are none too', async () => {
    const script = '<img src=x onerror="globalThis.hurt = true"><script>globalThis.hurt = true</script>';
    const hostile: CallState = {
      id: '__proto__',
      agent: script,
      title: script,
      protocol: 'other',
      status: 'error',
      code: script,
      message: script,
      notes: [script],
      cycle: [script, script],
      depth: 1e9,
      at: -1e300,
      until: 1e300,
      first: -5,
      ticks: [1e308, -1e308],
    };
    await report({ ...show([], '__proto__'), calls: [hostile], size: 1, notes: [script] });
    assert.equal(await page.locator('.row .title').innerText(), script);
    assert.equal(await page.locator('main img, main script').count(), 0);
    assert.equal(await page.evaluate(() => 'hurt' in globalThis), false);
    await page.locator('.rows').focus();
    await press('+', '-', '0');
    assert.equal(await selected(), script);
  });
});
