import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { MESSAGE_FIELDS, MESSAGE_KINDS } from '../../../../core/catalog/message-kinds.ts';
import { jsonRpcShape } from '../../../../protocols/json-rpc/shape.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { printJson } from '../../../../language/values/json-printer.ts';
import { Report } from '../../../../core/message/report.ts';
import type { Reading } from '../../../../protocols/message/shape.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type Value,
} from '../../../../core/values/value.ts';
import { runs } from '../../../support/size.ts';

const NO_TOOLS = { isComplete: false, tools: new Map() };
const ID = 7;

function reading(report = new Report()): Reading {
  const number = ({ kind, fields }: Message): Message =>
    message(kind, {
      ...fields,
      id: fields.id?.kind === 'int' && fields.id.int === ID ? undefined : fields.id,
    });
  return { report, tools: NO_TOOLS, number };
}

const parse = (json: string): Value => readJsonPieces(json).pieces[0]?.value ?? NULL;

function show(value: Value): string {
  const sink = new TextSink();
  printJson(value, sink, 'compact');
  return sink.toString();
}

const read = (json: string): Message | undefined => jsonRpcShape.read(parse(json), reading());
const write = (given: Message, report = new Report()): Value =>
  jsonRpcShape.write(given, { report, tools: NO_TOOLS, id: ID });

const t = textValue;
const dict = (members: Record<string, Value>): Value =>
  dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));

describe('the shape of JSON-RPC (AIP)', () => {
  // What a server of AIP and its clients say, and what it means; each comes back as it is.
  const cases: readonly (readonly [string, Message])[] = [
    [
      '{"jsonrpc":"2.0","id":3,"method":"aip.tool.invoke","params":{"tool":"figma.getFile","arguments":{"fileKey":"abc123"}}}',
      message('call', {
        id: intValue(3),
        tool: t('figma.getFile'),
        arguments: dict({ fileKey: t('abc123') }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"method":"aip.tool.invoke","params":{"tool":"t"}}',
      message('call', { tool: t('t') }),
    ],
    [
      '{"jsonrpc":"2.0","method":"aip.tool.invoke","params":{"tool":"t"}}',
      message('call', { id: NULL, tool: t('t') }),
    ],
    ['{"jsonrpc":"2.0","id":7,"method":"aip.capabilities.list"}', message('list', {})],
    [
      '{"jsonrpc":"2.0","id":7,"method":"aip.capabilities.list","params":{"tool":"t"}}',
      message('describe', { tool: t('t') }),
    ],
    [
      '{"jsonrpc":"2.0","id":"1","method":"aip.handshake","params":{"version":"1.0.0","client":{"name":"T"}}}',
      message('negotiate', {
        id: t('1'),
        supported: listValue([t('1.0.0')]),
        rest: dict({ 'json-rpc': dict({ params: dict({ client: dict({ name: t('T') }) }) }) }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"method":"aip.context.get","params":{"key":"k"}}',
      message('call', {
        tool: t('aip.context.get'),
        arguments: dict({ key: t('k') }),
        rest: dict({ 'json-rpc': dict({ method: t('aip.context.get') }) }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"method":"subtract","params":[42,23]}',
      message('call', {
        tool: t('subtract'),
        arguments: listValue([intValue(42), intValue(23)]),
        rest: dict({ 'json-rpc': dict({ method: t('subtract') }) }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"result":{"success":true,"data":{"a":1}}}',
      message('result', { data: dict({ success: boolValue(true), data: dict({ a: intValue(1) }) }) }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"result":{"success":false,"error":"kaput"}}',
      message('error', {
        protocol: t('aip'),
        text: t('kaput'),
        data: dict({ success: boolValue(false), error: t('kaput') }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"a","description":"A"}],"next":2}}',
      message('result', {
        tools: listValue([dict({ name: t('a'), description: t('A') })]),
        rest: dict({ 'json-rpc': dict({ result: dict({ next: intValue(2) }) }) }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"result":{"tool":{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"},"y":{}},"required":["x"]}}}}',
      message('result', {
        declaration: dict({
          name: t('a'),
          arguments: listValue([
            dict({ name: t('x'), type: t('string'), optional: boolValue(false) }),
            dict({ name: t('y'), type: t('any'), optional: boolValue(true) }),
          ]),
        }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found: aip.nope"}}',
      message('error', {
        id: NULL,
        protocol: t('json-rpc'),
        code: intValue(-32601),
        text: t('Method not found: aip.nope'),
      }),
    ],
    ['{"jsonrpc":"2.0","id":7,"result":null}', message('result', { data: NULL })],
  ];
  for (const [json, meant] of cases)
    it(`reads and writes ${json}`, () => {
      assert.equal(jsonRpcShape.recognises(parse(json)), true);
      assert.deepEqual(read(json), meant);
      assert.equal(show(write(meant)), json);
    });

  it('reads replies of version 1.0, and errors that are texts', () => {
    assert.deepEqual(
      read('{"id":7,"result":null,"error":"boom"}'),
      message('error', {
        protocol: t('json-rpc'),
        text: t('boom'),
        rest: dict({ 'json-rpc': dict({ result: NULL }) }),
      }),
    );
  });

  it('leaves what is no message', () => {
    for (const json of ['5', '[]', '{}', '{"id":1}', '{"method":5}', '{"jsonrpc":"2.0"}'])
      assert.equal(read(json), undefined, json);
    for (const json of ['{"method":"x"}', '{"result":1}', '{"error":{}}'])
      assert.equal(jsonRpcShape.recognises(parse(json)), false, json);
  });

  it('carries what AIP has no place for beside the message, and says what a server refuses', () => {
    const report = new Report();
    const task = message('task', { task: t('sum'), deadline: intValue(5), session: t('s') });
    assert.equal(
      show(write(task, report)),
      '{"jsonrpc":"2.0","id":7,"method":"parley.task","params":{"task":"sum","deadline":5},"parley":{"session":"s"}}',
    );
    assert.deepEqual(report.losses, []);
    assert.deepEqual(
      report.notes.map(note => note.message),
      ['AIP has no message for a task: a server refuses `parley.task`'],
    );
  });

  it('gives every message back, whatever its fields hold', () => {
    const key = fc.oneof(
      fc.constantFrom(
        'jsonrpc',
        'id',
        'method',
        'params',
        'result',
        'error',
        'parley',
        'tool',
        'tools',
        'arguments',
        'version',
        'success',
        'data',
        'text',
        'code',
        'message',
        'protocol',
        'kind',
        'name',
        'rest',
        'json-rpc',
        '__proto__',
        '1',
        '$int',
      ),
      fc.string({ maxLength: 3 }),
    );
    const { value: anyValue, dict: anyDict } = fc.letrec<{ value: Value; dict: Value }>(tie => ({
      value: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        fc
          .constantFrom(
            '',
            'x',
            '2.0',
            'aip.tool.invoke',
            'aip.capabilities.list',
            'parley.task',
            'aip',
            'result',
            'call',
            'value',
          )
          .map(t),
        fc.integer().map(intValue),
        fc.double().map(floatValue),
        fc.boolean().map(boolValue),
        fc.constant(NULL),
        fc.array(tie('value'), { maxLength: 3 }).map(listValue),
        tie('dict'),
      ),
      dict: fc
        .uniqueArray(fc.record({ key, value: tie('value') }, { noNullPrototype: true }), {
          maxLength: 4,
          selector: entry => entry.key,
        })
        .map(dictValue),
    }));
    const anyRest = fc.oneof(
      anyValue,
      anyDict.map(own => dictValue([{ key: 'json-rpc', value: own }])),
      fc
        .tuple(fc.constantFrom('params', 'result', 'error', 'method'), anyDict)
        .map(([name, own]) =>
          dictValue([{ key: 'json-rpc', value: dictValue([{ key: name, value: own }]) }]),
        ),
    );
    const fields = Object.fromEntries(
      MESSAGE_FIELDS.map(name => [name, name === 'rest' ? anyRest : anyValue]),
    );
    const anyMessage = fc
      .tuple(
        fc.constantFrom(...MESSAGE_KINDS.map(row => row.name)),
        fc.record(fields, { requiredKeys: [], noNullPrototype: true }),
      )
      .map(([kind, given]) => jsonRpcShape.read(write(message(kind, given)), reading()))
      .filter(found => found !== undefined);
    // What another protocol's reader can make of a message is as free as this.
    const free = fc
      .tuple(
        fc.constantFrom(...MESSAGE_KINDS.map(row => row.name)),
        fc.record(fields, { requiredKeys: [], noNullPrototype: true }),
      )
      .map(([kind, given]) => message(kind, given))
      .filter(given => given.fields.arguments?.kind !== 'list' && !isOwnId(given));
    const back = (given: Message): void => {
      const report = new Report();
      const value = jsonRpcShape.write(given, { report, tools: NO_TOOLS, id: ID });
      assert.deepEqual(jsonRpcShape.read(value, reading()), given, show(value));
      assert.deepEqual(report.losses, []);
    };
    fc.assert(fc.property(free, back), { numRuns: runs(1500) });
    fc.assert(
      fc.property(
        anyMessage.filter(given => given.fields.arguments?.kind !== 'list'),
        back,
      ),
      { numRuns: runs(500) },
    );
    fc.assert(
      fc.property(anyDict, value => {
        const found = jsonRpcShape.read(value, reading());
        if (found && found.fields.arguments?.kind !== 'list') back(found);
      }),
      { numRuns: runs(1500) },
    );
  });
});

function isOwnId({ fields }: Message): boolean {
  return fields.id?.kind === 'int' && fields.id.int === ID;
}
