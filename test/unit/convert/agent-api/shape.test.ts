import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { a2aShape } from '../../../../protocols/a2a/shape.ts';
import { agentApiShape } from '../../../../protocols/agent-api/shape.ts';
import { printJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { Report } from '../../../../core/message/report.ts';
import { responsesShape } from '../../../../protocols/responses/shape.ts';
import type { ProtocolShape, Reading, Writing } from '../../../../protocols/message/shape.ts';
import { meansSame } from '../../../support/means-same.ts';
import { writeMessage } from '../../../../protocols/convert/write-message.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import type { Value } from '../../../../core/values/value.ts';
import { runs } from '../../../support/size.ts';

const ID = 7;
const TOOLS = { isComplete: false, tools: new Map() };

function writing(report = new Report()): Writing {
  return { protocols: ALL_PROTOCOLS, report, tools: TOOLS, id: ID };
}

function reading(report = new Report()): Reading {
  return {
    protocols: ALL_PROTOCOLS,
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

/** Writes a message as one of another protocol is. */
function write(name: string, given: Message, report = new Report()): unknown {
  return jsonOf(writeMessage(name, given, writing(report)));
}

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
      constraints: { model: 'gpt-4-vision', stream: true },
      session: 's1',
    });
  });

  it('writes a call as a function call, and a result as a response', () => {
    const call = message('call', {
      tool: { kind: 'text', text: 'weather' },
      arguments: valueOf({ city: 'Bern' }),
    });
    assert.deepEqual(write('agent-api', call), {
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
    assert.deepEqual(write('agent-api', result), {
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
          output: { id: 'msg_a', sequence_number: 5 },
        },
      },
    });
  });

  it('reads an approval request by the id of its data, and its answer, as Responses has them', () => {
    const asked = { id: 'a1', name: 'rm', arguments: '{}', server_label: 'disk' };
    const answer = { approval_request_id: 'a1', approve: true };
    const message = (type: string, role: string, data: object, more: object = {}): object => ({
      object: 'message',
      ...more,
      type,
      role,
      content: [{ type: 'data', data }],
    });
    const response = {
      object: 'response',
      status: 'completed',
      output: [
        message('mcp_approval_request', 'assistant', asked, { status: 'completed' }),
        message('mcp_approval_response', 'user', answer, { id: 'm2', status: 'completed' }),
      ],
    };
    const found = read(agentApiShape, response);
    const { output } = write('responses', found) as { readonly output: unknown };
    assert.deepEqual(output, [
      { status: 'completed', type: 'mcp_approval_request', ...asked },
      { id: 'm2', status: 'completed', type: 'mcp_approval_response', ...answer },
    ]);
    const back = write('agent-api', found) as { readonly output: unknown };
    assert.deepEqual(back.output, response.output);
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
    const expected = {
      kind: 'task',
      task: 'Hi',
      constraints: { model: 'gpt-5' },
      rest: { responses: { instructions: 'Be short' } },
    };
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
      rest: { responses: { $arguments: '{ "a": 1.50 }' } },
    });
    assert.deepEqual(write('responses', found), { input: [call] });
  });

  it('has the pictures of a reply as items that were generated, and reads them as part of it', () => {
    const content = valueOf([
      { type: 'text', text: 'Here:' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'text', text: 'Good?' },
    ]);
    const report = new Report();
    const written = write('responses', message('result', { content }), report);
    const output: unknown = written && typeof written === 'object' && 'output' in written && written.output;
    const said = (id: string, text: string): object => ({
      ...{ id, status: 'completed', type: 'message', role: 'assistant' },
      content: [{ type: 'output_text', text, annotations: [] }],
    });
    assert.deepEqual(output, [
      said('msg_1', 'Here:'),
      {
        id: 'ig_2',
        status: 'completed',
        type: 'image_generation_call',
        result: 'aGk=',
        output_format: 'png',
      },
      said('msg_3', 'Good?'),
    ]);
    assert.deepEqual(report.losses, []);
    assert.deepEqual(shown(read(responsesShape, written)), { kind: 'result', content: jsonOf(content) });
  });

  it('takes pictures and files from a user, and says what else becomes a file or a text', () => {
    const content = valueOf([
      { type: 'image', url: 'https://example.org/a.png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav', name: 'a.wav' },
      { type: 'file', id: 'file-1' },
      { type: 'data', data: { a: 1 } },
    ]);
    const report = new Report();
    assert.deepEqual(write('responses', message('task', { content }), report), {
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_image', detail: 'auto', image_url: 'https://example.org/a.png' },
            { type: 'input_file', file_data: 'data:audio/wav;base64,aGk=', filename: 'a.wav' },
            { type: 'input_file', file_id: 'file-1' },
            { type: 'input_text', text: '{"a":1}' },
          ],
        },
      ],
    });
    assert.deepEqual(
      report.losses.map(({ kind, path }) => `${kind} ${path}`),
      ['moved content[1]', 'moved content[3]'],
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
        const there = responsesShape.read(writeMessage('responses', start, writing(report)), reading(report));
        assert.ok(there);
        const value = writeMessage('agent-api', there, writing(report));
        const back = agentApiShape.read(value, reading(report));
        assert.ok(back);
        // Ids of a reply and sessions have no place in Responses, and neither has the id of a single message.
        const reported = report.losses.map(({ kind, path }) => `${kind} ${path}`);
        const known = ['dropped id', 'dropped session', 'dropped input.id', 'dropped output.id', 'dropped '];
        assert.deepEqual(
          reported.filter(each => !known.includes(each)),
          [],
        );
        const said = ({ kind, fields: { rest: _, session: __, id: ___, ...fields } }: Message): Message =>
          message(kind, fields);
        assert.ok(meansSame(said(back), said(start)), JSON.stringify([shown(start), jsonOf(value)]));
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
      constraints: { blocking: true },
      rest: {
        a2a: {
          $method: 'message/send',
          message: { messageId: 'm1', taskId: 't1' },
        },
      },
    });
    assert.deepEqual(write('a2a', found), old);
    const fresh = message('task', { task: { kind: 'text', text: 'Hi' } });
    assert.deepEqual(write('a2a', fresh), {
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
    assert.deepEqual(shown(found), {
      kind: 'result',
      session: 'c1',
      data: { n: 1 },
      rest: { a2a: { $whole: { task }, task: { id: 't1', artifacts: [{ artifactId: 'a1' }] } } },
    });
    assert.deepEqual(write('a2a', message('end', {})), {
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
