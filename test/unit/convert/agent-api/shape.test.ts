import assert from 'node:assert/strict';
import fc from 'fast-check';
import { a2aShape } from '../../../../protocols/a2a/shape.ts';
import { agentApiShape } from '../../../../protocols/agent-api/shape.ts';
import { printJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { Report } from '../../../../core/message/report.ts';
import { responsesShape } from '../../../../protocols/responses/shape.ts';
import type { ProtocolShape, Reading, Writing } from '../../../../protocols/message/shape.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { isSameMessage } from '../../../../protocols/message/same-message.ts';
import type { Value } from '../../../../core/values/value.ts';
import { anyMessage, anyValue } from '../../../support/message-arbitrary.ts';
import { runs } from '../../../support/size.ts';

const ID = 7;
const TOOLS = { isComplete: false, tools: new Map() };

function writing(report = new Report()): Writing {
  return { report, tools: TOOLS, id: ID };
}

function reading(report = new Report()): Reading {
  return {
    report,
    tools: TOOLS,
    number: read => {
      const { id } = read.fields;
      return id?.kind === 'int' && id.int === ID
        ? message(read.kind, { ...read.fields, id: undefined })
        : read;
    },
  };
}

function valueOf(json: unknown): Value {
  const { pieces } = readJsonPieces(JSON.stringify(json));
  assert.equal(pieces.length, 1);
  const [piece] = pieces;
  assert.ok(piece);
  return piece.value;
}

function jsonOf(value: Value): unknown {
  const sink = new TextSink();
  printJson(value, sink, 'compact');
  return JSON.parse(sink.toString());
}

function read(shape: ProtocolShape, json: unknown): Message {
  const value = valueOf(json);
  assert.ok(shape.recognises(value), 'not recognised');
  const found = shape.read(value, reading());
  assert.ok(found);
  return found;
}

/** A message as JSON: kind and fields. */
function shown({ kind, fields }: Message): unknown {
  return {
    kind,
    ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, jsonOf(value)])),
  };
}

const SHAPES: readonly (readonly [string, ProtocolShape])[] = [
  ['agent-api', agentApiShape],
  ['responses', responsesShape],
  ['a2a', a2aShape],
];

for (const [name, shape] of SHAPES)
  describe(`${name}: the law`, () => {
    it('reads every message that it wrote as the same message, or tells of a loss', () => {
      fc.assert(
        fc.property(anyMessage({ hasUnsendable: true }), given => {
          const start = reading().number(given);
          const report = new Report();
          const value = shape.write(start, writing(report));
          const back = shape.read(value, reading());
          assert.ok(back);
          assert.ok(shape.recognises(value), JSON.stringify(jsonOf(value)));
          if (report.losses.length === 0)
            assert.ok(
              isSameMessage(back, start),
              `${JSON.stringify(shown(start))} ${JSON.stringify(shown(back))}`,
            );
        }),
        { numRuns: runs(400) },
      );
    });

    it('reads every value without throwing, and writes what it read', () => {
      const keys = ['input', 'object', 'status', 'output', 'error', 'metadata', 'parley', 'result', 'params'];
      const odd = fc.dictionary(fc.constantFrom(...keys, 'method', 'jsonrpc', 'id'), fc.jsonValue());
      fc.assert(
        fc.property(odd, json => {
          const found = shape.read(valueOf(json), reading());
          if (!found) return;
          const back = shape.read(shape.write(found, writing()), reading());
          assert.ok(
            back && isSameMessage(back, found),
            JSON.stringify([json, shown(found), back && shown(back)]),
          );
        }),
        { numRuns: runs(400) },
      );
    });

    it('carries a rest of any form', () => {
      fc.assert(
        fc.property(
          anyMessage({ hasUnsendable: false }),
          anyValue({ hasUnsendable: false }),
          (given, rest) => {
            const strange = message(given.kind, {
              ...reading().number(given).fields,
              rest: { kind: 'dict', entries: [{ key: name, value: rest }] },
            });
            const report = new Report();
            const back = shape.read(shape.write(strange, writing(report)), reading());
            assert.ok(back);
            if (report.losses.length === 0)
              assert.ok(isSameMessage(back, strange), JSON.stringify(shown(strange)));
          },
        ),
        { numRuns: runs(200) },
      );
    });
  });

describe('agent-api', () => {
  it('reads the request of the document as a task', () => {
    const request = {
      input: [{ role: 'user', content: [{ type: 'text', text: 'Describe this' }], type: 'message' }],
      stream: true,
      model: 'gpt-4-vision',
      session_id: 's1',
    };
    assert.deepEqual(shown(read(agentApiShape, request)), {
      kind: 'task',
      task: 'Describe this',
      session: 's1',
      rest: { 'agent-api': { stream: true, model: 'gpt-4-vision' } },
    });
  });

  it('writes a call as a function call, and a result as a response', () => {
    const call = message('call', {
      tool: { kind: 'text', text: 'weather' },
      arguments: valueOf({ city: 'Bern' }),
    });
    assert.deepEqual(jsonOf(agentApiShape.write(call, writing())), {
      input: [
        {
          object: 'message',
          type: 'function_call',
          role: 'assistant',
          content: [
            { type: 'data', data: { call_id: 'call_7', name: 'weather', arguments: '{"city":"Bern"}' } },
          ],
        },
      ],
    });
    const result = message('result', { data: { kind: 'text', text: 'sunny' } });
    assert.deepEqual(jsonOf(agentApiShape.write(result, writing())), {
      object: 'response',
      status: 'completed',
      error: null,
      id: 'response_7',
      created_at: 0,
      completed_at: null,
      output: [
        {
          object: 'message',
          id: 'msg_1',
          status: 'completed',
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'sunny' }],
        },
      ],
      usage: null,
      session_id: null,
    });
  });

  it('reads a response of the runtime with all its null members', () => {
    const content = {
      sequence_number: null,
      object: 'content',
      status: 'completed',
      error: null,
      type: 'text',
      index: 0,
      delta: false,
      msg_id: 'msg_a',
      text: 'Hi',
    };
    const said = {
      sequence_number: 5,
      object: 'message',
      status: 'completed',
      error: null,
      id: 'msg_a',
      type: 'message',
      role: 'assistant',
      content: [content],
      code: null,
      message: null,
      usage: null,
      metadata: null,
    };
    const response = {
      object: 'response',
      status: 'completed',
      error: null,
      id: 'response_a',
      created_at: 5,
      completed_at: 6,
      output: [said],
      usage: null,
      session_id: 's1',
    };
    assert.deepEqual(shown(read(agentApiShape, response)), {
      kind: 'result',
      data: 'Hi',
      session: 's1',
      rest: {
        'agent-api': {
          id: 'response_a',
          created_at: 5,
          completed_at: 6,
          output: [{ id: 'msg_a', sequence_number: 5 }],
        },
      },
    });
  });

  it('reads a failure before there was a response', () => {
    assert.deepEqual(shown(read(agentApiShape, { error: 'no model' })), {
      kind: 'error',
      protocol: 'agent-api',
      text: 'no model',
    });
  });
});

describe('responses', () => {
  it('reads a text, and a message of one text, as the same task', () => {
    const more = { model: 'gpt-5', instructions: 'Be short' };
    const expected = { kind: 'task', task: 'Hi', rest: { responses: more } };
    assert.deepEqual(shown(read(responsesShape, { input: 'Hi', ...more })), expected);
    const list = [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }];
    assert.deepEqual(shown(read(responsesShape, { input: list, ...more })), expected);
  });

  it('keeps the text of arguments that prints otherwise', () => {
    const call = { type: 'function_call', call_id: 'c9', name: 'f', arguments: '{ "a": 1.50 }' };
    const found = read(responsesShape, { input: [call] });
    assert.deepEqual(shown(found), {
      kind: 'call',
      id: 'c9',
      tool: 'f',
      arguments: { a: 1.5 },
      rest: { responses: { 'parley.arguments': '{ "a": 1.50 }' } },
    });
    assert.deepEqual(jsonOf(responsesShape.write(found, writing())), { input: [call] });
  });

  it('says that an envelope is too long for metadata', () => {
    const report = new Report();
    const long = message('task', {
      task: { kind: 'text', text: 'x' },
      deadline: { kind: 'text', text: 'y'.repeat(600) },
    });
    responsesShape.write(long, writing(report));
    assert.deepEqual(
      report.notes.map(note => note.message),
      [
        'The request names no model; OpenAI wants `model` before it is sent',
        'What Responses has no place for takes more than the 512 characters that a value of metadata may have; OpenAI refuses it',
      ],
    );
  });
});

describe('agent-api and responses', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('', '{', ']', '__proto__', '{"a": 1}', '\ud800'),
  );
  const item = fc.oneof(
    fc.record({
      type: fc.constant('message'),
      role: fc.constantFrom('user', 'assistant', 'system'),
      texts: fc.array(text, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ type: fc.constant('function_call'), call_id: text, name: text, arguments: text }),
    fc.record({ type: fc.constant('function_call_output'), call_id: text, output: text }),
  );

  function agentMessage(given: Record<string, unknown>, index: number): unknown {
    const { type, role, texts, ...data } = given;
    const content = Array.isArray(texts)
      ? texts.map(one => ({ type: 'text', text: String(one) }))
      : [{ type: 'data', data }];
    return {
      type,
      role: role ?? (type === 'function_call' ? 'assistant' : 'tool'),
      id: `m${index}`,
      content,
    };
  }

  it('are lossless for every conversation of texts and function calls', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), fc.boolean(), (items, isReply) => {
        const list = items.map(agentMessage);
        const json = isReply
          ? { object: 'response', status: 'completed', id: 'r1', output: list }
          : { input: list, session_id: 's' };
        const report = new Report();
        const start = read(agentApiShape, json);
        const value = responsesShape.write(start, writing(report));
        const there = responsesShape.read(value, reading(report));
        assert.ok(there && isSameMessage(there, start));
        const back = agentApiShape.read(agentApiShape.write(there, writing(report)), reading(report));
        assert.ok(back && isSameMessage(back, start));
        assert.equal(report.losses.length, 0);
        assert.doesNotMatch(JSON.stringify(jsonOf(value)), /"type":"parley"/);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a2a', () => {
  it('reads a message of each version, and writes it back in its version', () => {
    const old = {
      jsonrpc: '2.0',
      id: 7,
      method: 'message/send',
      params: {
        message: {
          kind: 'message',
          messageId: 'm1',
          role: 'user',
          parts: [{ kind: 'text', text: 'Hi' }],
          contextId: 'c1',
          taskId: 't1',
        },
        configuration: { blocking: true },
      },
    };
    const found = read(a2aShape, old);
    assert.deepEqual(shown(found), {
      kind: 'task',
      task: 'Hi',
      session: 'c1',
      rest: {
        a2a: {
          method: 'message/send',
          params: { configuration: { blocking: true } },
          message: { messageId: 'm1', taskId: 't1' },
        },
      },
    });
    assert.deepEqual(jsonOf(a2aShape.write(found, writing())), old);
    const fresh = message('task', { task: { kind: 'text', text: 'Hi' } });
    assert.deepEqual(jsonOf(a2aShape.write(fresh, writing())), {
      jsonrpc: '2.0',
      id: 7,
      method: 'SendMessage',
      params: { message: { messageId: 'msg-7', role: 'ROLE_USER', parts: [{ text: 'Hi' }] } },
    });
  });

  it('reads a task, and an end of a stream', () => {
    const task = {
      id: 't1',
      contextId: 'c1',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a1', parts: [{ data: { n: 1 } }] }],
    };
    const found = read(a2aShape, { jsonrpc: '2.0', id: 7, result: { task } });
    const { contextId, ...rest } = task;
    assert.deepEqual(shown(found), {
      kind: 'result',
      session: contextId,
      data: { n: 1 },
      rest: { a2a: { task: rest } },
    });
    assert.deepEqual(jsonOf(message('end', {}) && a2aShape.write(message('end', {}), writing())), {
      jsonrpc: '2.0',
      id: 7,
      result: {
        statusUpdate: {
          taskId: 'task-7',
          status: { state: 'TASK_STATE_COMPLETED' },
          contextId: 'context-7',
        },
      },
    });
  });
});
