import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { jsonRpcShape } from '../../../../protocols/json-rpc/shape.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { printJson } from '../../../../language/values/json-printer.ts';
import { Report } from '../../../../core/message/report.ts';
import type { Reading } from '../../../../protocols/message/shape.ts';
import { writeMessage } from '../../../../protocols/convert/write-message.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type Value,
} from '../../../../core/values/value.ts';

const NO_TOOLS = { isComplete: false, tools: new Map() };
const ID = 7;

function reading(report = new Report()): Reading {
  const number = ({ kind, fields }: Message): Message =>
    message(kind, {
      ...fields,
      id: fields.id?.kind === 'int' && fields.id.int === ID ? undefined : fields.id,
    });
  return { protocols: ALL_PROTOCOLS, report, tools: NO_TOOLS, number };
}

const parse = (json: string): Value => readJsonPieces(json).pieces[0]?.value ?? NULL;

function show(value: Value): string {
  const sink = new TextSink();
  printJson(value, sink, 'compact');
  return sink.toString();
}

const read = (json: string): Message | undefined => jsonRpcShape.read(parse(json), reading());
const write = (given: Message, report = new Report()): Value =>
  writeMessage('json-rpc', given, { protocols: ALL_PROTOCOLS, report, tools: NO_TOOLS, id: ID });

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
        rest: dict({ 'json-rpc': dict({ $method: t('aip.context.get') }) }),
      }),
    ],
    [
      '{"jsonrpc":"2.0","id":7,"method":"subtract","params":[42,23]}',
      message('call', {
        tool: t('subtract'),
        arguments: listValue([intValue(42), intValue(23)]),
        rest: dict({ 'json-rpc': dict({ $method: t('subtract') }) }),
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

  it('writes what AIP has no message for as a call, and tells what has no place', () => {
    const report = new Report();
    const task = message('task', { task: t('sum'), deadline: intValue(5), session: t('s') });
    assert.equal(
      show(write(task, report)),
      '{"jsonrpc":"2.0","id":7,"method":"aip.tool.invoke","params":{"tool":"task","arguments":{"task":"sum","deadline":5}}}',
    );
    assert.deepEqual(
      report.losses.map(loss => `${loss.kind} ${loss.path}: ${loss.message}`),
      [
        "moved : AIP has no message for a task; it is written as a call of a tool 'task', which the agent may not have",
        'dropped session: JSON-RPC has no place for a session',
      ],
    );
  });

  it('has content as it is, and a conversation as data', () => {
    const image = dict({ type: t('image'), url: t('https://example.org/a.png') });
    const content = message('result', { content: listValue([image]) });
    const json =
      '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"image","url":"https://example.org/a.png"}]}}';
    assert.equal(show(write(content)), json);
    assert.deepEqual(read(json), content);
    const report = new Report();
    const items = listValue([dict({ type: t('reasoning') }), dict({ type: t('x') })]);
    assert.equal(
      show(write(message('result', { items }), report)),
      '{"jsonrpc":"2.0","id":7,"result":{"items":[{"type":"reasoning"},{"type":"x"}]}}',
    );
    assert.deepEqual(
      report.losses.map(({ kind, path }) => [kind, path]),
      [['moved', 'items']],
    );
  });
});
