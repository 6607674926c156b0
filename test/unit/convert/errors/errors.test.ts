import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import type { Protocols } from '../../../../protocols/protocol.ts';
import { protocolRow } from '../../../../core/catalog/protocols.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CONVERSIONS, type ConversionName } from '../../../../core/catalog/conversions.ts';
import { ERROR_MEANINGS } from '../../../../core/catalog/error-meanings.ts';
import type { MessageField } from '../../../../core/catalog/message-kinds.ts';
import { readAicfError, writeAicfError } from '../../../../protocols/aicf/error.ts';
import { findMeaning } from '../../../../protocols/errors/error-code.ts';
import { readError, writeError, type ErrorFields } from '../../../../protocols/errors/errors.ts';
import { Members } from '../../../../protocols/message/members.ts';
import { Report } from '../../../../core/message/report.ts';
import { dictValue, intValue, NULL, textValue, type Value } from '../../../../core/values/value.ts';
import { runs } from '../../../support/size.ts';

const NAMES: readonly ConversionName[] = CONVERSIONS.map(row => row.name).filter(name => name !== 'json');

const toMembers = (error: ErrorFields): Members<MessageField> =>
  new Members<MessageField>(
    dictValue([
      { key: 'protocol', value: error.protocol },
      { key: 'code', value: error.code },
      { key: 'text', value: error.text },
      { key: 'data', value: error.data },
    ]),
  );

/** What a conversion goes with. */
const conversion = (report = new Report()): { protocols: Protocols; report: Report } => ({
  protocols: ALL_PROTOCOLS,
  report,
});

const write = (error: ErrorFields, to: ConversionName): { code: Value | undefined; text: string } =>
  writeError(error, to, conversion());

const there = (error: ErrorFields): ErrorFields =>
  Object.fromEntries(Object.entries(error).filter(([, value]) => value !== undefined));

/** Reads what was written, as fields that are there. */
function thereAndBack(error: ErrorFields, by: ConversionName): ErrorFields {
  const { code, text, data } = writeError(error, by, conversion());
  return there(readError(by, { code, text: textValue(text), data }, conversion()));
}

const error = (protocol: string, code: number | string | undefined, text: string): ErrorFields =>
  there({
    protocol: textValue(protocol),
    code: typeof code === 'number' ? intValue(code) : code === undefined ? undefined : textValue(code),
    text: textValue(text),
  });

describe('codes across protocols', () => {
  // The table of the reading, section 8: the code of each meaning in each protocol.
  const rows: readonly (readonly [number, number, number, number])[] = [
    [1000, 400, -32600, -32600],
    [1001, 422, -32602, -32602],
    [2001, 422, -32602, -32602],
    [3001, 404, -32601, 404],
    [4001, 500, -32603, 500],
    [5000, 500, -32603, 500],
    [5005, 500, -33007, 500],
  ];

  it('writes each meaning of LightAICL with the code of the other protocol, and brings the original back', () => {
    assert.deepEqual(
      rows.map(([code]) => code),
      ERROR_MEANINGS.map(row => row.aicl),
    );
    for (const [aicl, aicf, jsonRpc, aip] of rows) {
      const original = error('aicl', aicl, 'REASON');
      const codes = (['aicf', 'mcp', 'aio', 'a2a', 'json-rpc'] as const).map(to => write(original, to).code);
      // MCP has the code of a wrong argument for a tool that it does not have.
      const mcp = aicl === 3001 ? -32602 : jsonRpc;
      assert.deepEqual(codes, [aicf, mcp, jsonRpc, jsonRpc, aip].map(intValue), String(aicl));
      for (const name of NAMES.filter(other => other !== 'aicf'))
        assert.deepEqual(thereAndBack(original, name), original, `${aicl} through ${name}`);
      const line = writeAicfError(original, ALL_PROTOCOLS);
      assert.deepEqual(line, { code: String(aicf), message: `REASON [aicl ${aicl}]` });
      assert.deepEqual(there(readAicfError(line, ALL_PROTOCOLS)), original);
    }
  });

  // What a code is in LightAICL: the column read backwards.
  const backwards: readonly (readonly [string, number | string | undefined, string, number])[] = [
    ['aicf', 400, 'Invalid AICF request format', 1000],
    ['aicf', 422, 'Missing required argument: fileKey', 2001],
    ['aicf', 422, 'tool not found: x', 3001],
    ['aicf', 404, 'Tool not found: figma.getFile', 3001],
    ['aicf', 404, 'File not found: invalid', 5000],
    ['aicf', 404, '', 5000],
    ['aicf', 500, 'Internal server error', 5000],
    ['aicf', 429, 'slow down', 5000],
    ['mcp', -32700, 'Parse error', 1000],
    ['mcp', -32600, 'Invalid request', 1000],
    ['mcp', -32602, 'Invalid arguments for tool x', 2001],
    ['mcp', -32602, 'Tool x not found', 3001],
    ['mcp', -32602, 'Unknown tool: x', 3001],
    ['mcp', -32601, 'Method not found', 1000],
    ['mcp', -32601, 'Unknown tool x', 3001],
    ['aio', -32601, 'Method not found', 3001],
    ['mcp', -32603, 'Internal error', 5000],
    ['mcp', -33007, 'Recursion', 5005],
    ['mcp', -32050, 'server error', 5000],
    ['mcp', undefined, 'isError', 5000],
    ['json-rpc', 404, 'no', 3001],
    ['json-rpc', 1001, 'Tool not found: x', 3001],
    ['json-rpc', 1001, 'kaput', 5000],
    ['json-rpc', 500, 'kaput', 5000],
    ['json-rpc', -32601, 'Method not found: aip.nope', 1000],
    ['aip', undefined, 'success:false', 5000],
    ['agent-api', 'MODEL_TIMEOUT', 'too slow', 5000],
    ['agent-api', '404', 'gone', 3001],
  ];
  for (const [protocol, code, text, aicl] of backwards)
    it(`reads ${protocol} ${code ?? 'without a code'} "${text}" as ${aicl}`, () => {
      assert.deepEqual(write(error(protocol, code, text), 'aicl').code, intValue(aicl));
    });

  it('looks a number up in its own column only', () => {
    assert.equal(findMeaning(protocolRow('aicl').errors, '404'), undefined);
    assert.equal(findMeaning(protocolRow('aicf').errors, '3001'), undefined);
    assert.equal(findMeaning(protocolRow('mcp').errors, '404'), undefined);
    assert.equal(findMeaning(protocolRow('json-rpc').errors, '422'), undefined);
    assert.equal(findMeaning(protocolRow('aicl').errors, '5042'), 'tool-failed');
    assert.equal(findMeaning(protocolRow('aicl').errors, '5005'), 'recursion-guard');
  });

  it('keeps codes without a row where the other protocol can say them and they mean nothing else there', () => {
    assert.deepEqual(write(error('aicf', 401, 'no'), 'json-rpc').code, intValue(401));
    assert.deepEqual(write(error('aicf', 429, 'no'), 'mcp').code, intValue(429));
    assert.deepEqual(write(error('mcp', -32050, 'no'), 'aicf').code, intValue(-32050));
    assert.deepEqual(
      write(error('agent-api', 'MODEL_TIMEOUT', 'no'), 'responses').code,
      textValue('MODEL_TIMEOUT'),
    );
    assert.deepEqual(write(error('agent-api', 'MODEL_TIMEOUT', 'no'), 'aicf').code, intValue(500));
    assert.deepEqual(write(error('mcp', 404, 'no'), 'aicf').code, intValue(500));
    assert.deepEqual(write(error('aicf', 429, 'no'), 'responses').code, textValue('429'));
    assert.deepEqual(write(error('mcp', -32050, 'no'), 'agent-api').code, textValue('-32050'));
    assert.deepEqual(write(error('aicl', 404, 'no'), 'agent-api').code, textValue('500'));
  });

  it('keeps which code of JSON-RPC a malformed request had', () => {
    const cases = [
      ['mcp', -32700, 'aio', -32700],
      ['mcp', -32601, 'a2a', -32601],
      ['a2a', -32700, 'json-rpc', -32700],
      ['json-rpc', -32601, 'mcp', -32601],
      // To AIO this is a tool that does not exist.
      ['mcp', -32601, 'aio', -32600],
      ['aicf', 400, 'mcp', -32600],
    ] as const;
    for (const [from, code, to, expected] of cases) {
      const original = error(from, code, 'Method not found');
      assert.deepEqual(write(original, to).code, intValue(expected), `${from} ${code} in ${to}`);
      assert.deepEqual(thereAndBack(original, to), original);
    }
  });

  it('says in MCP that a tool was not found where the code alone would not', () => {
    assert.equal(
      write(error('aicl', 3001, 'TOOL_UNAVAILABLE'), 'mcp').text,
      'Tool not found: TOOL_UNAVAILABLE',
    );
    assert.equal(write(error('aicf', 404, 'Unknown tool x'), 'mcp').text, 'Unknown tool x');
  });

  it('tells people the detail of LightAICL, and carries it', () => {
    const original = { ...error('aicl', 4001, 'DATA_FORMAT_ERROR'), data: textValue('wants a tensor') };
    const report = new Report();
    assert.deepEqual(writeError(original, 'mcp', conversion(report)), {
      code: intValue(-32603),
      text: 'DATA_FORMAT_ERROR: wants a tensor',
      data: dictValue([
        { key: 'protocol', value: textValue('aicl') },
        { key: 'code', value: intValue(4001) },
        { key: 'text', value: textValue('DATA_FORMAT_ERROR') },
        { key: 'data', value: textValue('wants a tensor') },
      ]),
    });
    assert.deepEqual(report.losses, []);
  });
});

describe('errors there and back', () => {
  const anyCode: fc.Arbitrary<Value> = fc.oneof(
    fc
      .constantFrom(400, 404, 422, 500, 1000, 1001, 4001, 5005, -32602, -32601, -33007, 1001, 7)
      .map(intValue),
    fc.constantFrom('404', 'MODEL_TIMEOUT', '007', 'a b', ']', '"', '').map(textValue),
    fc.constant(NULL),
    fc.double().map((float): Value => ({ kind: 'float', float })),
  );
  const anyText = fc.oneof(
    fc
      .constantFrom(
        '',
        'not found',
        'x [aicl 4001]',
        '[aicf 500]',
        ' [aicl 1000]',
        'the tool failed',
        '\n|\\',
      )
      .map(textValue),
    fc.string().map(textValue),
    fc.constant(intValue(5)),
  );
  const anyError: fc.Arbitrary<ErrorFields> = fc.letrec<{ error: ErrorFields; data: Value }>(tie => ({
    error: fc
      .record(
        {
          protocol: fc.constantFrom(...NAMES, 'aip', 'other').map(textValue),
          code: anyCode,
          text: anyText,
          data: tie('data'),
        },
        { requiredKeys: [] },
      )
      .map(fields => ({ ...fields })),
    data: fc.oneof(
      { maxDepth: 4 },
      fc.constant(dictValue([])),
      fc.constant(textValue('detail')),
      tie('error').map(fields => toMembers(fields).left() ?? NULL),
      // What a writer makes of an error, so that one looks as if it carried another.
      fc.tuple(tie('error'), fc.constantFrom(...NAMES)).map(([fields, name]) => {
        const { code, text, data } = writeError(fields, name, conversion());
        return toMembers({ protocol: textValue(name), code, text: textValue(text), data }).left() ?? NULL;
      }),
    ),
  })).error;

  it('gives every error back through every protocol', () => {
    fc.assert(
      fc.property(anyError, fc.constantFrom(...NAMES), (original, name) => {
        assert.deepEqual(thereAndBack(original, name), there(original));
      }),
      { numRuns: runs(1500) },
    );
  });

  it('gives in AICF every error back that is a code and a text', () => {
    const code = fc.oneof(
      anyCode.filter(value => value.kind === 'int' || value.kind === 'text'),
      fc.constant(undefined),
    );
    const text = fc.oneof(
      anyText.filter(value => value.kind === 'text'),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(fc.constantFrom(...NAMES, 'aip'), code, text, (name, ownCode, ownText) => {
        const original = there({ protocol: textValue(name), code: ownCode, text: ownText });
        assert.deepEqual(
          there(readAicfError(writeAicfError(original, ALL_PROTOCOLS), ALL_PROTOCOLS)),
          original,
        );
      }),
      { numRuns: runs(1500) },
    );
  });
});
