import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { fromStored, toStored } from '../../../client/src/forms/stored-inputs.ts';
import { readInputs } from '../../../client/src/forms/read-inputs.ts';
import { findFault } from '../../../client/src/forms/schema-fault.ts';
import { listDefaults, listFields } from '../../../client/src/forms/schema-fields.ts';
import { listSecrets, withoutSecrets } from '../../../client/src/forms/secret-inputs.ts';
import { schemaOf } from '../../../client/src/forms/schema.ts';
import { writeToolCall } from '../../../client/src/forms/tool-request.ts';
import { readTable } from '../../../language/aicf/tools.ts';
import type { ToolDeclaration } from '../../../language/tools.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', description: 'Where to', minLength: 2 },
    days: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    budget: { type: 'number', exclusiveMinimum: 0 },
    direct: { type: 'boolean', default: false },
    class: {
      type: 'string',
      enum: ['first', 'second'],
      enumNames: ['First class', 'second'],
      default: 'second',
    },
    extras: { type: 'array', items: { type: 'string', enum: ['wifi', 'bike', 'food'] }, maxItems: 2 },
    stops: { type: 'array', items: { type: 'string' }, default: ['Bern', 'Chur'] },
    rooms: { type: 'array', items: { $ref: '#/$defs/room' } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    mail: { type: 'string', format: 'email' },
    rest: {},
  },
  required: ['city', 'days', 'rooms'],
  $defs: {
    room: {
      type: 'object',
      properties: { beds: { type: 'integer' } },
      required: ['beds'],
      additionalProperties: false,
    },
  },
};

/** What is filled in well. */
const FILLED = { city: 'Chur', days: '3', rooms: '[{"beds":2}]' };

describe('call form', () => {
  it('makes a typed field of each property, with what it has to hold', () => {
    const fields = listFields(SCHEMA).map(({ name, title, kind, isRequired, hint, choices }) => [
      name === title ? name : `${name} (${title})`,
      isRequired ? `${kind}!` : kind,
      hint,
      choices.map(({ label, json }) => `${label}=${json}`).join(' '),
    ]);
    assert.deepEqual(fields, [
      ['city (City)', 'text!', 'text, from 2 characters', ''],
      ['days', 'integer!', 'integer from 1 to 10', ''],
      ['budget', 'number', 'number', ''],
      ['direct', 'boolean', 'true or false', ''],
      ['class', 'choice', '', 'First class (first)="first" second="second"'],
      ['extras', 'choices', 'any number of these, up to 2 items', 'wifi="wifi" bike="bike" food="food"'],
      ['stops', 'list', 'list of texts, one a line', ''],
      ['rooms', 'json!', 'JSON array', ''],
      ['note', 'text', 'text', ''],
      ['mail', 'text', 'mail address', ''],
      ['rest', 'any', 'JSON, or else text', ''],
    ]);
  });

  it('begins with the defaults', () => {
    assert.deepEqual(listDefaults(SCHEMA), { days: '3', direct: 'false', class: '1', stops: 'Bern\nChur' });
  });

  it('reads what was typed, and leaves out what is empty', () => {
    const inputs = {
      ...FILLED,
      budget: '1.50',
      direct: 'true',
      class: '0',
      extras: '0\n2',
      stops: 'Thusis\nFilisur',
      note: '',
      rest: '{"a":[1]}',
    };
    assert.deepEqual(readInputs(SCHEMA, inputs), {
      ok: true,
      json: '{"city":"Chur","days":3,"budget":1.50,"direct":true,"class":"first","extras":["wifi","food"],"stops":["Thusis","Filisur"],"rooms":[{"beds":2}],"rest":{"a":[1]}}',
    });
    assert.deepEqual(readInputs(SCHEMA, FILLED), {
      ok: true,
      json: '{"city":"Chur","days":3,"rooms":[{"beds":2}]}',
    });
  });

  it('says at each field what is wrong, and keeps all that was typed', () => {
    const inputs = {
      city: 'X',
      days: '11',
      budget: '0',
      direct: 'yes',
      class: '7',
      extras: '0\n1\n2',
      rooms: '[{"beds":2},{"bed":1}]',
      mail: 'nobody',
      rest: 'words',
    };
    assert.deepEqual(readInputs(SCHEMA, inputs), {
      ok: false,
      isCall: true,
      json: '{"city":"X","days":11,"budget":0,"direct":"yes","class":"7","extras":["wifi","bike","food"],"rooms":[{"beds":2},{"bed":1}],"mail":"nobody","rest":"words"}',
      faults: {
        city: 'This has to be at least 2 characters.',
        days: 'This has to be at most 10.',
        budget: 'This has to be more than 0.',
        direct: 'Choose true or false.',
        class: 'Choose one of these.',
        extras: 'This has to be at most 2 items.',
        rooms: "[1]: The member 'beds' is missing.",
        mail: 'This has to be a mail address.',
      },
    });
    assert.deepEqual(readInputs(SCHEMA, { city: '', days: '', rooms: '{' }), {
      ok: false,
      isCall: true,
      json: '{"city":"","rooms":"{"}',
      faults: {
        city: 'This has to be at least 2 characters.',
        days: 'Fill this in: the argument is required.',
        rooms: 'This is not valid JSON.',
      },
    });
  });

  it('takes a required text that is not given for a missing one, and an empty one as it is', () => {
    const schema = { properties: { city: { type: 'string' } }, required: ['city'] };
    assert.deepEqual(readInputs(schema, {}), {
      ok: false,
      isCall: true,
      json: '{}',
      faults: { city: 'Fill this in: the argument is required.' },
    });
    assert.deepEqual(readInputs(schema, { city: '' }), { ok: true, json: '{"city":""}' });
  });

  it('keeps every digit of a number, and every text', () => {
    const schema = { properties: { n: { type: 'integer' }, t: { type: 'string' } }, required: ['n', 't'] };
    fc.assert(
      fc.property(fc.bigInt(), fc.string({ unit: 'grapheme' }), (number, text) => {
        const filled = readInputs(schema, { n: String(number), t: text });
        assert.deepEqual(filled, { ok: true, json: `{"n":${number},"t":${JSON.stringify(text)}}` });
      }),
    );
    for (const wrong of ['1.5', '+1', '0x10', '1e3', 'one', '01'])
      assert.equal(readInputs(schema, { n: wrong, t: '' }).ok, false, wrong);
  });

  it('takes all arguments as JSON where a schema names none', () => {
    assert.deepEqual(
      listFields({ type: 'object' }).map(field => [field.name, field.kind]),
      [['', 'json']],
    );
    assert.deepEqual(listFields({ type: 'object', additionalProperties: false }), []);
    assert.deepEqual(readInputs({}, { '': '{"a":1}' }), { ok: true, json: '{"a":1}' });
    assert.deepEqual(readInputs({}, { '': '[1]' }), {
      ok: false,
      isCall: false,
      json: '{}',
      faults: { '': 'This has to be a JSON object.' },
    });
    assert.deepEqual(readInputs({}, {}), { ok: true, json: '{}' });
  });

  it('shows and keeps nothing that is secret, also within an object', () => {
    const schema = {
      properties: {
        user: { type: 'string' },
        pass: { type: 'string', format: 'password' },
        pin: { type: 'integer', writeOnly: true },
        login: { type: 'object', properties: { keys: { type: 'array', items: { writeOnly: true } } } },
        none: { type: 'string', writeOnly: true },
      },
    };
    const typed = { user: 'ann', pass: 'hunter2', pin: '4711', login: '{"keys":["a-key",{"b":"b-key"}]}' };
    assert.deepEqual(
      listFields(schema).map(({ isSecret, hint }) => [isSecret, hint]),
      [
        [false, 'text'],
        [true, 'password'],
        [true, 'integer'],
        [true, 'JSON object'],
        [true, 'text'],
      ],
    );
    assert.deepEqual(
      [readInputs(schema, typed).json, readInputs(schema, typed, 'masked').json],
      [
        '{"user":"ann","pass":"hunter2","pin":4711,"login":{"keys":["a-key",{"b":"b-key"}]}}',
        '{"user":"ann","pass":"[redacted]","pin":"[redacted]","login":"[redacted]"}',
      ],
    );
    assert.deepEqual(withoutSecrets(schema, typed), { user: 'ann' });
    assert.deepEqual(listSecrets(schema, typed), [
      'hunter2',
      '4711',
      '{"keys":["a-key",{"b":"b-key"}]}',
      'a-key',
      'b-key',
    ]);
  });

  it('remembers which values were chosen, whatever order they are offered in later', () => {
    const capabilities = (...values: readonly unknown[]): object => ({
      properties: {
        one: { enum: values },
        some: { type: 'array', items: { enum: values } },
        flag: { type: 'boolean' },
        key: { type: 'string', format: 'password' },
      },
    });
    const then = capabilities('dev', 'prod', 3, 'a\nb');
    const inputs = { one: '1', some: '0\n2\n3', flag: 'true', key: 'hunter2' };
    const stored = toStored(then, inputs);
    assert.deepEqual(stored, { one: '"prod"', some: '"dev"\n3\n"a\\nb"', flag: 'true' });
    assert.deepEqual(fromStored(then, stored), { one: '1', some: '0\n2\n3', flag: 'true' });
    const now = capabilities('a\nb', 'prod', 'test', 'dev');
    assert.deepEqual(fromStored(now, stored), { one: '1', some: '3\n0', flag: 'true' });
    assert.deepEqual(fromStored(capabilities('test'), stored), { flag: 'true' });
    assert.deepEqual(fromStored(now, toStored(then, { one: '', some: '' })), { one: '', some: '' });
  });

  it('ends for schemas that refer to themselves', () => {
    const schema = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
    assert.deepEqual(
      listFields(schema).map(({ kind }) => kind),
      ['json'],
    );
    const tree = { properties: { next: { $ref: '#' } }, additionalProperties: false };
    assert.equal(findFault({ next: { next: { other: 1 } } }, tree), "There is no member 'other' here.");
  });

  it('is total over any schema and any input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.string()), (schema, inputs) => {
        const wrapped = { properties: { a: schema }, required: ['a'] };
        for (const each of [schema, wrapped]) {
          listDefaults(each);
          JSON.parse(readInputs(each, inputs).json);
        }
      }),
    );
  });

  it('makes a schema of what a TOOL line declares', () => {
    const marked = declareTool('TOOL|trip.plan|Plans|city:string|days:integer?');
    const unmarked = declareTool('TOOL|trip.plan|Plans|city:string|days:integer');
    assert.deepEqual(
      [marked, unmarked].map(tool =>
        listFields(schemaOf(tool)).map(field => [field.name, field.kind, field.isRequired]),
      ),
      [
        [
          ['city', 'text', true],
          ['days', 'integer', false],
        ],
        [
          ['city', 'text', false],
          ['days', 'integer', false],
        ],
      ],
    );
  });

  it('writes the call in both languages, with types and digits preserved', () => {
    const tools = {
      isComplete: false,
      tools: new Map([['trip.plan', declareTool('TOOL|trip.plan|Plans|city:string|days:integer')]]),
    };
    const json = '{"city":"Chur | ]","days":12345}';
    assert.deepEqual(
      [writeToolCall('trip.plan', json, 'aicf', tools), writeToolCall('trip.plan', json, 'aicl', tools)],
      [
        'CALL|trip.plan|Chur \\| ]|12345',
        [
          '[d:',
          '  [s:protocol]:[s:LightAICL],',
          '  [s:session_id]:[s:session],',
          '  [s:msg_type]:[s:tool_call],',
          '  [s:tool]:[s:trip.plan],',
          '  [s:params]:[d:[s:city]:[s:Chur | \\u005D],[s:days]:[i:12345]]',
          ']',
        ].join('\n'),
      ],
    );
  });
});

/** What a TOOL line declares. */
function declareTool(line: string): ToolDeclaration {
  const [tool] = readTable([line], undefined).tools.values();
  assert.ok(tool);
  return tool;
}
