import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { AICF_TYPES } from '../../../../core/catalog/aicf.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import {
  declarationValue,
  declaredTools,
  fromSchemaTool,
  readDeclaration,
  toSchemaTool,
} from '../../../../protocols/tools/tool-schema.ts';
import { message } from '../../../../core/message/message.ts';
import { listValue, NULL, textValue, type Value } from '../../../../core/values/value.ts';

const parse = (json: string): Value => readJsonPieces(json).pieces[0]?.value ?? NULL;

const file =
  '{"name":"figma.getFile","description":"Gets a file","inputSchema":{"type":"object","properties":{"fileKey":{"type":"string"},"depth":{"type":"integer"},"x":{}},"required":["fileKey"]}}';

describe('the schemas of tools', () => {
  it('are declarations with the order of their properties, and back', () => {
    const declared = declarationValue('figma.getFile', 'Gets a file', [
      { name: 'fileKey', type: 'string', isOptional: false },
      { name: 'depth', type: 'integer', isOptional: true },
      { name: 'x', type: 'any', isOptional: true },
    ]);
    assert.deepEqual(fromSchemaTool(parse(file)), declared);
    assert.deepEqual(toSchemaTool(declared), parse(file));
  });

  it('give declarations back whatever their names', () => {
    const argument = fc.record(
      {
        name: fc.oneof(fc.constantFrom('__proto__', '1', 'a:b', ''), fc.string()),
        type: fc.constantFrom(...AICF_TYPES.map(row => row.name)),
        isOptional: fc.boolean(),
      },
      { noNullPrototype: true },
    );
    const list = fc.uniqueArray(argument, { maxLength: 5, selector: ({ name }) => name });
    fc.assert(
      fc.property(
        fc.string(),
        fc.option(fc.string(), { nil: undefined }),
        list,
        (name, description, declared) => {
          const value = declarationValue(name, description, declared);
          const tool = toSchemaTool(value);
          assert.ok(tool);
          assert.deepEqual(fromSchemaTool(tool), value);
        },
      ),
    );
  });

  it('are open for other names where a keyword besides `properties` may declare them', () => {
    const isOpen = (more: string): boolean | undefined =>
      readDeclaration(parse(file.replace('"required":["fileKey"]', `"required":["fileKey"]${more}`)))?.schema
        ?.isOpen;
    for (const more of [
      ',"patternProperties":{"^x-":{}},"additionalProperties":false',
      ',"anyOf":[{"properties":{"a":{}}}]',
      ',"oneOf":[{}]',
      ',"allOf":[{"$ref":"#/$defs/a"}]',
      ',"if":{},"then":{"properties":{"a":{}}}',
      ',"dependentSchemas":{"x":{"properties":{"a":{}}}}',
      ',"$ref":"#/$defs/a"',
      ',"additionalProperties":{"type":"string"}',
    ])
      assert.equal(isOpen(more), true, more);
    for (const more of ['', ',"additionalProperties":false', ',"description":"x"'])
      assert.equal(isOpen(more), false, more);
  });

  it('that say more than a declaration can are left alone', () => {
    for (const tool of [
      file.replace('{"type":"string"}', '{"type":"string","description":"Its key"}'),
      file.replace('"required":["fileKey"]', '"required":["fileKey"],"additionalProperties":false'),
      file.replace('"name"', '"title":"T","name"'),
      '{"name":"x"}',
    ])
      assert.equal(fromSchemaTool(parse(tool)), undefined, tool);
    const strange = declarationValue('t', undefined, [{ name: 'a', type: 'str', isOptional: false }]);
    assert.equal(toSchemaTool(strange), undefined);
  });

  it('tell the names and types of arguments even so', () => {
    const tool = parse(
      '{"name":"t","inputSchema":{"properties":{"a":{"type":["integer","null"]},"b":{"type":["string","integer"]},"c":{"type":"null"},"d":{"enum":[1]}},"required":["b"]}}',
    );
    assert.deepEqual(
      readDeclaration(tool)?.arguments.map(({ name, type, isOptional }) => [name, type, isOptional]),
      [
        ['a', 'integer', true],
        ['b', 'any', false],
        ['c', 'any', true],
        ['d', 'any', true],
      ],
    );
  });

  it('are found in the messages of a text', () => {
    const named = parse('{"name":"other"}');
    const table = declaredTools([
      message('result', { tools: listValue([parse(file), named]) }),
      message('result', { declaration: declarationValue('other', undefined, []) }),
      message('result', { data: textValue('x') }),
    ]);
    assert.deepEqual(
      [
        table.isComplete,
        [...table.tools].map(([name, tool]) => [name, tool?.arguments.map(argument => argument.name)]),
      ],
      [
        true,
        [
          ['figma.getFile', ['fileKey', 'depth', 'x']],
          ['other', []],
        ],
      ],
    );
    assert.deepEqual(declaredTools([]), { isComplete: false, tools: new Map() });
  });
});
