import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { Report } from '../../../core/message/report.ts';
import type { Layout, Places } from '../../../language/values/text-layer.ts';
import { writeMessages } from '../../../protocols/convert/write-text.ts';
import { message, type Message } from '../../../core/message/message.ts';
import { textValue } from '../../../core/values/value.ts';
import { NO_TOOLS } from '../../support/conversions.ts';

function write(
  messages: readonly Message[],
  to: ConversionName,
  layout: Layout = 'compact',
  places?: Places,
): readonly [string, readonly (string | undefined)[]] {
  const source = {
    messages: messages.map(one => ({ message: one, protocol: to, span: { start: 0, end: 0 } })),
    tools: NO_TOOLS,
  };
  const { text, spans } = writeMessages(source, {
    protocols: ALL_PROTOCOLS,
    to,
    layout,
    report: new Report(),
    places,
  });
  return [text, spans.map(span => span && text.slice(span.start, span.end))];
}

const LIST = message('list', {});
const PARTS = [
  message('chunk', { data: textValue('a') }),
  message('chunk', { data: textValue('b') }),
  message('end', {}),
];

describe('messages as a text', () => {
  it('have a line each, or a blank line between them, and know where they stand', () => {
    assert.deepEqual(write([LIST, LIST], 'json'), [
      '{"kind":"list"}\n{"kind":"list"}\n',
      ['{"kind":"list"}\n', '{"kind":"list"}\n'],
    ]);
    assert.deepEqual(write([LIST, LIST], 'json', 'pretty'), [
      '{\n  "kind": "list"\n}\n\n{\n  "kind": "list"\n}\n',
      ['{\n  "kind": "list"\n}\n', '{\n  "kind": "list"\n}\n'],
    ]);
  });

  it('get the ids that they need, in order', () => {
    const [text] = write([LIST, LIST, message('result', {})], 'mcp');
    assert.deepEqual(text.match(/"id":\d+/g), ['"id":1', '"id":2', '"id":1']);
  });

  it('are events where a protocol streams them so, and lines where it does not', () => {
    const [events] = write(PARTS, 'a2a');
    assert.match(events, /^data: \{.*\}\n\ndata: /);
    assert.deepEqual(write(PARTS, 'aicf'), [
      'STREAM|a\nSTREAM|b\nEND\n',
      ['STREAM|a\n', 'STREAM|b\n', 'END\n'],
    ]);
  });

  it('are one reply where replies come whole', () => {
    for (const to of ['json-rpc', 'aio', 'mcp', 'agent-api', 'responses'] as const) {
      const [text, [first, ...others]] = write(PARTS, to);
      assert.equal(text.match(/"ab"/g)?.length, 1, text);
      assert.deepEqual([first, others], [text, [undefined, undefined]]);
    }
  });

  it('number the parts of a stream where a protocol does', () => {
    const [text] = write(PARTS, 'aicl');
    assert.deepEqual(text.match(/_\d\/\d/g), ['_1/2', '_2/2']);
    assert.match(text, /\[s:is_final\]:\[b:true\]/);
  });

  it('know where their values stand', () => {
    const places: Places = new Map();
    const tool = textValue('t');
    const [text] = write([message('call', { tool })], 'json', 'compact', places);
    const span = places.get(tool);
    assert.equal(span && text.slice(span.start, span.end), '"tool":"t"');
  });

  it('that are bare values stay bare where they can', () => {
    const bare = message('value', { data: textValue('x') });
    assert.deepEqual(write([bare], 'json')[0], '"x"\n');
    assert.deepEqual(write([bare], 'aicl')[0], '[s:x]\n');
  });
});
