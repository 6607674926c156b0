import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { complete } from '../../../language/aicf/features/completion.ts';
import { hover } from '../../../language/aicf/features/hover.ts';
import { parseAicf, type AicfDocument } from '../../../language/aicf/parse.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';
import { readOffset } from '../../support/cursor.ts';
import { readMarks } from '../../support/marks.ts';
import { toolsWithSchema } from '../../support/schema-tools.ts';

const TOOLS = toolsWithSchema(
  JSON.stringify({
    type: 'object',
    properties: {
      note: {
        type: 'object',
        properties: {
          'a|b': { type: 'string', title: 'Both *sides*', description: 'See <https://example.com>' },
          mode: { enum: ['x|y', 'say "hi"', 'plain'] },
          rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
        },
        additionalProperties: false,
      },
      free: {},
      text: { type: 'string', maxLength: 3 },
      either: {
        anyOf: [
          { type: 'string', maxLength: 20 },
          { type: 'object', required: ['id'] },
        ],
      },
      choice: { anyOf: [{ type: 'number' }, { type: 'object', properties: { id: {} }, required: ['id'] }] },
    },
  }),
);

function open(text: string): AicfDocument {
  return { ...parseAicf(text, DEFAULT_SETTINGS), others: TOOLS };
}

/** The codes of the issues of a line with marks around what they report. */
function codes(marked: string): readonly string[] {
  const { text, spans } = readMarks(marked);
  const found = validateAicf(open(text));
  assert.deepEqual(
    found.map(({ span }) => span),
    spans,
    marked,
  );
  return found.map(({ code }) => code);
}

function proposals(marked: string): readonly (readonly [string, string, string])[] {
  const { text, offset } = readOffset(marked);
  return complete(open(text), offset).map(({ label, detail, newText }) => [label, detail, newText]);
}

describe('JSON in a field with a schema', () => {
  it('is reported at the right characters behind escapes', () => {
    assert.deepEqual(codes('CALL|t|{"a\\|b":«1»,"rows":[{"id":«"\\\\\\\\"»}]}'), [
      'aicf/argument-schema',
      'aicf/argument-schema',
    ]);
    assert.deepEqual(codes('CALL|t|{"a\\|b":"\\|\\|\\|",«"c\\|"»:1}'), ['aicf/argument-schema']);
    assert.deepEqual(codes('CALL|t|{"mode":"x\\|y","rows":[]}'), []);
  });

  it('says who said so, and what to do', () => {
    const [issue] = validateAicf(open('CALL|t|{"mode":"z"}'));
    assert.match(
      issue?.message ?? '',
      /^This is none of the values "x\|y", "say \\"hi\\"", "plain", as demo reported at \d\d:\d\d; write one of them \(error 422\)$/,
    );
  });

  it('is mended by fixes, written for the field', () => {
    const text = 'CALL|t|{"a\\|b":7,"mode":"z"}';
    const fixed = validateAicf(open(text))
      .flatMap(({ fixes = [] }) => fixes)
      .map(({ title, edits }) => [title, applyEdits(text, edits)]);
    assert.deepEqual(fixed, [
      ['Write "7"', 'CALL|t|{"a\\|b":"7","mode":"z"}'],
      ['Write "x|y"', 'CALL|t|{"a\\|b":7,"mode":"x\\|y"}'],
      ['Write "say \\"hi\\""', 'CALL|t|{"a\\|b":7,"mode":"say \\\\"hi\\\\""}'],
      ['Write "plain"', 'CALL|t|{"a\\|b":7,"mode":"plain"}'],
    ]);
    for (const [, mended = ''] of fixed) assert.equal(validateAicf(open(mended)).length, 1, mended);
  });

  it('that a raw pipe splits has that fault alone', () => {
    assert.deepEqual(codes('CALL|t|{"a«|»b":1}'), ['aicf/broken-json']);
  });

  it('is not held to a schema that is about something else', () => {
    // The field of a text is that text, and a field of any type may be one.
    assert.deepEqual(codes('CALL|t||{"x":1}|{"a":"b"}|{"a":"b"}'), []);
    assert.deepEqual(codes('CALL|t||{"x":1}|{"a":"b"}|«{»"a":"a text that is longer"}'), [
      'aicf/argument-schema',
    ]);
    assert.deepEqual(codes('CALL|t|||||«{»"a":1}'), ['aicf/argument-schema']);
    // The wrong type of the whole argument has its own rule.
    assert.deepEqual(codes('CALL|t|«[1]»'), ['aicf/argument-type']);
    assert.deepEqual(codes('CALL|t\nOK|{"x":1}'), []);
  });

  it('leaves out what a variable will say', () => {
    assert.deepEqual(codes('CALL|t|{"mode":"{{m}}","rows":[{"id":{{n}}}]}'), []);
  });

  it('is completed with the names of the schema, written for the field', () => {
    assert.deepEqual(proposals('CALL|t|{"$0'), [
      ['a|b', 'See <https://example.com>', '"a\\\\|b":"$1"'],
      ['mode', 'JSON', '"mode":$1'],
      ['rows', 'JSON', '"rows":[$1]'],
    ]);
    // Names of other calls are not proposed beside them.
    assert.deepEqual(
      proposals('CALL|t|{"other":1}\nCALL|t|{"a\\|b":"x","rows":[{"$0":1}]}').map(([label, , text]) => [
        label,
        text,
      ]),
      [['id', '"id"']],
    );
    assert.deepEqual(
      proposals('CALL|t|{"a\\|b":"x",$0 "mode":"plain"}').map(([label, , text]) => [label, text]),
      [['rows', '"rows":[$1],']],
    );
  });

  it('is completed from its first character on', () => {
    assert.deepEqual(
      proposals('CALL|t|||||{$0').map(([label, , text]) => [label, text]),
      [
        ['id', '"id":$1'],
        ['}', '}'],
      ],
    );
    // Without a schema a bracket may begin any text.
    assert.deepEqual(proposals('CALL|other|{$0'), []);
  });

  it('is completed with the values of the schema, written for the field', () => {
    assert.deepEqual(
      proposals('CALL|t|{"a\\|b":"x","mode":$0}').map(([, , text]) => text),
      ['"x\\u007cy"', '"say \\u0022hi\\u0022"', '"plain"'],
    );
    assert.deepEqual(
      proposals('CALL|t|{"mode":"pl$0"}').map(([, , text]) => text),
      ['"x\\u007cy"', '"say \\u0022hi\\u0022"', '"plain"'],
    );
  });

  it('has names of other calls where the schema has none', () => {
    assert.deepEqual(
      proposals('CALL|t||{"other":1}\nCALL|t||{"$0"}').map(([label, , text]) => [label, text]),
      [['other', '"other":$1']],
    );
    assert.deepEqual(
      proposals('CALL|t||{"other":$0}').map(([label]) => label),
      ['true', 'false', 'null'],
    );
  });

  it('shows the words of the schema beside the value, without Markdown', () => {
    const { text, offset } = readOffset('CALL|t|{"a\\|b":"$0x"}');
    assert.equal(
      hover(open(text), offset)?.markdown,
      '**$\\["a\\|b"\\]**: string, 1 character, 1 byte in UTF-8\n\nBoth \\*sides\\*\n\nSee &lt;https://example\\.com\\>',
    );
  });
});
