import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { AICF_TYPES } from '../../../../core/catalog/aicf.ts';
import { MESSAGE_FIELDS, MESSAGE_KINDS } from '../../../../core/catalog/message-kinds.ts';
import { writeAicfMessage } from '../../../../protocols/aicf/writer.ts';
import { jsonRpcShape } from '../../../../protocols/json-rpc/shape.ts';
import { Report } from '../../../../core/message/report.ts';
import { TextSink, type Places } from '../../../../language/values/text-layer.ts';
import { readDeclaration } from '../../../../protocols/tools/tool-schema.ts';
import type { ToolTable } from '../../../../language/tools.ts';
import { meansSame } from '../../../support/means-same.ts';
import { writeMessage } from '../../../../protocols/convert/write-message.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue as t,
  type Value,
} from '../../../../core/values/value.ts';
import { isSameValue } from '../../../../protocols/message/same-value.ts';
import { anyValue } from '../../../support/value-arbitrary.ts';
import { readAicfMessages } from '../../../support/at-once.ts';
import { runs } from '../../../support/size.ts';

const dict = (members: Record<string, Value | undefined>): Value =>
  dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));

const TYPES = AICF_TYPES.map(row => row.name);

/** A table with one tool, `all`, that has an argument of each type, named by it; and `two`, whose names are the same. */
const TOOLS: ToolTable = toTable({
  all: TYPES.map(type => ({ name: type, type })),
  two: [
    { name: 'x', type: 'string' },
    { name: 'x', type: 'integer' },
  ],
});

function toTable(tools: Record<string, readonly { name: string; type: string }[]>): ToolTable {
  const declared = Object.entries(tools).map(([name, list]) => {
    const values = list.map(argument => dict({ name: t(argument.name), type: t(argument.type) }));
    return [name, readDeclaration(dict({ name: t(name), arguments: listValue(values) }))] as const;
  });
  return { isComplete: false, tools: new Map(declared) };
}

const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

function read(text: string, tools = NO_TOOLS): readonly Message[] {
  const { messages, faults } = readAicfMessages(text, {
    protocols: ALL_PROTOCOLS,
    report: new Report(),
    tools,
  });
  assert.deepEqual(faults, []);
  return messages.map(found => found.message);
}

function write(given: Message, tools = NO_TOOLS): { line: string; losses: readonly string[] } {
  const report = new Report();
  const sink = new TextSink();
  writeAicfMessage(given, { protocols: ALL_PROTOCOLS, report, tools }, sink);
  return { line: sink.toString(), losses: report.losses.map(({ kind, path }) => `${kind} ${path}`) };
}

describe('AICF as messages', () => {
  // The examples of AICF-RPC 1.0 and of its running server; each is written as it is read.
  const cases: readonly (readonly [string, Message])[] = [
    [
      'CALL|figma.getFile|abc123|1.0',
      message('call', { tool: t('figma.getFile'), arguments: listValue([t('abc123'), t('1.0')]) }),
    ],
    [
      'CALL|echo|a\\|b|C:\\\\new\\nx',
      message('call', { tool: t('echo'), arguments: listValue([t('a|b'), t('C:\\new\nx')]) }),
    ],
    [
      'CALL|echo|{"k":["v",1,1.0]}|[1,2]',
      message('call', {
        tool: t('echo'),
        arguments: listValue([
          dict({ k: listValue([t('v'), intValue(1), floatValue(1)]) }),
          listValue([intValue(1), intValue(2)]),
        ]),
      }),
    ],
    ['CALL|ping', message('call', { tool: t('ping'), arguments: dict({}) })],
    [
      'CALL|all|s|1|2|true|{}|[1]|x',
      message('call', {
        tool: t('all'),
        arguments: dict({
          string: t('s'),
          number: intValue(1),
          integer: intValue(2),
          boolean: boolValue(true),
          object: dict({}),
          array: listValue([intValue(1)]),
          any: t('x'),
        }),
      }),
    ],
    [
      'CALL|all|5|1.5',
      message('call', { tool: t('all'), arguments: dict({ string: t('5'), number: floatValue(1.5) }) }),
    ],
    [
      'CALL|all||||false',
      message('call', { tool: t('all'), arguments: dict({ string: t(''), boolean: boolValue(false) }) }),
    ],
    ['CALL|two|a|2', message('call', { tool: t('two'), arguments: listValue([t('a'), intValue(2)]) })],
    ['LIST', message('list', {})],
    ['INFO|figma.getFile', message('describe', { tool: t('figma.getFile') })],
    [
      'OK|{"name":"My Design","id":"abc123"}',
      message('result', { data: dict({ name: t('My Design'), id: t('abc123') }) }),
    ],
    ['OK|Screenshot saved to test.png', message('result', { data: t('Screenshot saved to test.png') })],
    ['OK|true', message('result', { data: boolValue(true) })],
    ['OK|"true"', message('result', { data: t('true') })],
    ['OK|', message('result', { data: t('') })],
    ['OK', message('result', { data: NULL })],
    [
      'OK|{"success":false,"error":"no luck"}',
      message('error', {
        protocol: t('aip'),
        text: t('no luck'),
        data: dict({ success: boolValue(false), error: t('no luck') }),
      }),
    ],
    [
      'ERR|404|Tool not found: figma.getFile',
      message('error', {
        protocol: t('aicf'),
        code: intValue(404),
        text: t('Tool not found: figma.getFile'),
      }),
    ],
    [
      'ERR|500|kaput \\| pipe\\nline2',
      message('error', { protocol: t('aicf'), code: intValue(500), text: t('kaput | pipe\nline2') }),
    ],
    [
      'ERR|500|DATA_FORMAT_ERROR [aicl 4001]',
      message('error', { protocol: t('aicl'), code: intValue(4001), text: t('DATA_FORMAT_ERROR') }),
    ],
    [
      'ERR|404|no [aicl 4001]',
      message('error', { protocol: t('aicf'), code: intValue(404), text: t('no [aicl 4001]') }),
    ],
    ['ERR|500', message('error', { protocol: t('aicf'), code: intValue(500) })],
    [
      'TOOLS|echo|boom',
      message('result', { tools: listValue([dict({ name: t('echo') }), dict({ name: t('boom') })]) }),
    ],
    ['TOOLS', message('result', { tools: listValue([]) })],
    [
      'TOOL|echo|Echo \\| args|a:string|b:str?',
      message('result', {
        declaration: dict({
          name: t('echo'),
          description: t('Echo | args'),
          arguments: listValue([
            dict({ name: t('a'), type: t('string'), optional: boolValue(false) }),
            dict({ name: t('b'), type: t('str'), optional: boolValue(true) }),
          ]),
        }),
      }),
    ],
    ['STREAM|{"a":1}', message('chunk', { data: t('{"a":1}') })],
    ['END', message('end', {})],
  ];
  for (const [line, meant] of cases)
    it(`reads and writes ${line}`, () => {
      assert.deepEqual(read(line, TOOLS), [meant]);
      const isWrapped = line === 'ERR|404|no [aicl 4001]';
      assert.deepEqual(write(meant, TOOLS), {
        line: `${line}${isWrapped ? ' [aicf 404]' : ''}\n`,
        losses: [],
      });
    });

  it("holds calls to the file's own tools, and lists to what people write", () => {
    assert.deepEqual(
      read('# c\n\nResponse: TOOL|t|d|n:number|l:array|o:object?\nRequest: CALL|t|1e3|a,b\n'),
      [
        message('result', {
          declaration: dict({
            name: t('t'),
            description: t('d'),
            arguments: listValue(
              (['number', 'array', 'object'] as const).map((type, index) =>
                dict({ name: t('nlo'.charAt(index)), type: t(type), optional: boolValue(index === 2) }),
              ),
            ),
          }),
        }),
        message('call', {
          tool: t('t'),
          arguments: dict({
            n: { kind: 'float', float: 1000, literal: '1e3' },
            l: listValue([t('a'), t('b')]),
          }),
        }),
      ],
    );
  });

  it('tells what it leaves out, and no credential', () => {
    const text = 'FOO|x\nCALL|t|a|AUTH:sesame\nhello\nLIST|x\nEND\n';
    const places: Places = new Map();
    const { messages, faults } = readAicfMessages(
      text,
      { protocols: ALL_PROTOCOLS, report: new Report(), tools: NO_TOOLS },
      places,
    );
    assert.deepEqual(
      messages.map(({ message: found, span }) => [found.kind, text.slice(span.start, span.end)]),
      [
        ['call', 'CALL|t|a|AUTH:sesame'],
        ['list', 'LIST|x'],
        ['end', 'END'],
      ],
    );
    assert.deepEqual(
      faults.map(({ kind, span, message: reported }) => [kind, text.slice(span.start, span.end), reported]),
      [
        ['dropped', 'FOO|x', "AICF-RPC 1.0 has no command 'FOO', so the line was left out"],
        [
          'dropped',
          'AUTH:sesame',
          'The credential at the end of the request is not an argument and is not carried; it belongs in a header',
        ],
        ['dropped', 'hello', "The line begins with no command of AICF-RPC, so it was left out: 'hello'"],
        ['dropped', 'x', "LIST takes no such field, so 'x' was left out"],
      ],
    );
    assert.deepEqual(
      [...places.values()].map(({ start, end }) => text.slice(start, end)),
      ['t', 'a'],
    );
  });

  it('leaves a memory file alone', () => {
    const { messages, faults } = readAicfMessages('@CONVERSATION:1\nx|y\n', {
      protocols: ALL_PROTOCOLS,
      report: new Report(),
      tools: NO_TOOLS,
    });
    assert.deepEqual([messages, faults.map(fault => fault.kind)], [[], ['dropped']]);
  });

  it('says of each thing without a place that it is dropped', () => {
    const call = message('call', {
      tool: t('t'),
      arguments: dict({ a: t('x') }),
      timeout: intValue(5),
      session: t('s'),
    });
    assert.deepEqual(write(call), {
      line: 'CALL|t|x\n',
      losses: ['dropped arguments', 'dropped timeout', 'dropped session'],
    });
    assert.deepEqual(write(message('task', { task: t('sum') })), {
      line: 'CALL|task|sum\n',
      losses: ['moved '],
    });
    const failed = message('error', {
      protocol: t('aicl'),
      code: intValue(4001),
      text: t('R'),
      data: t('why'),
    });
    assert.deepEqual(write(failed), {
      line: 'ERR|500|R: why [aicl 4001]\n',
      losses: ['moved data'],
    });
  });

  it('drops names that nothing declares, also those that are numbers', () => {
    const call = message('call', { tool: t('t'), arguments: dict({ arg1: t('a'), arg2: t('b') }) });
    assert.deepEqual(write(call), { line: 'CALL|t|a|b\n', losses: ['dropped arguments'] });
  });
});

describe('the law of the report for AICF', () => {
  const anyKind = fc.constantFrom(...MESSAGE_KINDS.map(row => row.name));
  const anyTool = fc.constantFrom('all', 'two', 'other', '').map(t);
  const anyText = fc.oneof(
    fc
      .constantFrom(
        '5',
        'true',
        '{"a":1}',
        '[1]',
        '[draft]',
        'a,b',
        'AUTH:x',
        '"',
        '"a\nb"',
        '"\\\\"',
        'x\ty\r\n',
        'null',
        ' 1',
        'data: 1',
        '-0',
      )
      .map(t),
    fc.string().map(t),
  );
  const anyArgument = fc.oneof(anyText, anyValue);
  const anyArguments = fc.oneof(
    anyArgument,
    fc.array(anyArgument, { maxLength: 3 }).map(listValue),
    fc
      .record(Object.fromEntries(TYPES.map(type => [type, anyArgument])), {
        requiredKeys: [],
        noNullPrototype: true,
      })
      .map(dict),
  );
  const fields = Object.fromEntries(
    MESSAGE_FIELDS.map(name => [
      name,
      name === 'tool' ? anyTool : name === 'arguments' ? anyArguments : fc.oneof(anyText, anyValue),
    ]),
  );
  const few = (names: readonly string[]): fc.Arbitrary<Record<string, Value | undefined>> =>
    fc.record(Object.fromEntries(names.map(name => [name, fields[name] ?? anyText])), {
      requiredKeys: [],
      noNullPrototype: true,
    });
  const anyMessage = anyKind.chain(kind =>
    fc
      .oneof(few(MESSAGE_KINDS.find(row => row.name === kind)?.fields ?? []), few(MESSAGE_FIELDS))
      .map(given => message(kind, given)),
  );

  it('tells a loss where the message does not come back, and only there', () => {
    fc.assert(
      fc.property(anyMessage, given => {
        const { line, losses } = write(given, TOOLS);
        const { messages } = readAicfMessages(line, {
          protocols: ALL_PROTOCOLS,
          report: new Report(),
          tools: TOOLS,
        });
        const [back] = messages;
        const isSame = back !== undefined && meansSame(back.message, given);
        if (losses.length === 0) assert.ok(isSame, line);
        if (losses.some(loss => !loss.startsWith('guessed')))
          assert.equal(isSame, false, `${line}${losses.join()}`);
      }),
      { numRuns: runs(1500) },
    );
  });

  it('gives every line back that it wrote', () => {
    const number = (found: Message): Message => found;
    fc.assert(
      fc.property(anyMessage, given => {
        const { line } = write(given, TOOLS);
        // A call by names that no tool declares becomes one by place, and that is reported.
        const [first] = readAicfMessages(line, {
          protocols: ALL_PROTOCOLS,
          report: new Report(),
          tools: TOOLS,
        }).messages;
        // What stood before a credential may look like one itself.
        if (!first || /\|AUTH:/.test(write(first.message, TOOLS).line)) return;
        assert.deepEqual(write(first.message, TOOLS).losses, []);
        // Through JSON-RPC, with the same tools.
        const report = new Report();
        const value = writeMessage('json-rpc', first.message, {
          protocols: ALL_PROTOCOLS,
          report,
          tools: TOOLS,
          id: 1,
        });
        if (report.losses.length > 0) return;
        const there = jsonRpcShape.read(value, { protocols: ALL_PROTOCOLS, report, tools: TOOLS, number });
        const { id, ...rest } = there?.fields ?? {};
        assert.ok(id === undefined || isSameValue(id, intValue(1)));
        const again = write(message(there?.kind ?? 'value', rest), TOOLS);
        assert.deepEqual(again, write(first.message, TOOLS));
        assert.deepEqual(report.losses, []);
      }),
      { numRuns: runs(1500) },
    );
  });

  it('answers any text at once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'CALL|',
            'OK|',
            'ERR|',
            'TOOL|',
            'a',
            '|',
            '\\',
            '\n',
            '{"',
            '"}',
            'AUTH:',
            ':',
            '?',
            '[aicl 1]',
          ),
          { maxLength: 12 },
        ),
        parts => {
          const text = parts.join('');
          const { messages } = readAicfMessages(text, {
            protocols: ALL_PROTOCOLS,
            report: new Report(),
            tools: TOOLS,
          });
          // A TOOL line of the text declares the arguments of its calls.
          for (const { message: found, tools = TOOLS } of messages) {
            const { line, losses } = write(found, tools);
            const [back] = readAicfMessages(line, {
              protocols: ALL_PROTOCOLS,
              report: new Report(),
              tools,
            }).messages;
            // What stood before a credential may look like one itself.
            if (losses.length === 0) assert.deepEqual(back?.message, found, text);
            else assert.match(line, /\|AUTH:/);
          }
        },
      ),
      { numRuns: runs(1500) },
    );
  });

  it('tells where half of a surrogate pair stood, which a line of UTF-8 does not have', () => {
    const list = listValue([t('\udc00'), listValue([t('\ud83d')])]);
    assert.deepEqual(write(message('call', { tool: t('a\ud800'), arguments: list })), {
      line: 'CALL|a\ufffd|\ufffd|["\\ud83d"]\n',
      losses: ['rounded tool', 'rounded arguments[0]'],
    });
    assert.deepEqual(write(message('chunk', { data: t('\ud83d') })), {
      line: 'STREAM|\ufffd\n',
      losses: ['rounded '],
    });
  });

  it('writes CRLF and CR as LF, which it reports, but in JSON', () => {
    const list = listValue([t('a\r\nb\rc'), listValue([t('\r')])]);
    assert.deepEqual(write(message('call', { tool: t('a'), arguments: list })), {
      line: 'CALL|a|a\\nb\\nc|["\\u000d"]\n',
      losses: ['dropped arguments[0]'],
    });
    assert.deepEqual(write(message('result', { data: t('a\rb') })), {
      line: 'OK|a\\nb\n',
      losses: ['dropped '],
    });
  });
});
