import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { fixAll, obviousFix } from '../../../server/src/fix-all.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { sized } from '../../support/size.ts';

const ALL = { ...DEFAULT_SETTINGS, maxIssues: Number.MAX_SAFE_INTEGER };

function mend(language: LanguageId, text: string): { readonly text: string; readonly rounds: number } {
  let rounds = 0;
  const open = (source: string): OpenDocument => {
    rounds++;
    return LANGUAGE_SUPPORT[language].open(source, ALL);
  };
  return { text: applyEdits(text, fixAll(open, text)), rounds };
}

describe('all safe fixes', () => {
  it('mend a file of calls', () => {
    const text = 'call|a|1\n  LIST\nRequest: INFO|a\nCALL|a|C:\\new\n'.repeat(2);
    const { text: mended } = mend('aicf', text);
    assert.match(mended, /^(CALL\|a\|1\nLIST\nINFO\|a\n.*\n){2}$/);
  });

  it('mend what other fixes uncover, and leave what a person has to look at', () => {
    const text =
      '[d:[s:session_id]:[s:s1],[s:protocol]:[s:LightAICL_v1.0],[s:msg_type]:[s:result]，[s:data]:[l:[i:1],],]';
    const expected =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[l:[i:1]]]';
    assert.deepEqual(mend('aicl', text), { text: expected, rounds: 4 });
    assert.deepEqual(mend('aicl', 'foo [i:1]'), { text: 'foo [i:1]', rounds: 1 });
  });

  it('change nothing where nothing is wrong', () => {
    for (const text of ['', 'LIST\n']) assert.deepEqual(mend('aicf', text), { text, rounds: 1 });
  });

  it('mend more issues than a report lists', () => {
    const count = sized(3000, 1050);
    assert.equal(mend('aicf', 'list\n'.repeat(count)).text, 'LIST\n'.repeat(count));
  });

  it('take a fix that is safe and the only one of its kind', () => {
    const guess: Fix = { title: 'guess', safe: false, edits: [] };
    const safe: Fix = { title: 'safe', safe: true, edits: [] };
    const issue = { code: 'a', severity: 'error', span: { start: 0, end: 1 }, message: 'a' } as const;
    assert.equal(obviousFix({ ...issue, fixes: [guess, safe] }), safe);
    assert.equal(obviousFix({ ...issue, fixes: [safe, safe] }), undefined);
    assert.equal(obviousFix({ ...issue, fixes: [guess] }), undefined);
    assert.equal(obviousFix(issue), undefined);
  });
});
