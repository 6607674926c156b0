import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';

/** What a text holds: of each message its protocol, its kind and its source; and the reports. */
function read(text: string, from?: ConversionName): unknown {
  const report = new Report();
  const { messages } = readMessages(text, { protocols: ALL_PROTOCOLS, from, report });
  return {
    messages: messages.map(({ protocol, message, span }) => [
      protocol,
      message.kind,
      text.slice(span.start, span.end).trim(),
    ]),
    losses: report.losses.map(({ kind, path, index }) => [kind, path, index]),
    notes: report.notes.map(note => note.message),
  };
}

const RPC = '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"a","arguments":{}}}';
const MCP = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}';
const REPLY = '{"jsonrpc":"2.0","id":1,"result":{}}';

describe('the messages of a text', () => {
  it('are recognised one by one; a plain reply belongs to what was asked before it', () => {
    assert.deepEqual(read([RPC, REPLY, MCP, REPLY, '{"kind":"list"}'].join('\n')), {
      messages: [
        ['json-rpc', 'call', RPC],
        ['json-rpc', 'result', REPLY],
        ['mcp', 'call', MCP],
        ['mcp', 'result', REPLY],
        ['json', 'list', '{"kind":"list"}'],
      ],
      losses: [],
      notes: [],
    });
  });

  it('are read as what was asked for, unless they look like something else', () => {
    assert.deepEqual(read(REPLY, 'a2a'), { messages: [['a2a', 'result', REPLY]], losses: [], notes: [] });
    assert.deepEqual(read(MCP, 'json-rpc'), {
      messages: [['json-rpc', 'call', MCP]],
      losses: [],
      notes: [],
    });
    assert.deepEqual(read(MCP, 'responses'), {
      messages: [['mcp', 'call', MCP]],
      losses: [],
      notes: ['A message is Model Context Protocol, not OpenAI Responses; it was read as what it is'],
    });
    assert.deepEqual(read('LIST\n', 'aicl'), {
      messages: [['aicf', 'list', 'LIST']],
      losses: [],
      notes: ['The text does not look like LightAICL 1.0; it was read as what it looks like'],
    });
  });

  it('are found in lists, too, and values that are not messages are preserved', () => {
    assert.deepEqual(read(`[${MCP},${REPLY}]`), {
      messages: [
        ['mcp', 'call', `[${MCP},${REPLY}]`],
        ['mcp', 'result', `[${MCP},${REPLY}]`],
      ],
      losses: [],
      notes: ['A list of 2 messages was read as 2 messages, one after the other'],
    });
    assert.deepEqual(read('[1,2]\n{"a":1}'), {
      messages: [
        ['json', 'value', '[1,2]'],
        ['json', 'value', '{"a":1}'],
      ],
      losses: [],
      notes: [],
    });
  });

  it('are found between lines that cannot be read, which are reported with their place', () => {
    assert.deepEqual(read('LIST\nwhatever\nLIST\nmore\n'), {
      messages: [
        ['aicf', 'list', 'LIST'],
        ['aicf', 'list', 'LIST'],
      ],
      losses: [
        ['dropped', 'line 2', 0],
        ['dropped', 'line 4', 1],
      ],
      notes: [],
    });
  });

  it('are read in the language of each part, with the places of all of them', () => {
    const json = '{\n  "kind": "call",\n  "tool": "a"\n}';
    const text = `LIST\n${json}\nINFO|a\n`;
    const places = new Map();
    const { messages } = readMessages(text, { protocols: ALL_PROTOCOLS, report: new Report(), places });
    assert.deepEqual(
      messages.map(({ protocol, span }) => [protocol, text.slice(span.start, span.end).trim()]),
      [
        ['aicf', 'LIST'],
        ['json', json],
        ['aicf', 'INFO|a'],
      ],
    );
    const tool = messages[1]?.message.fields.tool;
    const span = places.get(tool) as { start: number; end: number } | undefined;
    assert.equal(span && text.slice(span.start, span.end), '"tool": "a"');
  });

  it('lose the id that they have anyhow, and no other', () => {
    const ids = [1, 2, 7].map(id => RPC.replace('"id":1', `"id":${id}`)).join('\n');
    const { messages } = readMessages(ids, { protocols: ALL_PROTOCOLS, report: new Report() });
    assert.deepEqual(
      messages.map(({ message }) => message.fields.id),
      [undefined, undefined, { kind: 'int', int: 7 }],
    );
  });

  it('declare the tools that calls are read by', () => {
    const { messages, tools } = readMessages('TOOL|t|Does it|n:integer\nCALL|t|5\n', {
      protocols: ALL_PROTOCOLS,
      report: new Report(),
    });
    assert.deepEqual([...tools.tools.keys()], ['t']);
    assert.deepEqual(messages[1]?.message.fields.arguments, {
      kind: 'dict',
      entries: [{ key: 'n', value: { kind: 'int', int: 5 } }],
    });
  });
});
