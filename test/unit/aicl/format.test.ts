import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS, type Settings } from '../../../core/catalog/settings.ts';
import type { FormatOptions } from '../../../language/format.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { readMarks } from '../../support/marks.ts';
import { sized } from '../../support/size.ts';

const TWO: FormatOptions = { tabSize: 2, insertSpaces: true };
const COMPACT: Settings = { ...DEFAULT_SETTINGS, 'aicl.format.style': 'compact' };

function open(text: string, settings = DEFAULT_SETTINGS): OpenDocument {
  return LANGUAGE_SUPPORT.aicl.open(text, settings);
}

function format(text: string, settings = DEFAULT_SETTINGS, options = TWO): string {
  return applyEdits(text, open(text, settings).format(options));
}

/** What a text becomes after a character was typed before `$0`. */
function typed(marked: string, character: string, options = TWO): string {
  const [before = '', after = ''] = marked.split('$0');
  const text = before + after;
  return applyEdits(text, open(text).formatTyped(before.length, character, options));
}

describe('AICL format: styles and indents', () => {
  const MESSAGE = '[d:[s:protocol]:[s:LightAICL] ,\n[s:params]:[d: [s:a]:[i:1],[s:b]:[l:[i:2], [i:3]] ] ]';

  it('gives each field a line', () => {
    const expected =
      '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:params]:[d:[s:a]:[i:1],[s:b]:[l:[i:2],[i:3]]]\n]\n';
    assert.equal(format(MESSAGE), expected);
  });

  it('gives each message a line in the compact style, with its data', () => {
    const data = '[t:uint8:200:' + '00000'.repeat(10) + '\n  ' + '00000'.repeat(40) + '\n]';
    const text = `# note\n${MESSAGE}\n\n\n${data}`;
    const expected =
      '# note\n[d:[s:protocol]:[s:LightAICL],[s:params]:[d:[s:a]:[i:1],[s:b]:[l:[i:2],[i:3]]]]\n\n' +
      `[t:uint8:200:${'00000'.repeat(50)}]\n`;
    assert.equal(format(text, COMPACT), expected);
    assert.equal(format(expected, COMPACT), expected);
  });

  it('keeps line ends in texts in the compact style', () => {
    assert.equal(format('[d:\n[s:a\nb]:\n[s:c\n] ]', COMPACT), '[d:[s:a\nb]:[s:c\n]]\n');
  });

  it('indents as the editor does, with tabs or so many spaces', () => {
    assert.equal(
      format('[d:[s:a]:[i:1]]', DEFAULT_SETTINGS, { tabSize: 8, insertSpaces: false }),
      '[d:\n\t[s:a]:[i:1]\n]\n',
    );
    assert.equal(
      format('[d:[s:a]:[i:1]]', DEFAULT_SETTINGS, { tabSize: 4, insertSpaces: true }),
      '[d:\n    [s:a]:[i:1]\n]\n',
    );
  });

  for (const tabSize of [0, -1, 1.5, NaN, Infinity, 1e9]) {
    it(`takes ${tabSize} for no width of an indent`, () => {
      const options = { tabSize, insertSpaces: true };
      assert.equal(format('[d:[s:a]:[i:1]]', DEFAULT_SETTINGS, options), '[d:\n  [s:a]:[i:1]\n]\n');
    });
  }

  it('keeps the line ends of the file', () => {
    assert.equal(
      format('[d:[s:a]:[i:1]]\r\n\r\n\r\n[i:1]\r\n'),
      '[d:\r\n  [s:a]:[i:1]\r\n]\r\n\r\n[i:1]\r\n',
    );
  });

  it('puts a list around long wrapped data on one line when the data fits there', () => {
    const once = format(`[l:[t:uint8:4:${' '.repeat(10)}\n${' '.repeat(120)}00000]]`);
    assert.equal(format(once), once);
  });
});

describe('AICL format: a large message', () => {
  it('has each of its values on a line', () => {
    const items = Array.from({ length: sized(150_000) }, () => '[i:1]');
    assert.equal(format(`[l:${items.join(', ')}]`), `[l:\n  ${items.join(',\n  ')}\n]\n`);
  });
});

describe('AICL format: a range', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['formats the messages that it touches', '[l: ]\n[l:«» ]\n[l: ]', '[l: ]\n[l:]\n[l: ]'],
    ['formats whole messages', '[l: «]\n[d:[s:a]:»[l: ]]\n[l: ]', '[l:]\n[d:\n  [s:a]:[l:]\n]\n[l: ]'],
    ['leaves the message that begins where it ends', '«[l: ]\n»[l: ]', '[l:]\n[l: ]'],
    ['closes gaps that lie in it', '[i:1]«\n\n\n\n[i:2]»\n\n\n\n[i:3]', '[i:1]\n\n[i:2]\n\n\n\n[i:3]'],
    [
      'leaves gaps that it does not cover',
      '[i:1]\n\n\n\n[i«:»2]\n\n\n\n[i:3]',
      '[i:1]\n\n\n\n[i:2]\n\n\n\n[i:3]',
    ],
    ['ends the file where it ends', '[i:1]\n\n«[i:2]\n\n»', '[i:1]\n\n[i:2]\n'],
    ['finds nothing in an empty file', '«»', ''],
    ['finds nothing between messages', '[l: ]\n«\n»\n[l: ]', '[l: ]\n\n\n[l: ]'],
  ];
  for (const [what, marked, expected] of cases) {
    it(what, () => {
      const { text, spans } = readMarks(marked);
      const [span] = spans;
      assert.ok(span);
      assert.equal(applyEdits(text, open(text).formatRange(span, TWO)), expected);
    });
  }
});

describe('AICL format: on type', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['a bracket after a blank', '[l:[i:1] ]$0', ']', '[l:[i:1]]'],
    [
      'a bracket on a line of its own',
      '[d:[s:a]:[l:\n    [i:1]\n ]$0]',
      ']',
      '[d:[s:a]:[l:\n    [i:1]\n  ]]',
    ],
    ['the last bracket of a message', '[d:\n  [s:a]:[i:1]\n  ]$0', ']', '[d:\n  [s:a]:[i:1]\n]'],
    ['a bracket of a text', '[d:[s:a]:[s:x ]$0]', ']', '[d:[s:a]:[s:x ]]'],
    ['a bracket behind a backslash in a text', '[l: [s:a \\]$0 b] ]', ']', '[l: [s:a \\u005D b] ]'],
    ['the same in a key, at the end', '[d:[s:a\\]$0]:[i:1]]', ']', '[d:[s:a\\u005D]:[i:1]]'],
    ['a bracket behind two backslashes', '[l: [s:a \\\\]$0 b] ]', ']', '[l: [s:a \\\\] b] ]'],
    ['a bracket that ends a text in a backslash', '[d:[s:a]:[s:C:\\]$0]', ']', '[d:[s:a]:[s:C:\\]]'],
    ['a bracket that was there', '[l:[s:C:\\]$0,[s:b]]', ',', '[l:[s:C:\\],[s:b]]'],
    ['a comma after a blank', '[l:[i:1] ,$0 [i:2] ]', ',', '[l:[i:1], [i:2] ]'],
    ['a comma that begins a line', '[l:[i:1]\n  ,$0[i:2]]', ',', '[l:[i:1]\n  ,[i:2]]'],
    ['a comma in a text', '[l:[s:a ,$0b] ]', ',', '[l:[s:a ,b] ]'],
    ['a comma in a shape', '[l:[t:uint8:0 ,$01:] ]', ',', '[l:[t:uint8:0 ,1:] ]'],
    ['Enter in a dictionary', '[d:[s:a]:[i:1], \n$0[s:b]:[i:2]]', '\n', '[d:[s:a]:[i:1],\n  [s:b]:[i:2]]'],
    ['Enter before a closing bracket', '[d:[s:a]:[l:[i:1]\n    $0]]', '\n', '[d:[s:a]:[l:[i:1]\n  ]]'],
    ['Enter between brackets', '[d:[s:a]:[l:\n$0\n]]', '\n', '[d:[s:a]:[l:\n    \n]]'],
    ['Enter in a text', '[d:[s:a]:[s:x \n$0y]]', '\n', '[d:[s:a]:[s:x \ny]]'],
    ['Enter in data', '[d:[s:a]:[t:uint8:4:00\n$0000]]', '\n', '[d:[s:a]:[t:uint8:4:00\n000]]'],
    ['Enter between messages', '[i:1] \n $0\n[i:2]', '\n', '[i:1] \n \n[i:2]'],
    ['Enter after a message', '[i:1] \n$0', '\n', '[i:1] \n'],
    ['a message that is not whole', '[d:[s:a]:[l:[i:1] ]$0', ']', '[d:[s:a]:[l:[i:1] ]'],
    ['a character that is not there', '[l:[i:1] ]$0', ',', '[l:[i:1] ]'],
    ['an empty file', '$0', '\n', ''],
  ];
  for (const [what, marked, character, expected] of cases) {
    it(what, () => assert.equal(typed(marked, character), expected));
  }

  it('indents as the editor does', () => {
    const text = '[d:[s:a]:[i:1],\n$0[s:b]:[i:2]]';
    assert.equal(typed(text, '\n', { tabSize: 8, insertSpaces: false }), '[d:[s:a]:[i:1],\n\t[s:b]:[i:2]]');
  });
});

describe('AICL requests', () => {
  it('are no more than are asked for', () => {
    const message = '[d:[s:msg_type]:[s:result]]';
    const document = open(`${message}\n# @agent a\n${message}\n[d:]\n${message}\n`);
    assert.deepEqual(
      [0, 1, 2, 3, 9].map(max => document.requests(max).length),
      [0, 1, 2, 3, 3],
    );
  });
});

describe('AICL rewrites', () => {
  const titles = (marked: string, most = 1000): readonly string[] => {
    const at = marked.indexOf('$0');
    const document = open(marked.replace('$0', ''));
    return document.rewrites({ start: at, end: at }, most).map(({ title }) => title);
  };
  const apply = (text: string, title: string, at: number): string => {
    const rewrite = open(text)
      .rewrites({ start: at, end: at }, 1000)
      .find(found => found.title === title);
    assert.ok(rewrite, title);
    return applyEdits(text, rewrite.edits);
  };

  it('offers the styles that a message does not have', () => {
    assert.deepEqual(titles('[d:$0[s:a]:[i:1]]'), ['Write the message indented']);
    assert.deepEqual(titles('[d:\n  [s:a]:$0[i:1]\n]'), ['Write the message on one line']);
    assert.deepEqual(titles('[d: [s:a]:$0[i:1]]'), [
      'Write the message indented',
      'Write the message on one line',
    ]);
    assert.deepEqual(titles('[l: $0[i:1]]'), ['Write the fragment on one line']);
  });

  it('offers nothing for what is long, broken, no message or not there', () => {
    assert.deepEqual(titles('[d:$0[s:a]:[i:1]]', 10), []);
    assert.deepEqual(titles('[d:$0 [s:a]:[i:1]'), []);
    assert.deepEqual(titles('# $0note'), []);
    assert.deepEqual(titles('$0'), []);
  });

  it('wraps and unwraps data', () => {
    const payload = '00000'.repeat(30);
    const line = `[l:[t:uint8:120:${payload}]]`;
    const wrapped = `[l:[t:uint8:120:\n    ${payload.slice(0, 120)}\n    ${payload.slice(120)}\n  ]]`;
    assert.equal(apply(line, 'Wrap the data', 20), wrapped);
    assert.equal(apply(wrapped, 'Write the data on one line', 20), line);
  });

  it('keeps what the message says', () => {
    const text = '[d: [s:a]:[s:x\n y]]';
    assert.equal(apply(text, 'Write the message on one line', 1), '[d:[s:a]:[s:x\n y]]');
    assert.equal(apply(text, 'Write the message indented', 1), '[d:\n  [s:a]:[s:x\n y]\n]');
  });
});
