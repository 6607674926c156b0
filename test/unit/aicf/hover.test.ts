import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hover } from '../../../language/aicf/features/hover.ts';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { AICF_COMMANDS, AICF_ERROR_CODES, AICF_TYPES } from '../../../core/catalog/aicf.ts';
import { describeArgumentType, describeCommand, describeErrorCode } from '../../../core/catalog/describe.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { describeArgument, type ArgumentDeclaration } from '../../../language/tools.ts';
import { readOffset } from '../../support/cursor.ts';

/** What the hover covers, and what it says. */
function hoverAt(marked: string): readonly [string, string] | undefined {
  const { text, offset } = readOffset(marked);
  const found = hover(parseAicf(text, DEFAULT_SETTINGS), offset);
  return found && [text.slice(found.span.start, found.span.end), found.markdown];
}

const TOOL = 'TOOL|figma.getFile|Get *a* file|fileKey:string|depth:integer?\n';

describe('AICF hover', () => {
  it('explains every command, error code and argument type', () => {
    for (const row of AICF_COMMANDS)
      assert.deepEqual(hoverAt(`$0${row.example}`), [row.name, describeCommand(row)]);
    for (const row of AICF_ERROR_CODES)
      assert.deepEqual(hoverAt(`ERR|$0${row.code}|x`), [String(row.code), describeErrorCode(row)]);
    for (const row of AICF_TYPES)
      assert.deepEqual(hoverAt(`TOOL|t|d|a:${row.name}$0?`), [row.name, describeArgumentType(row)]);
  });

  it('has no link of what a tool says of its arguments', () => {
    const span = { start: 0, end: 0 };
    const argument: ArgumentDeclaration = {
      name: '[a](http://b)',
      type: 'string',
      isOptional: true,
      typeSpan: undefined,
      span,
      description: '<a href=e>f</a>',
    };
    assert.equal(
      describeArgument(argument),
      '**\\[a\\]\\(http://b\\)**: string, optional\n\n&lt;a href=e\\>f&lt;/a\\>',
    );
  });

  it('an error code has the columns of the other protocols for all that it may mean', () => {
    assert.equal(
      hoverAt('ERR|$0422|x')?.[1],
      [
        '**422 Invalid Arguments**',
        'An argument is missing, is too many or has the wrong type.',
        [
          '| meaning | AICL | AICF | AIO, MCP, A2A | AIP JSON-RPC | HTTP |',
          '| --- | --- | --- | --- | --- | --- |',
          '| invalid tensor | 1001 | 422 | -32602 | -32602 | 422 |',
          '| missing or wrong argument | 2001 | 422 | -32602 | -32602 | 422 |',
        ].join('\n'),
      ].join('\n\n'),
    );
  });

  const cases: readonly (readonly [string, ReturnType<typeof hoverAt>])[] = [
    [
      `${TOOL}CALL|figma.$0getFile|x`,
      ['figma.getFile', '```ts\nfigma.getFile (fileKey: string, depth?: integer)\n```\n\nGet \\*a\\* file'],
    ],
    [
      'TOOLS|a_b\nINFO|a$0_b',
      ['a_b', '**a\\_b** (tool)\n\nThe file lists it and does not declare its arguments.'],
    ],
    [
      `${TOOL}CALL|figma.getFile|x|$02`,
      [
        '2',
        '**depth**: integer, optional\n\nArgument 2 of figma\\.getFile. A whole number in decimal digits. An empty field is absent.\n\nText, 1 character, 1 byte in UTF-8.',
      ],
    ],
    ['CALL|t|é$0', ['é', 'Text, 1 character, 2 bytes in UTF-8.']],
    [
      'CALL|t|a\\|$0b',
      ['a\\|b', 'Text, 3 characters, 3 bytes in UTF-8. Without its escapes it reads:\n\n```text\na|b\n```'],
    ],
    ['CALL|t|{"a":$01}', ['1', '**$\\.a**: number']],
    ['CALL|t|{$0name}', ['{name}', 'Text, 6 characters, 6 bytes in UTF-8.']],
    [
      'OK|da$0ta',
      [
        'data',
        '**data**: The result: JSON or text, up to the end of the line.\n\nText, 4 characters, 4 bytes in UTF-8.',
      ],
    ],
    ['TOOL|t|d$0o', ['do', '**description**: What the tool does.\n\nText, 2 characters, 2 bytes in UTF-8.']],
    ['TOOL|t|d|na$0me:string?', ['name', '**name**: string, optional']],
    ['TOOL|t|d|na$0me', ['name', '**name**: any']],
    [
      '# @tim$0eout 3',
      ['@timeout', '**# @timeout SECONDS** (directive)\n\nHow long the request below may take.'],
    ],
    [
      '@DEC$0ISIONS:x\na=b',
      ['@DECISIONS', '**@DECISIONS** (known section of AI Context Format)\n\nWhat was decided, and why.'],
    ],
    [
      '1|@MY_$0OWN\n2|a=b',
      [
        '@MY_OWN',
        '**@MY\\_OWN** is not among the known sections of AI Context Format. Files may add their own.',
      ],
    ],
    ['@MY\nx\n@MY_$0END', ['@MY_END', '**@MY\\_END** ends the section @MY.']],
  ];
  for (const [marked, expected] of cases) it(marked, () => assert.deepEqual(hoverAt(marked), expected));

  it('says nothing elsewhere', () => {
    const places = [
      '$0',
      '# n$0ote',
      'CALL|$0unknown',
      'CALL|t|$0',
      'PI$0NG|x',
      'PING|$0x',
      'ERR|4$018|x',
      'te$0xt',
      '@DECISIONS\na=$0b',
    ];
    for (const text of places) assert.equal(hoverAt(text), undefined, text);
  });

  it('reads one line of a large file', () => {
    const work = { count: 0 };
    const doc = parseAicf('CALL|t|abc\n'.repeat(100_000), DEFAULT_SETTINGS, work);
    hover(doc, 550_008);
    const before = work.count;
    assert.ok(hover(doc, 550_008));
    assert.ok(work.count - before < 100, `${work.count - before}`);
  });
});
