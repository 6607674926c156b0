import { NO_TOOLS } from '../../../../language/tools.ts';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { protocolOf } from '../../../support/protocol.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProtocolName } from '../../../../core/catalog/protocols.ts';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { readMessages } from '../../../../protocols/convert/read-text.ts';
import { Report } from '../../../../core/message/report.ts';
import { withoutField, type Message } from '../../../../core/message/message.ts';
import { findEntry, type Value } from '../../../../core/values/value.ts';
import { sse } from '../../../support/asked-reply.ts';

const answer = (result: object): object => ({ jsonrpc: '2.0', id: 1, result });
const ARTIFACT = answer({
  kind: 'artifact-update',
  taskId: 't',
  contextId: 'c',
  artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'So' }] },
});
const NEW_ARTIFACT = answer({
  artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'So' }] } },
});
const status = (state: string): object =>
  answer({
    kind: 'status-update',
    taskId: 't',
    contextId: 'c',
    status: { state },
    final: state !== 'working',
  });

describe('a reader of replies', () => {
  const streams: readonly (readonly [name: string, events: readonly object[]])[] = [
    ['goes on', [status('working'), ARTIFACT]],
    ['goes on in version 1.0', [NEW_ARTIFACT, NEW_ARTIFACT]],
    ['is completed', [ARTIFACT, ARTIFACT, status('completed')]],
    ['fails', [ARTIFACT, status('failed')]],
    ['is an error', [ARTIFACT, { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } }]],
    ['goes on after an error', [status('failed'), ARTIFACT]],
  ];
  for (const [name, events] of streams)
    it(`tells who wants the outcome alone the same of a task of A2A that ${name}`, () => {
      const [all, brief] = (['all', 'outcome'] as const).map(keeps => {
        const reader = new ReplyReader(
          protocolOf('a2a'),
          { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: new Report() },
          keeps,
        );
        const said = [...reader.push(sse(events)), ...reader.end()];
        const { isProtocol, isOver, outcome } = reader;
        return { outcome: { isProtocol, isOver, outcome }, said: said.filter(({ fields }) => fields.data) };
      });
      assert.deepEqual(brief?.outcome, all?.outcome);
      assert.equal(all?.said.length, events.filter(each => [ARTIFACT, NEW_ARTIFACT].includes(each)).length);
      assert.deepEqual(brief?.said, []);
    });

  it('stores of a batch the last message alone for who wants the outcome', () => {
    const batch = Array.from({ length: 500 }, (_, id) => ({ ...answer({ so: id }), id }));
    const failed = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } };
    const [all, brief] = (['all', 'outcome'] as const).map(keeps => {
      const reader = new ReplyReader(
        protocolOf('json-rpc'),
        { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: new Report() },
        keeps,
      );
      reader.push(JSON.stringify([...batch, failed]));
      const { length } = reader.end();
      return { length, isProtocol: reader.isProtocol, outcome: reader.outcome };
    });
    assert.deepEqual([all?.length, brief?.length], [501, 1]);
    assert.deepEqual({ ...brief, length: 501 }, all);
  });

  it('reports the data of each event, with its value if that is JSON', () => {
    const observed: (readonly [string, Value | undefined])[] = [];
    const reader = new ReplyReader(
      protocolOf('a2a'),
      { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: new Report() },
      'outcome',
      ({ data, value }) => observed.push([data, findEntry(value, 'a')]),
    );
    reader.push('data: {"a":\ndata: 1}\n\ndata: {"a":1e400}\n\nda');
    reader.push('ta: {"a":[\n\n: alive\n\ndata: [DONE]\n\ndata: so');
    reader.end();
    assert.deepEqual(observed, [
      ['{"a":\n1}', { kind: 'int', int: 1 }],
      ['{"a":1e400}', { kind: 'float', float: Infinity, literal: '1e400' }],
      ['{"a":[', undefined],
      ['so', undefined],
    ]);
  });

  it('takes a body in another language of ours for no message of the protocol', () => {
    const aicl =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:result],[s:data]:[s:so]]';
    for (const protocol of ['json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a'] as const)
      for (const body of ['OK|so', 'STREAM|so\nEND', 'ERR|404|no', aicl]) {
        const reader = new ReplyReader(protocolOf(protocol), {
          protocols: ALL_PROTOCOLS,
          tools: NO_TOOLS,
          report: new Report(),
        });
        assert.deepEqual([...reader.push(body), ...reader.end()], [], protocol);
        assert.equal(reader.isProtocol, false);
      }
  });

  it('keeps what agents call their responses, also where that looks like a number of ours', () => {
    const said = [
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'so' }], status: 'completed' },
    ];
    for (const [protocol, id] of [
      ['agent-api', 'response_20170729'],
      ['responses', 'resp_2'],
    ] as const)
      for (const [status, more, place] of [
        ['completed', { output: said }, 'metadata'],
        ['failed', { output: [], error: { code: 'E', message: 'no' } }, 'rest'],
      ] as const) {
        const body = JSON.stringify({ id, object: 'response', status, created_at: 0, ...more });
        const reader = new ReplyReader(protocolOf(protocol), {
          protocols: ALL_PROTOCOLS,
          tools: NO_TOOLS,
          report: new Report(),
        });
        const [read] = [...reader.push(body), ...reader.end()];
        const at = read?.fields[place];
        const found = place === 'rest' ? findEntry(at, protocol) : at;
        assert.deepEqual(findEntry(found, 'id'), { kind: 'text', text: id }, `${protocol} ${status}`);
      }
  });

  it('reads a body that is one message as any text is read', () => {
    const bodies: readonly (readonly [ProtocolName, object])[] = [
      ['json-rpc', answer({ success: true, data: [1] })],
      ['mcp', answer({ content: [{ type: 'text', text: '3' }], _meta: { 'x/y': 1 } })],
      ['mcp', answer({ content: [{ type: 'text', text: 'no' }], isError: true })],
      ['mcp', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no', data: { a: 1 } } }],
      [
        'a2a',
        answer({ kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'x' }] }),
      ],
      ['aio', { status: 'ok', output: 3, trace_id: 't' }],
    ];
    const read = (protocol: ProtocolName, body: string): readonly Message[] => {
      const reader = new ReplyReader(protocolOf(protocol), {
        protocols: ALL_PROTOCOLS,
        tools: NO_TOOLS,
        report: new Report(),
      });
      return [...reader.push(body), ...reader.end()];
    };
    for (const [protocol, body] of bodies) {
      const text = JSON.stringify(body);
      const whole = readMessages(text, { protocols: ALL_PROTOCOLS, from: protocol, report: new Report() });
      const expected = whole.messages.map(({ message }) =>
        withoutField(withoutField(message, 'id'), 'trace'),
      );
      assert.equal(expected.length, 1);
      assert.deepEqual(read(protocol, text), expected);
    }
  });
});
