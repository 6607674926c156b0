import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { protocolOf } from '../../../support/protocol.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { printForAgent } from '../../../../language/values/json-printer.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import {
  readConvertibleSteps,
  writeConverted,
} from '../../../../protocols/convert/calls/convertible-request.ts';
import { pickTool } from '../../../../protocols/convert/calls/answer.ts';

import { PROTOCOLS, type MessageLanguage, type ProtocolName } from '../../../../core/catalog/protocols.ts';
import { readJsonValue } from '../../../../language/values/json-reader.ts';
import { declaredTools } from '../../../../protocols/tools/tool-schema.ts';
import type { ToolTable } from '../../../../language/tools.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { dictValue, intValue, textValue } from '../../../../core/values/value.ts';
import { encodeField } from '../../../../language/aicf/codec.ts';
import { anyValue } from '../../../support/value-arbitrary.ts';
import { runs } from '../../../support/size.ts';

/** The tools of a list as an agent writes it. */
function toolsOf(json: string): ToolTable {
  const tools = readJsonValue(json);
  return declaredTools(tools ? [message('result', { tools })] : []);
}

const TOOLS = toolsOf(
  '[{"name":"f","inputSchema":{"properties":{"a":{"type":"string"},"n":{"type":"number"},"l":{"type":"array"}},"required":["a"]}},{"name":"o","inputSchema":{"properties":{"a":{"type":"object"},"b":{}}}},{"name":"none","inputSchema":{"type":"object"}},{"name":"closed","inputSchema":{"type":"object","additionalProperties":false}},{"name":"bare"}]',
);
const NOTHING: ToolTable = { isComplete: false, tools: new Map() };

function write(
  text: string,
  to: ProtocolName,
  tools = TOOLS,
  language: MessageLanguage = 'aicf',
): ReturnType<typeof writeConverted> {
  const asked = runAtOnce(readConvertibleSteps(text, language, { protocols: ALL_PROTOCOLS, tools: tools }));
  assert.ok(asked.ok);
  return writeConverted(asked.message, protocolOf(to), tools);
}

/** The arguments of a call as MCP writes them. */
function argumentsOf(text: string, tools = TOOLS): string | undefined {
  return /"arguments":(.*)\}\}$/s.exec(write(text, 'mcp', tools).text)?.[1];
}

describe('a request for an agent of another protocol', () => {
  it('tells what the protocol has no place for, wherever that would stand', () => {
    const task =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:task_request],[s:task]:[s:go],[s:constraints]:[d:[s:k]:[i:1]]]';
    for (const [protocol, notes] of [
      ['agent-api', ['constraints: The Agent API has no parameter k; they are data after the task']],
      ['a2a', ['constraints: A2A has no parameter k; they are data after the task']],
      [
        'responses',
        [
          'constraints: Responses has no parameter k; they are data after the task',
          'content[1]: Responses has no data; it is written as a text',
          'session: Responses has no place for a session',
        ],
      ],
    ] as const) {
      const written = write(task, protocol, NOTHING, 'aicl');
      assert.deepEqual(written.notes, notes);
      assert.doesNotMatch(written.text, /parley|constraints/);
    }
  });

  for (const [text, expected] of [
    ['CALL|f|x|1|p,q', '{"a":"x","n":1,"l":["p","q"]}'],
    ['CALL|f|x||[1]', '{"a":"x","l":[1]}'],
    ['CALL|f|{"a":"x","n":1}', '{"a":"x","n":1}'],
    ['CALL|f|{"z":"x"}', '{"a":"{\\"z\\":\\"x\\"}"}'],
    ['CALL|f|{"a":"x"}|1', '{"a":"{\\"a\\":\\"x\\"}","n":1}'],
    ['CALL|o|{"a":1}', '{"a":{"a":1}}'],
    ['CALL|bare|{"x":1.0}', '{"x":1.0}'],
    ['CALL|bare', '{}'],
  ] as const)
    it(`gives ${text} as ${expected}`, () => assert.equal(argumentsOf(text), expected));

  for (const [text, warnings] of [
    [
      'CALL|f|x|1|p|q',
      ["the call has 4 arguments, and 'f (a: string, n?: number, l?: array)' takes 3; remove the others"],
    ],
    ['CALL|f', ["the call lacks 'a', and 'f (a: string, n?: number, l?: array)' requires it"]],
    ['CALL|f|x|one', ["'one' is not of type 'number', which 'n' has; write one that is"]],
    [
      'CALL|none|x',
      [
        `'none ()' declares no order of its arguments; give them by name in one object, such as {"name":"value"}`,
      ],
    ],
    ['CALL|closed|x', ["the call has 1 argument, and 'closed ()' takes 0; remove the others"]],
    ['CALL|none|{"x":1}', []],
    ['CALL|Bare|x', ["the agent lists no tool 'Bare'; did you mean 'bare'?"]],
    [
      'CALL|bare|x',
      [
        'the names of the arguments are a guess, because nothing declares the tool bare; give them by name, as in CALL|tool|{"name":"value"}',
      ],
    ],
    ['INFO|nowhere', []],
    ['LIST', []],
  ] as const)
    it(`has of ${text} ${warnings.length === 0 ? 'no doubt' : 'a doubt'}`, () =>
      assert.deepEqual(write(text, 'mcp').warnings, warnings));

  it('gives numbers as they were written, in JSON and in a text of JSON', () => {
    const numbers =
      '{"a":1e400,"b":-1E+999,"c":1.50,"d":-0,"e":12345678901234567890,"f":0.12345678901234567890}';
    for (const to of ['mcp', 'a2a', 'aio', 'json-rpc'] as const) {
      const written = write(`CALL|bare|${numbers}`, to);
      assert.ok(written.text.includes(numbers), written.text);
      assert.deepEqual([written.notes, written.warnings], [[], []]);
    }
    const long =
      '{"a":12345678901234567890,"b":{"c":[-98765432109876543210,1.50,1e2,-0,1.0,-2.5E-3]},"d":1E+05}';
    for (const to of ['responses', 'agent-api'] as const)
      assert.ok(write(`CALL|bare|${long}`, to).text.includes(`"arguments":${JSON.stringify(long)}`));
    assert.match(write(`CALL|o|x|${long}`, 'aicf').text, /\|\{"a":12345678901234567890,/);
  });

  it('says of each number that an agent would get otherwise what it would get', () => {
    const text = 'CALL|bare|{"a":1e400,"b":[-1E+999],"c":0.12345678901234567890123,"d":1.50}';
    const warnings = (infinite: (sign: string) => string): readonly string[] => [
      `arguments.a is '1e400', which no float of 64 bits is; the agent would get ${infinite('')}`,
      `arguments.b[0] is '-1E+999', which no float of 64 bits is; the agent would get ${infinite('-')}`,
      "arguments.c is '0.12345678901234567890123', which no float of 64 bits is; the agent would get 0.12345678901234568",
    ];
    for (const to of ['responses', 'agent-api'] as const)
      assert.deepEqual(
        write(text, to).warnings,
        warnings(sign => `{"$float":"${sign}inf"}`),
      );
    assert.deepEqual(
      write(text, 'aicl').warnings,
      warnings(sign => `${sign}inf`),
    );
    const call = (params: string): string =>
      `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:parley],[s:msg_type]:[s:tool_call],[s:tool]:[s:bare],[s:params]:[d:${params}]]`;
    const written = write(
      call('[s:x]:[f:-inf],[s:y]:[f:nan],[s:z]:[f:0.12345678901234567890123]'),
      'mcp',
      TOOLS,
      'aicl',
    );
    assert.deepEqual(written.notes.slice(-2), [
      'arguments.x: JSON has no number for -inf; the agent gets {"$float":"-inf"}',
      'arguments.y: JSON has no number for nan; the agent gets {"$float":"nan"}',
    ]);
    assert.match(written.text, /"z":0\.12345678901234567890123\}/);
    assert.deepEqual(write('CALL|bare|{"n":12345678901234567890}', 'aicl').notes, [
      'arguments.n: AICL has no integers of more than 64 bits; the agent gets [d:[s:$int]:[s:…]]',
    ]);
  });

  it('knows whether more of the tools would change anything', () => {
    const settled = (text: string, to: ProtocolName, tools = TOOLS): boolean =>
      write(text, to, tools).isSettled;
    assert.deepEqual(
      [
        settled('LIST', 'mcp', NOTHING),
        settled('CALL|f|x', 'mcp'),
        settled('CALL|bare|x', 'mcp'),
        settled('CALL|f|x', 'a2a', NOTHING),
        settled('CALL|aip.context.get', 'json-rpc', NOTHING),
      ],
      [true, true, true, true, true],
    );
    assert.deepEqual([settled('CALL|f|x', 'mcp', NOTHING), settled('CALL|paint|x', 'mcp')], [false, false]);
  });

  it('holds a tool of AICF to no argument that its line does not mark', () => {
    const tools = toolsOf('[{"name":"f","inputSchema":{"properties":{"a":{},"b":{}},"required":["a","b"]}}]');
    const call =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:tool_call],[s:tool]:[s:f],[s:params]:[d:[s:a]:[i:1]]]';
    assert.deepEqual(write(call, 'aicf', tools, 'aicl').warnings, []);
    assert.deepEqual(write(call, 'mcp', tools, 'aicl').warnings, [
      "the call lacks 'b', and 'f (a: any, b: any)' requires it",
    ]);
  });

  it('carries every text to every protocol', () => {
    const tools = toolsOf('[{"name":"f","inputSchema":{"properties":{"a":{"type":"string"}}}}]');
    // A last field that begins like that is a credential and no argument.
    const argument = fc.string().filter(text => !text.startsWith('AUTH:'));
    fc.assert(
      fc.property(argument, text => {
        const line = `CALL|f|${encodeField(text)}`;
        for (const { name, language } of PROTOCOLS) {
          if (language !== 'json') continue;
          const { text: written, warnings } = write(line, name, tools);
          assert.deepEqual(warnings, []);
          assert.ok(readJsonValue(written));
        }
        assert.equal(argumentsOf(line, tools), `{"a":${JSON.stringify(text)}}`);
      }),
      { numRuns: runs(100) },
    );
  });

  it('is JSON that reads back to the same value, with integers as JSON writes them', () => {
    assert.equal(
      printForAgent(dictValue([{ key: 'n', value: intValue(-(2n ** 70n)) }])),
      '{"n":-1180591620717411303424}',
    );
    const lookalike = dictValue([{ key: '$int', value: textValue('5') }]);
    assert.equal(printForAgent(lookalike), '{"$$int":"5"}');
    fc.assert(
      fc.property(anyValue, value => {
        const printed = printForAgent(value);
        const read = readJsonValue(printed);
        assert.ok(read);
        assert.equal(printForAgent(read), printed);
      }),
    );
  });

  it('finds one tool in what an AIO agent says of its methods', () => {
    const methods = readJsonValue('{"type":"http","methods":["input",{"name":"sum","description":"Sums"}]}');
    assert.ok(methods);
    const help = message('result', { data: methods });
    const picked = pickTool(message('describe', { tool: textValue('sum') }), help, protocolOf('aio'));
    const { declaration } = picked.fields;
    assert.ok(declaration);
    assert.equal(printForAgent(declaration), '{"name":"sum","description":"Sums"}');
    assert.equal(
      pickTool(message('describe', { tool: textValue('sun') }), help, protocolOf('aio')).kind,
      'error',
    );
    assert.equal(pickTool(message('call', {}), help, protocolOf('aio')), help);
  });

  it('finds tools in what an AICL agent answers to a query for them', () => {
    const answer = (data: string): Message => message('result', { data: readJsonValue(data) });
    const [list, describe] = [message('list', {}), message('describe', { tool: textValue('sum') })];
    const all = answer('[{"name":"sum","description":"Sums"},"other"]');
    assert.deepEqual(pickTool(list, all, protocolOf('aicl')).fields, { tools: all.fields.data });
    for (const reported of [all, answer('{"name":"sum","description":"Sums"}')]) {
      const { declaration } = pickTool(describe, reported, protocolOf('aicl')).fields;
      assert.ok(declaration);
      assert.equal(printForAgent(declaration), '{"name":"sum","description":"Sums"}');
    }
    for (const other of ['[1]', '[{"id":1}]', '{"name":"another"}', '"sum"'].map(answer))
      for (const asked of [list, describe]) assert.equal(pickTool(asked, other, protocolOf('aicl')), other);
    assert.equal(pickTool(message('query', {}), all, protocolOf('aicl')), all);
  });
});
