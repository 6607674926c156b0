import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ArgumentSchema, SnippetPart } from '../../../language/json/argument-schema.ts';
import { ToolSchemas } from '../../../language/json/json-service.ts';
import { SCHEMA_WORDS } from '../../../language/json/schema-words.ts';
import { LONGEST_SCHEMA } from '../../../language/tools.ts';
import { readOffset } from '../../support/cursor.ts';
import { readMarks } from '../../support/marks.ts';
import { runs, sized } from '../../support/size.ts';

/** The schema of an argument `a`, with definitions for references. */
function open(
  schema: unknown,
  { defs = {}, work = { count: 0 } }: { defs?: unknown; work?: { count: number } } = {},
): ArgumentSchema {
  const found = find(schema, defs, work);
  assert.ok(found);
  return found;
}

/** The same; undefined for a schema that says nothing. */
function find(schema: unknown, defs: unknown = {}, work?: { count: number }): ArgumentSchema | undefined {
  const text = JSON.stringify({ type: 'object', properties: { a: schema }, $defs: defs });
  return new ToolSchemas(text, work).find('a');
}

/** Checks JSON in which marks enclose what is reported; returns the sentences. */
function check(schema: ArgumentSchema, marked: string): readonly string[] {
  const { text, spans } = readMarks(marked);
  const found = schema.check(text);
  assert.deepEqual(
    found.map(({ span }) => span),
    spans,
    marked,
  );
  return found.map(({ problem, advice }) => `${problem}; ${advice}`);
}

function showValue(parts: readonly SnippetPart[]): string {
  return parts.map(part => (typeof part === 'string' ? part : `<${part.stop}>`)).join('');
}

function complete(
  schema: ArgumentSchema,
  marked: string,
): { names: readonly string[]; values: readonly string[] } {
  const { text, offset } = readOffset(marked);
  const { names, values } = schema.complete(text, offset);
  return {
    names: names.map(({ label, value }) => `${label}:${showValue(value)}`),
    values: values.map(({ value }) => showValue(value)),
  };
}

const TREE = { $ref: '#/$defs/tree' };
const DEFS = {
  tree: {
    type: 'object',
    title: 'A tree',
    properties: {
      name: { type: 'string', description: 'What it is called' },
      kind: { enum: ['leaf', 'twig'], default: 'leaf' },
      alive: { type: 'boolean' },
      parts: { type: 'array', items: TREE },
    },
    required: ['name'],
    additionalProperties: false,
  },
};

describe('JSON and the schema of an argument', () => {
  const tree = open(TREE, { defs: DEFS });

  it('is checked at any depth, in the order of the text', () => {
    assert.deepEqual(check(tree, '{"name":"a","parts":[{"name":"b","parts":[]}]}'), []);
    assert.deepEqual(
      check(
        tree,
        '{"name":«1»,"parts":[{"name":"b","kind":«"root"»},«{»"parts":[{"name":"c",«"size"»:2}]}],"alive":«"no"»}',
      ),
      [
        "This is not of type 'string'; write one that is",
        'This is none of the values "leaf", "twig"; write one of them',
        "The object lacks 'name'; add it",
        "'size' is no member that the object may have; remove it or rename it",
        "This is not of type 'boolean'; write one that is",
      ],
    );
  });

  it('may have a whole number in any notation', () => {
    const schema = open({ type: 'array', items: { type: 'integer' } });
    const orNull = open({ anyOf: [{ type: 'integer' }, { type: 'null' }] });
    assert.deepEqual(check(orNull, '1.0'), []);
    assert.deepEqual(check(schema, '[1,1.0,-2e3,«1.5»,«true»,12345678901234567891]').length, 2);
  });

  it('names all types of a choice between types', () => {
    const schema = open({ anyOf: [{ type: 'string' }, { type: 'null', title: 'None' }] });
    assert.deepEqual(check(schema, '«1»'), ["This is not of type 'string' or 'null'; write one that is"]);
    assert.deepEqual(check(schema, 'null'), []);
  });

  it('fits one of several choices', () => {
    const schema = open({
      oneOf: [
        {
          type: 'object',
          properties: { op: { const: 'add' }, by: { type: 'number' } },
          required: ['op', 'by'],
        },
        { type: 'object', properties: { op: { const: 'stop' } }, required: ['op'] },
      ],
    });
    assert.deepEqual(check(schema, '{"op":"stop"}'), []);
    assert.deepEqual(check(schema, '{"op":"add","by":«"1"»}'), [
      "This is not of type 'number'; write one that is",
    ]);
    assert.deepEqual(complete(schema, '{"op":"add","$0"}').names, ['by:<0>']);
  });

  it('fits an object or nothing', () => {
    const schema = open(
      {
        anyOf: [
          { $ref: '#/$defs/tree' },
          { type: 'object', properties: { b: {} }, required: ['b'] },
          { type: 'null' },
        ],
        default: null,
      },
      { defs: DEFS },
    );
    assert.deepEqual(check(schema, 'null'), []);
    assert.deepEqual(check(schema, '{"name":«1»}'), ["This is not of type 'string'; write one that is"]);
    assert.deepEqual(complete(schema, '{"alive":$0}').values, ['true', 'false']);
  });

  it('of the wrong type is not said to have a wrong value as well', () => {
    const schema = open({ type: 'string', enum: ['a'] });
    assert.deepEqual(check(schema, '«1»'), ["This is not of type 'string'; write one that is"]);
  });

  it('has replacements where it is clear what was meant', () => {
    const schema = open({
      type: 'object',
      properties: {
        n: { type: 'integer' },
        o: { anyOf: [{ type: 'object' }, { type: 'array' }] },
        s: { type: 'string' },
        b: { type: 'boolean' },
        e: { enum: ['a, b', null, 3] },
        c: { const: { x: [1] } },
        many: { enum: [1, 2, 3, 4, 5, 6] },
      },
    });
    const mendsOf = (json: string): readonly (readonly string[])[] =>
      schema.check(json).map(({ mends }) => mends);
    assert.deepEqual(mendsOf('{"n":" 7 ","o":"{\\"a\\":1}","s":1e2,"b":"true"}'), [
      ['7'],
      ['{"a":1}'],
      ['"1e2"'],
      ['true'],
    ]);
    assert.deepEqual(mendsOf('{"n":"1.5","o":"x","s":null,"b":1}'), [[], [], [], []]);
    assert.deepEqual(mendsOf('{"e":"a","c":1,"many":7}'), [['"a, b"', 'null', '3'], ['{"x":[1]}'], []]);
  });

  it('is held to limits, items by position and members that need others', () => {
    const schema = open({
      type: 'object',
      properties: {
        n: { type: 'integer', minimum: 1, exclusiveMaximum: 9, multipleOf: 3 },
        text: { type: 'string', minLength: 2, maxLength: 3 },
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        list: { type: 'array', minItems: 1, maxItems: 2 },
        has: { type: 'array', contains: { const: 1 } },
        not: { not: { type: 'null' } },
      },
      dependencies: { n: ['text'] },
      minProperties: 1,
    });
    const sentences = [
      ...check(schema, '{"n":«0»,"text":«"x"»}'),
      ...check(schema, '{"n":«9»,"text":«"long"»}'),
      ...check(schema, '«{"n":3}»'),
      ...check(schema, '{"pair":«["a",1,2]»,"list":«[]»,"has":«[2]»,"not":«null»}'),
      ...check(schema, '{"list":«[1,2,3]»}'),
      ...check(schema, '«{}»'),
    ];
    assert.deepEqual(sentences, [
      'The number is less than 1; write a greater one',
      'The text is shorter than 2 characters; write more',
      'The number is not less than 9; write a smaller one',
      'The text is longer than 3 characters; shorten it',
      "The object lacks 'text', which 'n' requires; add it",
      'The array has more values than 2; remove some',
      'The array has fewer values than 1; add some',
      'The array lacks a value that the schema requires; add it',
      'The schema does not allow this value; write another one',
      'The array has more values than 2; remove some',
      'The object has fewer members than 1; add some',
    ]);
  });

  it('is completed with names and values at any depth', () => {
    assert.deepEqual(complete(tree, '{$0}'), {
      names: ['name:"<>"', 'kind:<>', 'alive:<>', 'parts:[<>]'],
      values: [],
    });
    assert.deepEqual(complete(tree, '{"name":"a","parts":[{"na$0"}]}').names, [
      'name:"<>"',
      'kind:<>',
      'alive:<>',
      'parts:[<>]',
    ]);
    assert.deepEqual(complete(tree, '{"name":"a","parts":[{"kind":$0').values, ['"leaf"', '"twig"']);
    assert.deepEqual(complete(tree, '{"alive":$0}').values, ['true', 'false']);
    assert.deepEqual(complete(tree, '{"parts":$0}').values, ['[<>]']);
    const values = open({ enum: ['a\\b"$}', { b: [1, { c: 2 }] }, null, 7] });
    assert.deepEqual(complete(values, '$0').values, ['"a\\\\b\\"$}"', '{"b":[1,{"c":2}]}', 'null', '7']);
  });

  it('shows titles and descriptions', () => {
    const json = '{"name":"b"}';
    assert.deepEqual(tree.describe(json, { start: 0, end: json.length }), ['A tree']);
    assert.deepEqual(tree.describe(json, { start: 8, end: 11 }), ['What it is called']);
    assert.deepEqual(tree.describe(json, { start: 9, end: 10 }), []);
    assert.deepEqual(tree.describe('{"kind":7}', { start: 8, end: 9 }), [
      'One of "leaf", "twig"',
      'Default: "leaf"',
    ]);
  });

  it('has a keyword beside a reference apply as well', () => {
    const schema = open({ $ref: '#/$defs/tree', description: 'The oak' }, { defs: DEFS });
    const json = '{"name":1}';
    assert.deepEqual(schema.describe(json, { start: 0, end: json.length }), ['A tree', 'The oak']);
    assert.equal(schema.check(json).length, 1);
  });

  it('is not checked if it is not JSON, too deep or names a schema of its own', () => {
    assert.deepEqual(tree.check('{"name":'), []);
    assert.deepEqual(tree.check(`${'['.repeat(300)}${']'.repeat(300)}`), []);
    assert.deepEqual(complete(tree, `${'{"parts":['.repeat(300)}{$0`), { names: [], values: [] });
    assert.deepEqual(tree.check('{"$schema":"https://example.com/schema","name":1}'), []);
  });

  it('has words of ours for messages that the service has', () => {
    const main = createRequire(import.meta.url).resolve('vscode-json-languageservice');
    const source = readFileSync(join(dirname(main), 'parser/jsonParser.js'), 'utf8');
    for (const template of SCHEMA_WORDS.keys()) assert.ok(source.includes(template), template);
  });
});

describe('a hostile schema', () => {
  /** The most checks of one operation, and the one that was too much. */
  const MAX_WORK = 20_001;

  it('that is too long is ignored', () => {
    const schema = { type: 'string', description: 'x'.repeat(sized(10_000_000, LONGEST_SCHEMA)) };
    assert.equal(new ToolSchemas(JSON.stringify({ properties: { a: schema } })).find('a'), undefined);
  });

  it('that is not a schema says nothing', () => {
    for (const text of ['', '{', '[]', '1', '{"properties":[1]}', '{"properties":{"b":1}}', '{"$ref":"#"}'])
      assert.equal(new ToolSchemas(text).find('a'), undefined, text);
    for (const odd of [
      1,
      true,
      { type: 'text' },
      { properties: [] },
      { anyOf: 3 },
      { enum: {} },
      { required: [1] },
    ])
      assert.deepEqual(
        new ToolSchemas(JSON.stringify({ properties: { a: odd } })).find('a')?.check('{}') ?? [],
        [],
      );
  });

  it('that is nested deep is read to the depth of JSON', () => {
    const depth = 5_000;
    const text = `{"properties":{"a":${'{"items":'.repeat(depth)}{"type":"string"}${'}'.repeat(depth)}}}`;
    const json = `${'['.repeat(150)}1${']'.repeat(150)}`;
    assert.deepEqual(new ToolSchemas(text).find('a')?.check(json), []);
    const long = `{"properties":{"a":${'{"items":'.repeat(10_000)}1${'}'.repeat(10_000)}}}`;
    assert.equal(new ToolSchemas(long).find('a'), undefined);
  });

  it('has no expression that takes exponential time', () => {
    const slow = '(a+)+$';
    const text = `${'a'.repeat(10_000)}!`;
    const schema = open({
      type: 'object',
      properties: { pattern: { type: 'string', pattern: slow, format: 'email' } },
      patternProperties: { [slow]: { type: 'null' } },
      propertyNames: { pattern: slow },
      additionalProperties: false,
    });
    assert.deepEqual(schema.check(JSON.stringify({ pattern: text, [text]: 1 })), []);
    assert.equal(schema.check('{"pattern":1}').length, 1);
    assert.deepEqual(complete(schema, '{"$0"}').names, ['pattern:"<>"']);
  });

  it('is not wrong where something is left out', () => {
    const even = { type: 'string', pattern: '^(..)*$' };
    for (const schema of [
      { not: even },
      { oneOf: [even, { type: 'string', pattern: '^.(..)*$' }] },
      { if: even, then: false },
      { anyOf: [{ type: 'number' }, { $ref: 'https://example.com/schema' }] },
      { $ref: 'https://example.com/schema#/a' },
      { $ref: '#/$defs/%' },
      { $ref: '#/__proto__/x' },
      { $ref: '#/constructor' },
      { type: 'string', unevaluatedProperties: false },
    ])
      assert.deepEqual(find(schema)?.check('"abc"') ?? [], [], JSON.stringify(schema));
  });

  it('that contains itself ends', () => {
    const self = { $ref: '#/properties/a' };
    for (const schema of [self, { allOf: [self] }, { anyOf: [self, self] }, { not: { not: self } }])
      assert.deepEqual(
        new ToolSchemas(JSON.stringify({ properties: { a: schema } })).find('a')?.check('1') ?? [],
        [],
      );
    const list = open({ type: 'array', items: self, anyOf: [{ maxItems: 1 }, self] });
    assert.deepEqual(check(list, '[[[«1»]]]'), ["This is not of type 'array'; write one that is"]);
  });

  it('of many choices is checked with bounded work', () => {
    const work = { count: 0 };
    const refs = (name: string): unknown => ({ anyOf: Array.from({ length: 9 }, () => ({ $ref: name })) });
    const defs = Object.fromEntries(
      Array.from({ length: 7 }, (_, level) => [
        `d${level}`,
        refs(level === 6 ? '#/$defs/end' : `#/$defs/d${level + 1}`),
      ]),
    );
    const schema = open(refs('#/$defs/d0'), {
      defs: {
        ...defs,
        end: { properties: { x: { $ref: '#/properties/a' } }, items: { $ref: '#/properties/a' } },
      },
      work,
    });
    for (const json of [
      '{"x":{"x":1}}',
      `${'['.repeat(100)}1${']'.repeat(100)}`,
      `[${'1,'.repeat(30_000)}1]`,
    ]) {
      work.count = 0;
      assert.deepEqual(schema.check(json), []);
      assert.ok(work.count > 0 && work.count <= MAX_WORK, `${work.count}`);
    }
    work.count = 0;
    schema.complete('{"x":{"x":1}}', 10);
    assert.ok(work.count <= 2 * MAX_WORK, `${work.count}`);
    work.count = 0;
    schema.describe('{"x":1}', { start: 0, end: 7 });
    assert.ok(work.count <= MAX_WORK, `${work.count}`);
  });

  it('that unfolds to many schemas is ignored', () => {
    const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, {}]));
    const anyOf = Array.from({ length: 1_000 }, (_, index) => ({ $ref: '#/$defs/wide', title: `${index}` }));
    const text = JSON.stringify({ properties: { a: { anyOf } }, $defs: { wide: { properties } } });
    assert.ok(text.length < LONGEST_SCHEMA);
    assert.equal(new ToolSchemas(text).find('a'), undefined);
  });

  it('has any names', () => {
    const text =
      '{"properties":{"a":{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}},"additionalProperties":false}}}';
    const schema = new ToolSchemas(text).find('a');
    assert.ok(schema);
    check(schema, '{"__proto__":«1»,"constructor":«2»,«"toString"»:3}');
    assert.deepEqual(complete(schema, '{$0}').names, ['__proto__:"<>"', 'constructor:<null>']);
    assert.deepEqual(complete(open({}), '{"constructor":$0}').values, []);
  });

  it('of any form never throws, and reports within the text', () => {
    const keyword = fc.constantFrom(
      ...[
        'type',
        'properties',
        'items',
        'anyOf',
        'allOf',
        'oneOf',
        'not',
        'if',
        'then',
        'enum',
        'const',
        '$ref',
      ],
      ...['required', 'additionalProperties', 'default', 'contains', 'prefixItems', 'dependencies', 'a'],
    );
    const { schema: anySchema } = fc.letrec<{ schema: unknown }>(tie => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(true, false, null, 1, 'string', 'object', '#/properties/a', '#', ['a']),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(keyword, tie('schema'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(anySchema, fc.json({ maxDepth: 3 }), fc.nat(), (schema, json, at) => {
        const found = new ToolSchemas(JSON.stringify({ properties: { a: schema } })).find('a');
        for (const { span } of found?.check(json) ?? [])
          assert.ok(span.start <= span.end && span.end <= json.length);
        found?.complete(json.slice(0, at % (json.length + 1)), at % (json.length + 1));
        found?.describe(json, { start: 0, end: json.length });
      }),
      { numRuns: runs(300) },
    );
  });
});
