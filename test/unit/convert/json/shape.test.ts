import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { aiclShape } from '../../../../protocols/aicl/shape.ts';
import { jsonShape } from '../../../../protocols/json/shape.ts';
import { printJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { Report } from '../../../../core/message/report.ts';
import type { Reading, Writing } from '../../../../protocols/message/shape.ts';
import { meansSame } from '../../../support/means-same.ts';
import { writeMessage } from '../../../../protocols/convert/write-message.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { isSameMessage } from '../../../../protocols/message/same-value.ts';
import { dictValue, intValue, listValue, textValue, type Value } from '../../../../core/values/value.ts';
import { anyMessage } from '../../../support/message-arbitrary.ts';
import { runs } from '../../../support/size.ts';

const tools = { isComplete: false, tools: new Map() };

function reading(): Reading {
  return { protocols: ALL_PROTOCOLS, report: new Report(), tools, number: read => read };
}

function writing(report = new Report()): Writing {
  return { protocols: ALL_PROTOCOLS, report, tools, id: 1 };
}

function write(written: Message): string {
  const sink = new TextSink();
  printJson(jsonShape.write(written, writing()), sink, 'compact');
  return String(sink);
}

function read(source: string): Message | undefined {
  const { pieces, faults } = readJsonPieces(source);
  assert.deepEqual(faults, []);
  const [piece] = pieces;
  return piece && (jsonShape.read(piece.value, reading()) ?? message('value', { data: piece.value }));
}

const text = textValue;
const dict = (members: Readonly<Record<string, Value>>): Value =>
  dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));

describe('plain typed JSON', () => {
  const examples: readonly { title: string; source: string; means: Message }[] = [
    {
      title: 'a call, its kind first',
      source:
        '{"kind":"call","id":"a-1","session":"s","tool":"weather","arguments":{"city":"Ulm","days":3.0},"timeout":5}',
      means: message('call', {
        id: text('a-1'),
        session: text('s'),
        tool: text('weather'),
        arguments: dict({ city: text('Ulm'), days: { kind: 'float', float: 3 } }),
        timeout: intValue(5),
      }),
    },
    {
      title: 'members that are no fields, and what other protocols left',
      source: '{"kind":"end","x-foo":[1],"toString":2,"rest":{"mcp":{"_meta":{"a":1}}}}',
      means: message('end', {
        rest: dict({
          json: dict({ 'x-foo': listValue([intValue(1)]), toString: intValue(2) }),
          mcp: dict({ _meta: dict({ a: intValue(1) }) }),
        }),
      }),
    },
    {
      title: 'members that look like fields stay apart from them, in their order',
      source: '{"kind":"list","b":2,"rest":{"json":{"a":1,"tool":"x"}}}',
      means: message('list', {
        rest: dict({ json: dict({ a: intValue(1), tool: text('x'), b: intValue(2) }) }),
      }),
    },
    {
      title: 'a value that is no message',
      source: '[1,{"a":"b"}]',
      means: message('value', { data: listValue([intValue(1), dict({ a: text('b') })]) }),
    },
    {
      title: 'a value that looks like a message',
      source: '{"kind":"value","data":{"kind":"list"}}',
      means: message('value', { data: dict({ kind: text('list') }) }),
    },
  ];
  for (const { title, source, means } of examples)
    it(`reads and writes ${title}`, () => {
      assert.deepEqual([read(source), write(means)], [means, source]);
    });

  it('recognises no other values', () => {
    const others = [text('call'), dict({}), dict({ kind: text('calls') }), dict({ kind: intValue(1) })];
    assert.deepEqual(
      others.map(value => [jsonShape.recognises(value), jsonShape.read(value, reading())]),
      others.map(() => [false, undefined]),
    );
  });

  it('says the same again, whatever the message, with texts that AICL could not send', () => {
    fc.assert(
      fc.property(anyMessage({ hasUnsendable: true }), written => {
        const source = write(written);
        const back = read(source);
        assert.ok(back && isSameMessage(back, written), `${inspect(written, { depth: null })}\n${source}`);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('carries what AICL says, and AICL what it says, or tells what is lost', () => {
    fc.assert(
      fc.property(anyMessage({ hasUnsendable: false }), written => {
        const report = new Report();
        const aicl = writeMessage('aicl', written, writing(report));
        const there = aiclShape.read(aicl, reading()) ?? message('value', { data: aicl });
        const back = read(write(there));
        if (report.losses.length === 0)
          assert.ok(back && meansSame(back, written), inspect(written, { depth: null }));
      }),
      { numRuns: runs(1_000) },
    );
  });
});
