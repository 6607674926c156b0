import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { signature } from '../../../language/aicf/features/signature.ts';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { AICF_COMMANDS } from '../../../core/catalog/aicf.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { readOffset } from '../../support/cursor.ts';

const TOOL = 'TOOL|figma.getFile|Get *a* file|fileKey:string|depth:integer?\n';

/** The label with the active parameter in guillemets, and its documentation; the label alone where none is. */
function signatureAt(marked: string): string | readonly [string, string] | undefined {
  const { text, offset } = readOffset(marked);
  const found = signature(parseAicf(text, DEFAULT_SETTINGS), offset);
  const active = found?.parameters[found.active];
  if (!found || !active) return found?.label;
  const { span, documentation } = active;
  const { label } = found;
  return [
    `${label.slice(0, span.start)}«${label.slice(span.start, span.end)}»${label.slice(span.end)}`,
    documentation,
  ];
}

describe('AICF signatures', () => {
  const ARGUMENT = 'Optional. An argument: text, a number, JSON, or `a,b,c` for an array.';
  const cases: readonly (readonly [string, ReturnType<typeof signatureAt>])[] = [
    [
      `${TOOL}CALL|figma.$0getFile`,
      ['CALL|«figma.getFile»|fileKey:string|depth:integer?', 'The tool to call.'],
    ],
    [
      `${TOOL}CALL|figma.getFile|$0`,
      [
        'CALL|figma.getFile|«fileKey:string»|depth:integer?',
        '**string** (argument type)\n\nText. An empty field is the empty string.',
      ],
    ],
    [
      `${TOOL}CALL|figma.getFile|a\\|b|$01`,
      [
        'CALL|figma.getFile|fileKey:string|«depth:integer?»',
        'Optional. **integer** (argument type)\n\nA whole number in decimal digits. An empty field is absent.',
      ],
    ],
    [`${TOOL}CALL|figma.getFile|a|1|$0`, 'CALL|figma.getFile|fileKey:string|depth:integer?'],
    [`${TOOL}CALL|$0`, ['CALL|«tool»|argument…', 'The tool to call.']],
    ['CALL|unknown|a|$0', ['CALL|tool|«argument…»', ARGUMENT]],
    ['INFO|$0', ['INFO|«tool»', 'The tool to describe.']],
    ['INFO|t|$0', 'INFO|tool'],
    ['ERR|404|$0', ['ERR|code|«message»', 'Optional. What went wrong, up to the end of the line.']],
    [
      'TOOL|t|d|a|$0',
      [
        'TOOL|name|description|«argument…»',
        'Optional. The name and the type of an argument; `?` at the end marks it optional.',
      ],
    ],
    ['LIST|$0', undefined],
    ['PING|$0', undefined],
    ['CA$0LL|t', undefined],
    ['# $0', undefined],
    ['', undefined],
    ['@STATE\na|$0', undefined],
  ];
  for (const [marked, expected] of cases) {
    it(marked || 'an empty file', () => assert.deepEqual(signatureAt(marked || '$0'), expected));
  }

  it('every command with fields has one, with what it does', () => {
    for (const row of AICF_COMMANDS.filter(({ fields }) => fields.length > 0)) {
      const found = signature(parseAicf(`${row.name}|`, DEFAULT_SETTINGS), row.name.length + 1);
      assert.deepEqual([found?.documentation, found?.parameters.length], [row.summary, row.fields.length]);
    }
  });

  it('shows what a tool says about itself as text, and no tool of hundreds of arguments', () => {
    const found = signature(parseAicf(`${TOOL}CALL|figma.getFile|`, DEFAULT_SETTINGS), TOOL.length + 19);
    assert.equal(found?.documentation, 'Get \\*a\\* file');
    const many = `TOOL|t|d${'|a'.repeat(200)}\nCALL|t|`;
    assert.equal(signature(parseAicf(many, DEFAULT_SETTINGS), many.length)?.label, 'CALL|tool|argument…');
  });
});
