import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { meansSame } from '../../support/means-same.ts';
import { writeMessage } from '../../../protocols/convert/write-message.ts';
import { jsonShape } from '../../../protocols/json/shape.ts';
import { shapeOf } from '../../../protocols/convert/shapes.ts';
import { Numbering } from '../../../protocols/convert/numbering.ts';
import { Report } from '../../../core/message/report.ts';
import type { ProtocolShape, Reading } from '../../../protocols/message/shape.ts';
import type { MessageKind } from '../../../core/catalog/message-kinds.ts';
import { MESSAGE_KINDS } from '../../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../../core/message/message.ts';
import { dictValue, intValue, NULL, textValue, type Value } from '../../../core/values/value.ts';
import { isSameValue } from '../../../protocols/message/same-value.ts';
import { anyValue, messageOfKind } from '../../support/message-arbitrary.ts';
import { runs } from '../../support/size.ts';

const ANY = { hasUnsendable: true };
const NO_TOOLS = { isComplete: false, tools: new Map() };

/** Reads one message alone, as the first of its text. */
function readAlone(shape: ProtocolShape, value: Value, report = new Report()): Message | undefined {
  const numbering = new Numbering();
  const reading: Reading = {
    protocols: ALL_PROTOCOLS,
    report,
    tools: NO_TOOLS,
    number: found => {
      const number = numbering.next(found);
      const { id } = found.fields;
      const isOwn = id !== undefined && isSameValue(id, intValue(number));
      return isOwn ? message(found.kind, { ...found.fields, id: undefined }) : found;
    },
  };
  return shape.read(value, reading);
}

function writeAlone(name: Name, given: Message, report = new Report()): Value {
  return writeMessage(name, given, {
    protocols: ALL_PROTOCOLS,
    report,
    tools: NO_TOOLS,
    id: new Numbering().next(given),
  });
}

/** The law: without a report the message means the same; with a loss it is another one. */
function checkLaw(name: Name, given: Message): void {
  const report = new Report();
  const written = writeAlone(name, given, report);
  const back = readAlone(shapeOf(ALL_PROTOCOLS, name) ?? jsonShape, written);
  const isSame = back !== undefined && meansSame(back, given);
  const explain = (): string => inspect([given, written, back, report.losses], { depth: null });
  if (report.losses.length === 0) assert.ok(isSame, `changed in silence\n${explain()}`);
  if (report.losses.some(({ kind }) => kind === 'dropped')) assert.ok(!isSame, `false alarm\n${explain()}`);
}

/** Members that the shapes know, with values of any form, at the places where they matter. */
const WORDS = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'output', 'outputs', 'trace_id', '_meta'],
  ...[
    'name',
    'arguments',
    'tool',
    'args',
    'input',
    'type',
    'value',
    'content',
    'structuredContent',
    'isError',
  ],
  ...[
    'tools',
    'code',
    'message',
    'data',
    'resultType',
    'traceparent',
    'rest',
    'mcp',
    'a2a',
    '$blocks',
    '$under',
  ],
  ...['object', 'status', 'output', 'session_id', 'parts', 'kind', 'items', 'message', 'task'],
  ...[
    'protocolVersion',
    'capabilities',
    'clientInfo',
    'text',
    '$method',
    '$whole',
    'messages',
    'role',
    'calls',
    '__proto__',
    'constructor',
  ],
];
const METHODS = [
  ...[
    'tools/call',
    'tools/list',
    'initialize',
    'server/discover',
    'notifications/progress',
    'resources/read',
  ],
  ...['sampling/createMessage', 'SendMessage', 'message/send', 'ping', '', 'a::tools.call', 'agent::help'],
  ...['x::sampling.start', '::', 'tools_call', 'a::tools_list', 'a::b::c', 'data', 'output'],
  ...['content', 'declaration', 'value', 'text', 'error', 'result'],
];

const hostile: fc.Arbitrary<Value> = fc.letrec<{ value: Value; dict: Value }>(tie => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.constantFrom(...METHODS).map(textValue),
    fc.constantFrom<Value>(NULL, intValue(1), { kind: 'bool', bool: true }, { kind: 'list', items: [] }),
    anyValue(ANY),
    fc.array(tie('value'), { maxLength: 2 }).map((items): Value => ({ kind: 'list', items })),
    tie('dict'),
    tie('dict'),
  ),
  dict: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...WORDS), tie('value')), {
      maxLength: 5,
      selector: ([key]) => key,
    })
    .map(entries => dictValue(entries.map(([key, value]) => ({ key, value })))),
})).dict;

const NAMES = ['mcp', 'aio', 'json-rpc', 'a2a', 'agent-api', 'responses', 'aicl'] as const;
type Name = (typeof NAMES)[number];
const RUNS = { numRuns: runs(600) };

for (const name of NAMES)
  describe(`the law of ${name}`, () => {
    for (const { name: kind } of MESSAGE_KINDS)
      it(`holds for any ${kind}`, () => {
        fc.assert(
          fc.property(messageOfKind(kind, ANY), given => checkLaw(name, normal(given))),
          { ...RUNS, examples: [[message(kind, { agent: textValue('a') })]] },
        );
      });

    it('holds for messages that a strange value is read as', () => {
      fc.assert(
        fc.property(hostile, value => {
          const found = readAlone(shapeOf(ALL_PROTOCOLS, name) ?? jsonShape, value);
          if (found) checkLaw(name, found);
        }),
        { numRuns: runs(3_000) },
      );
    });

    it('holds for messages with anything in place of what a reader leaves', () => {
      const kinds = fc.constantFrom<MessageKind>(...MESSAGE_KINDS.map(row => row.name));
      fc.assert(
        fc.property(
          kinds.chain(kind => messageOfKind(kind, ANY)),
          hostile,
          (given, rest) =>
            checkLaw(
              name,
              normal(message(given.kind, { ...given.fields, rest: dictValue([{ key: name, value: rest }]) })),
            ),
        ),
        { numRuns: runs(2_000) },
      );
    });

    it('holds for messages whose fields are such values', () => {
      fc.assert(
        fc.property(messageOfKind('result', ANY), hostile, hostile, (given, data, content) =>
          checkLaw(name, normal(message('result', { ...given.fields, data, content }))),
        ),
        RUNS,
      );
    });
  });

/** A text part, as messages carry it. */
function part(text: string): Value {
  return dictValue([
    { key: 'type', value: textValue('text') },
    { key: 'text', value: textValue(text) },
  ]);
}

function list(...items: Value[]): Value {
  return { kind: 'list', items };
}

/** An item of a conversation with one text. */
function spoken(role: string, text: string): Value {
  return dictValue([
    { key: 'type', value: textValue('message') },
    { key: 'role', value: textValue(role) },
    { key: 'content', value: list(part(text)) },
  ]);
}

const TEXTS = [textValue(''), textValue('x'), list(), list(part('')), list(part('x'))];
const CONTENTS = [
  undefined,
  ...TEXTS,
  list(part(''), part('')),
  list(part(''), part('x')),
  list(part('x'), part('')),
];
const PLAIN = [undefined, textValue(''), textValue('x')];
const ITEMS = [
  undefined,
  ...['', 'x'].flatMap(text => [list(spoken('user', text)), list(spoken('assistant', text))]),
];
const CONSTRAINTS = [
  undefined,
  dictValue([]),
  ...[...TEXTS, intValue(1)].map(value => dictValue([{ key: 'inputs', value }])),
];

describe('the law for a conversation beside a content that is alike', () => {
  for (const name of NAMES)
    it(`holds for tasks in ${name}`, () => {
      for (const content of CONTENTS)
        for (const task of PLAIN)
          for (const items of ITEMS)
            for (const constraints of CONSTRAINTS)
              checkLaw(name, message('task', { content, task, items, constraints }));
    });

  for (const name of NAMES)
    it(`holds for results and chunks in ${name}`, () => {
      for (const kind of ['result', 'chunk'] as const)
        for (const content of CONTENTS)
          for (const data of PLAIN)
            for (const items of ITEMS) checkLaw(name, message(kind, { content, data, items }));
    });
});

/** The message without an id that it has anyhow, as readers give messages. */
function normal(given: Message): Message {
  const number = new Numbering().next(given);
  const { id } = given.fields;
  return id !== undefined && isSameValue(id, intValue(number))
    ? message(given.kind, { ...given.fields, id: undefined })
    : given;
}
