import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import fc from 'fast-check';
import { jsonShape } from '../../../protocols/json/shape.ts';
import { shapeOf } from '../../../protocols/convert/shapes.ts';
import type { MessageKind } from '../../../core/catalog/message-kinds.ts';
import { MESSAGE_KINDS } from '../../../core/catalog/message-kinds.ts';
import { message } from '../../../core/message/message.ts';
import { dictValue, intValue, NULL, textValue, type Value } from '../../../core/values/value.ts';
import { checkLaw, LAW_NAMES, normal, readAlone } from '../../support/conversion-law.ts';
import { anyValue, messageOfKind } from '../../support/message-arbitrary.ts';
import { runs } from '../../support/size.ts';

const ANY = { hasUnsendable: true };
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

const RUNS = { numRuns: runs(600) };

for (const name of LAW_NAMES)
  describe(`the law of ${name}`, () => {
    for (const { name: kind } of MESSAGE_KINDS)
      it(`holds for any ${kind}`, () => {
        fc.assert(
          fc.property(messageOfKind(kind, ANY), given => checkLaw(name, normal(given))),
          { ...RUNS, examples: [[message(kind, { agent: textValue('a') })]] },
        );
      });

    it('holds in every protocol for messages that a strange value is read as', () => {
      fc.assert(
        fc.property(hostile, fc.constantFrom(name, ...LAW_NAMES), (value, to) => {
          const found = readAlone(shapeOf(ALL_PROTOCOLS, name) ?? jsonShape, value);
          if (found) checkLaw(to, found);
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
