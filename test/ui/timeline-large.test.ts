import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CallState } from '../../trace/fold/call-state.ts';
import type { ToTimeline } from '../../wire/timeline-messages.ts';
import { testLargeTrace } from './support/large-trace.ts';
import { show, useTimelinePage } from './support/timeline-page.ts';

const SCRIPT = '<img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=1</script>';
const LINK = 'javascript:globalThis.hurt=1';

testLargeTrace({ calls: 1_000, batch: 100, events: 80, step: 8 });

describe('timeline page with what is hostile', () => {
  const timeline = useTimelinePage();
  const { settle, tell: report } = timeline;

  it('shows script in every field as text, in every view', async () => {
    const { page } = timeline;
    const texts = [SCRIPT, LINK, '__proto__', 'constructor'];
    const states = texts.map((text, at): CallState => ({
      id: text,
      ...(at === 0 ? {} : { parent: texts[at - 1] ?? '' }),
      agent: text,
      from: text,
      protocol: 'other',
      title: text,
      status: 'error',
      code: text,
      message: text,
      notes: [text],
      cycle: [text, text],
      at: at === 2 ? -1e300 : at,
      until: at === 2 ? 1e300 : 10,
      source: { uri: text, line: 1 },
    }));
    await report(show(states, SCRIPT, { notes: [SCRIPT] }));
    await report({
      type: 'calls',
      shown: 1,
      size: states.length,
      calls: states.slice(0, 1),
      gone: [],
    });
    const common = { call: SCRIPT, at: 1 } as const;
    const payload: ToTimeline = {
      type: 'payload',
      call: SCRIPT,
      names: [{ scheme: 'w3c', trace: SCRIPT, id: LINK, parent: SCRIPT }],
      session: SCRIPT,
      attributes: [{ name: SCRIPT, json: JSON.stringify(SCRIPT) }],
      from: 0,
      events: [
        { type: 'head', ...common, direction: 'out', line: SCRIPT, headers: [{ name: SCRIPT, value: LINK }] },
        { type: 'wire', ...common, direction: 'out', bytes: { text: SCRIPT } },
        { type: 'wire', ...common, direction: 'in', bytes: { text: `data: ${SCRIPT}\n\n` } },
      ],
      leftOut: 0,
    };
    await page.evaluate(text => window.postMessage(JSON.parse(text), '*'), JSON.stringify(payload));
    await page.locator('.details pre').first().waitFor();
    for (const tab of ['Graph', 'Sequence', 'Timeline']) {
      await page.getByRole('tab', { name: tab }).click();
      await settle();
      assert.deepEqual(
        await page.evaluate(() => [
          'hurt' in globalThis,
          document.querySelectorAll('main img, main script, main a[href^="javascript"]').length,
        ]),
        [false, 0],
        tab,
      );
    }
    assert.deepEqual((await page.locator('.row .title').allInnerTexts()).toSorted(), texts.toSorted());
    assert.equal(await page.locator('.details pre').first().innerText(), SCRIPT);
  });
});
