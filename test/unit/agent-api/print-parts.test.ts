import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PartPrinter } from '../../../language/values/json-printer.ts';
import type { JsonObject } from '../../../protocols/agent-api/builder/events.ts';
import { printParts } from '../../../protocols/agent-api/server/print-parts.ts';

const LONG = 'The quick brown fox. '.repeat(200);
const EVENTS: Readonly<Record<string, JsonObject>> = {
  'a long text': { object: 'content', text: LONG, delta: true },
  'several long texts': { output: [{ text: LONG }, { text: `${LONG}"\\\n\u0001` }], more: LONG },
  'a text that is no character but the place of one': { text: '\0', other: LONG, last: '\0' },
  'keys that look like a place': { '\0': '\0', inner: { '\0': LONG, '"\0"': 1 } },
  'texts that contain a place': { text: `${LONG}"\\u0000"`, short: '"\\u0000"' },
  'characters that are escaped': { text: `${LONG}🙂\ud83d`, short: '\ud83d', blank: null },
  'no text': { a: 1, b: [true, null, 1.5], c: {} },
};

describe('the parts of an event of the Agent API', () => {
  for (const [name, event] of Object.entries(EVENTS))
    it(`are the event as JSON, with ${name}`, () => {
      const printer = new PartPrinter();
      for (let time = 0; time < 2; time++)
        assert.equal(printParts(event, printer).join(''), JSON.stringify(event));
    });

  it('have a long text by itself, so that it is not copied', () => {
    const parts = printParts({ object: 'content', text: LONG, index: 0 }, new PartPrinter());
    assert.deepEqual(parts, ['{"object":"content","text":', '"', LONG, '"', ',"index":0}']);
  });
});
