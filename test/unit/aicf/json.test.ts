import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OpenDocument, OutlineSymbol } from '../../../language/support.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { plainOfSnippet } from '../../../server/src/snippet.ts';
import { readOffset } from '../../support/cursor.ts';
import { readMarks } from '../../support/marks.ts';
import { openText } from '../../support/shown-text.ts';
import { itAtFullSize } from '../../support/size.ts';

function open(marked: string): { doc: OpenDocument; offset: number; text: string } {
  const { text, offset } = readOffset(marked);
  return { doc: openText('aicf', text), offset, text };
}

const OBJECT = 'TOOL|t|Test|o:object\n';

describe('AICF JSON: where it is wrong', () => {
  const reported: readonly (readonly [string, string, readonly string[]])[] = [
    [
      `${OBJECT}CALL|t|{"a\\|b":«}»`,
      "The argument is of type 'object' and is not JSON: a value is missing before '}'; write one (error 422)",
      [],
    ],
    [
      'CALL|t|{"a\\|b":1«,»}',
      "This looks like JSON and is not: nothing follows the ','; remove it",
      ['CALL|t|{"a\\|b":1}'],
    ],
    [
      'CALL|t|{"a\\|b":"c" «"d"»:2}',
      `This looks like JSON and is not: ',' is missing before '"d"'; write it`,
      ['CALL|t|{"a\\|b":"c", "d":2}'],
    ],
    [
      'CALL|t|{"a":[1,{"b":«2»',
      "This looks like JSON and is not: '{' is not closed; write '}'",
      ['CALL|t|{"a":[1,{"b":2}]}'],
    ],
    [
      'CALL|t|{"a":[1«}»',
      "This looks like JSON and is not: '[' is not closed at '}'; write ']'",
      ['CALL|t|{"a":[1]}'],
    ],
    [
      'CALL|t|{"a":«"b\\|c»',
      `This looks like JSON and is not: the text '"b|c' is not closed; write '"'`,
      ['CALL|t|{"a":"b\\|c"}'],
    ],
    [
      `${OBJECT}CALL|t|{«a»:1}`,
      "The argument is of type 'object' and is not JSON: 'a' is in the place of a key; write a key in double quotes (error 422)",
      [`${OBJECT}CALL|t|{"a":1}`],
    ],
    [
      'CALL|t|{"a":«True»}',
      "This looks like JSON and is not: 'True' is not a JSON value; write texts in double quotes",
      ['CALL|t|{"a":true}'],
    ],
    [
      'CALL|t|{"a":1}«}»',
      "This looks like JSON and is not: '}' follows the value; remove it",
      ['CALL|t|{"a":1}'],
    ],
    [
      'CALL|t|{"a":"x«\t»y"}',
      "This looks like JSON and is not: 'U+0009' is not escaped in a text; write it as an escape of JSON",
      ['CALL|t|{"a":"x\\\\ty"}'],
    ],
    [
      'CALL|t|{"a":"x«|»y"}',
      "This looks like JSON and is not: a raw '|' cuts it; write '\\|'",
      ['CALL|t|{"a":"x\\|y"}'],
    ],
    [
      'OK|{"a":[1,2«}»',
      "This begins like JSON and is read as text: '[' is not closed at '}'; write ']'",
      ['OK|{"a":[1,2]}'],
    ],
    [
      'OK|{"a":1,«"a"»:2}',
      `The object has a key 'a' already, whose value is lost; remove one of the two`,
      ['OK|{"a":2}'],
    ],
    [
      'OK|{"id":«12345678901234567891»}',
      "Most readers take '12345678901234567891' for 12345678901234567168; write it as a text to keep its digits",
      ['OK|{"id":"12345678901234567891"}'],
    ],
  ];
  for (const [marked, message, mended] of reported) {
    it(marked, () => {
      const { text, spans } = readMarks(marked);
      const issues = openText('aicf', text).validate();
      assert.deepEqual(
        issues.map(issue => [issue.span, issue.message]),
        [[spans[0], message]],
      );
      assert.deepEqual(
        (issues[0]?.fixes ?? []).map(fix => applyEdits(text, fix.edits)),
        mended,
      );
    });
  }

  it('names the bracket that stays open, and the value that is lost', () => {
    const related = (text: string): Issue['related'] => openText('aicf', text).validate()[0]?.related;
    assert.deepEqual(
      [related('LIST\nOK|{"\\|":[1'), related('OK|{"a":1,"a":2}')],
      [
        [{ span: { start: 14, end: 15 }, message: 'The bracket that stays open' }],
        [{ span: { start: 4, end: 7 }, message: 'The value that is lost' }],
      ],
    );
  });

  it('is reported for so many members of a line, and for no JSON that is longer than the limit', () => {
    const many = `OK|{${'"a":1,'.repeat(100)}"a":1}`;
    const long = `OK|{"a":1,"a":2,"b":"${'x'.repeat(1 << 17)}"}`;
    assert.deepEqual(
      [many, long].map(text => openText('aicf', text).validate().length),
      [20, 0],
    );
  });
});

describe('AICF JSON: hover', () => {
  const hoverAt = (marked: string): readonly [string, string] | undefined => {
    const { doc, offset, text } = open(marked);
    const found = doc.hover(offset);
    return found && [text.slice(found.span.start, found.span.end), found.markdown];
  };
  const cases: readonly (readonly [string, readonly [string, string]])[] = [
    ['CALL|t|{"a":$01}', ['1', '**$\\.a**: number']],
    ['CALL|t|{"a":tr$0ue}', ['true', '**$\\.a**: boolean']],
    ['CALL|t|{"a":nu$0ll}', ['null', '**$\\.a**: null']],
    [
      'CALL|t|{"a":{"b\\|c":[1,"$0x"]}}',
      ['"x"', '**$\\.a\\["b\\|c"\\]\\[1\\]**: string, 1 character, 1 byte in UTF-8'],
    ],
    [
      'CALL|t|{"a":"b$0\\|\\\\nc"}',
      [
        '"b\\|\\\\nc"',
        '**$\\.a**: string, 4 characters, 4 bytes in UTF-8\n\nWithout its escapes it reads:\n\n```text\nb|\nc\n```',
      ],
    ],
    [
      'OK|{"i$0d":12345678901234567891}',
      [
        '"id"',
        '**$\\.id**: number\n\nReaders that hold numbers as doubles, as most do, read 12345678901234567168.',
      ],
    ],
    [
      'OK|{"a":[1,$0{"b":2}]}',
      ['{"b":2}', '**$\\.a\\[1\\]**: object of 1 member\n\n```json\n{\n  "b": 2\n}\n```'],
    ],
    [
      `${OBJECT}CALL|t|$0{"a":1}`,
      [
        '{"a":1}',
        '**o**: object\n\nArgument 1 of t. A JSON object, such as `{"key":"value"}`. An empty field is absent.\n\nJSON object of 1 member, 7 characters, 7 bytes in UTF-8.\n\n```json\n{\n  "a": 1\n}\n```',
      ],
    ],
    ['CALL|t|{"a":[1,$02', ['2', '**$\\.a\\[1\\]**: number']],
    ['CALL|t|{"a$0":', ['"a"', '**$\\.a**: no value yet']],
    // A raw `|` cuts the field: its JSON goes on behind it.
    ['CALL|t|{"a":"x|y","b":$01}', ['1', '**$\\.b**: number']],
  ];
  for (const [marked, expected] of cases) {
    it(marked, () => assert.deepEqual(hoverAt(marked), expected));
  }

  it('prints so much of a large object, and says so', () => {
    const [, markdown = ''] = hoverAt(`OK|$0[${'1000,'.repeat(1_000)}0]`) ?? [];
    assert.ok(markdown.endsWith('…\n```\n\nThe first 2,000 characters.'), markdown.slice(-80));
    assert.ok(markdown.length < 2_300);
  });
});

describe('AICF JSON: completion', () => {
  const accept = (marked: string): readonly (readonly [string, string])[] => {
    const { doc, offset, text } = open(marked);
    return doc
      .complete(offset)
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ label, span, newText, isSnippet }) => [
        label,
        applyEdits(text, [{ span, newText: isSnippet ? plainOfSnippet(newText) : newText }])
          .split('\n')
          .at(-1) ?? '',
      ]);
  };
  const CALLS = 'CALL|t|{"name":"x","at":{"x":1},"l":[{"k\\|1":true}]}\nCALL|u|{"other":1}\n';
  const cases: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
    [
      'names of the same tool’s calls',
      `${CALLS}CALL|t|{$0}`,
      [
        ['name', 'CALL|t|{"name":""}'],
        ['at', 'CALL|t|{"at":{}}'],
        ['l', 'CALL|t|{"l":[]}'],
      ],
    ],
    [
      'names that are not there yet, in the place of a string',
      `${CALLS}CALL|t|{"l":1,"a$0":2,"at":3}`,
      [['name', 'CALL|t|{"l":1,"name":2,"at":3}']],
    ],
    [
      'names deeper down, with their escapes',
      `${CALLS}CALL|t|{"l":[{"$0`,
      [['k|1', 'CALL|t|{"l":[{"k\\|1":']],
    ],
    ['names before a member', `${CALLS}CALL|t|{"at":{$0"y":2}}`, [['x', 'CALL|t|{"at":{"x":,"y":2}}']]],
    [
      'names of replies to the same tool',
      'CALL|t\nOK|{"id":1}\nCALL|u\nOK|{"no":1}\nCALL|t\nOK|{"$0"}',
      [['id', 'OK|{"id":}']],
    ],
    [
      'names in JSON that is read as it stands',
      'OK|{"a|b":"c\\nd"}\nOK|{"x":"\\n",$0}',
      [['a|b', 'OK|{"x":"\\n","a\\|b":""}']],
    ],
    [
      'words',
      'CALL|t|{"a":$0}',
      [
        ['true', 'CALL|t|{"a":true}'],
        ['false', 'CALL|t|{"a":false}'],
        ['null', 'CALL|t|{"a":null}'],
      ],
    ],
    ['no words in a text', 'CALL|t|{"a":"$0"}', []],
    ['no words before a value', 'CALL|t|{"a":$01}', []],
    ['what closes', 'CALL|t|{"a":[1,{"b":"c$0', [['"}]}', 'CALL|t|{"a":[1,{"b":"c"}]}']]],
    ['nothing behind the value', 'CALL|t|{"a":1}$0', []],
    ['nothing in a text that is no JSON', 'CALL|t|{a$0', []],
  ];
  for (const [name, marked, expected] of cases) it(name, () => assert.deepEqual(accept(marked), expected));

  it('is asked for by a quotation mark in JSON, and nowhere else', () => {
    const typed = (marked: string): number => {
      const { doc, offset } = open(marked);
      return doc.complete(offset, { typed: '"' }).length;
    };
    assert.deepEqual(['LIST\n"$0', 'CALL|"$0', `${CALLS}CALL|t|{"$0"}`].map(typed), [0, 0, 3]);
  });
});

describe('AICF JSON: selection, outline, layouts', () => {
  it('a selection grows through the values', () => {
    const { doc, offset, text } = open('CALL|t|{"a\\|b":["x y$0",1],"c":2}\nLIST');
    assert.deepEqual(
      doc.selectionPath(offset).map(({ start, end }) => text.slice(start, end)),
      [
        'y',
        'x y',
        '"x y"',
        '"x y",1',
        '["x y",1]',
        '"a\\|b":["x y",1]',
        '"a\\|b":["x y",1],"c":2',
        '{"a\\|b":["x y",1],"c":2}',
        'CALL|t|{"a\\|b":["x y",1],"c":2}',
        'CALL|t|{"a\\|b":["x y",1],"c":2}\nLIST',
      ],
    );
  });

  it('the outline lists the members of a result', () => {
    const text = 'CALL|t|{"x":1}\nOK|{"a\\|b":[1,2],"c":{"d":1}}\nOK|[{"e":1}]';
    const show = ({ name, detail, span, children }: OutlineSymbol): unknown => [
      name,
      detail,
      text.slice(span.start, span.end),
      children.map(show),
    ];
    const [call] = openText('aicf', text).symbols();
    assert.deepEqual(call?.children.flatMap(child => child.children).map(show), [
      ['a|b', '[1,2]', '"a\\|b":[1,2]', []],
      ['c', '{"d":1}', '"c":{"d":1}', []],
    ]);
  });

  /** What the outline of so many results lists, each of which has many members. */
  function outlineOf(results: number): readonly OutlineSymbol[] {
    const members = Array.from({ length: 99 }, (_, index) => `"k${index}":1`).join(',');
    return openText('aicf', `OK|{${members}}\n`.repeat(results)).symbols();
  }

  it('the outline of a few results lists them all, whatever they hold', () => {
    assert.deepEqual(
      outlineOf(10).map(({ children }) => children.length),
      new Array<number>(10).fill(99),
    );
  });

  itAtFullSize('the outline of many results ends, whatever they hold', () => {
    const list = outlineOf(200);
    assert.equal(list.length, 101);
    assert.equal(list.at(-1)?.name, '101 more lines are not listed');
  });

  it('a person can ask for another layout, and formatting leaves JSON alone', () => {
    const { doc, offset, text } = open('CALL|t|{"a\\|b" : [1.0,\\n"x"],$0"c":{}}|y\n');
    assert.deepEqual(
      doc
        .rewrites({ start: offset, end: offset }, 1_000)
        .map(({ title, edits }) => [title, applyEdits(text, edits)]),
      [
        ['Minify this JSON', 'CALL|t|{"a\\|b":[1.0,"x"],"c":{}}|y\n'],
        ['Space out this JSON', 'CALL|t|{"a\\|b": [1.0, "x"], "c": {}}|y\n'],
      ],
    );
    assert.deepEqual([...doc.format()], []);
    const none = ['CALL|t|{"a":1$0,', 'CALL|t|x$0', '# {"a": 1}$0', 'CALL|t|{"a":1}|b$0'].map(marked => {
      const { doc: other, offset: at } = open(marked);
      return other.rewrites({ start: at, end: at }, 1_000).length;
    });
    assert.deepEqual(none, [0, 0, 0, 0]);
    assert.deepEqual(doc.rewrites({ start: offset, end: offset }, 10), []);
  });
});
