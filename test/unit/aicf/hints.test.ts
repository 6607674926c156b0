import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openText, textWithHints } from '../../support/shown-text.ts';

const TOOL = 'TOOL|figma.getFile|Get a file|fileKey:string|depth:integer?|o\n';

const cases: readonly (readonly [string, string, string])[] = [
  ['arguments of a declared tool', 'CALL|figma.getFile|abc|2', 'CALL|figma.getFile|«fileKey:»abc|«depth:»2'],
  ['arguments that are empty', 'CALL|figma.getFile||', 'CALL|figma.getFile|«fileKey:»|«depth:»'],
  [
    'arguments past the last one, and a credential',
    'CALL|figma.getFile|a|1|x|y|AUTH:z',
    'CALL|figma.getFile|«fileKey:»a|«depth:»1|«o:»x|y|AUTH:z',
  ],
  ['a credential alone', 'CALL|figma.getFile|AUTH:z', ''],
  [
    'an argument that names itself',
    'CALL|figma.getFile|fileKey: abc|depth=2|o',
    'CALL|figma.getFile|fileKey: abc|depth=2|«o:»o',
  ],
  ['a call behind a prefix', ' Request: CALL|figma.getFile|a', ' Request: CALL|figma.getFile|«fileKey:»a'],
  ['a call that is not finished', 'CALL|figma.getFile|', 'CALL|figma.getFile|«fileKey:»'],
  ['a tool that is not declared', 'TOOLS|t\nCALL|t|x\nCALL|u|x', ''],
  ['other lines', 'INFO|figma.getFile|x\nOK|CALL|figma.getFile|x\n# CALL|figma.getFile|x', ''],
];

describe('AICF hints', () => {
  for (const [name, text, expected] of cases) {
    it(`for ${name}`, () =>
      assert.equal(textWithHints(openText('aicf', TOOL + text)), TOOL + (expected || text)));
  }

  it('say more under the pointer', () => {
    const doc = openText('aicf', `${TOOL}CALL|figma.getFile|a|1`);
    assert.deepEqual(doc.hints({ start: TOOL.length, end: doc.text.length }).at(-1), {
      offset: doc.text.length - 1,
      label: 'depth:',
      tooltip: 'depth: integer, optional, argument of figma.getFile',
      kind: 'parameter',
    });
  });

  it('stand in the range that was asked for, and are a thousand at most', () => {
    const call = 'CALL|figma.getFile|abc|2\n';
    const doc = openText('aicf', TOOL + call.repeat(3_000));
    const start = TOOL.length + call.length * 10;
    assert.deepEqual(
      doc.hints({ start, end: start + 20 }).map(hint => hint.offset - start),
      ['CALL|figma.getFile|'.length],
    );
    assert.equal(doc.hints({ start: 0, end: doc.text.length }).length, 1_000);
  });

  it('are none in a context file', () => {
    const text = '@NOTES\nTOOL|t|d|a\n';
    assert.equal(textWithHints(openText('aicf', `@NOTES\nx|y\n`)), '@NOTES\nx|y\n');
    assert.equal(textWithHints(openText('aicf', `${text}CALL|t|1`)), `${text}CALL|t|«a:»1`);
  });
});
