import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readSettings } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import type { Issue } from '../../../core/text/issue.ts';

const SETTINGS = readSettings(key => (key === 'aicl.profile' ? 'chat' : undefined));
const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]';

function validate(text: string, settings = SETTINGS): readonly Issue[] {
  return LANGUAGE_SUPPORT.aicl.open(text, settings).validate();
}

/** What each fix of a title that a pattern matches makes of a text. */
function fixAll(text: string, title: RegExp): readonly string[] {
  return validate(text)
    .flatMap(issue => issue.fixes ?? [])
    .filter(fix => title.test(fix.title))
    .map(fix => applyEdits(text, fix.edits));
}

describe('AICL fixes', () => {
  const escaped: readonly (readonly [string, readonly string[]])[] = [
    ['[d:[s:a]:[s:x]y]]', ['[d:[s:a]:[s:x\\u005Dy]]']],
    ['[d:[s:a]:[s:x] [y] z],[s:b]:[s:[q] r]]', ['[d:[s:a]:[s:x\\u005D [y\\u005D z],[s:b]:[s:[q\\u005D r]]']],
    ['[d:[s:a]:[s:list[0] is first],[s:b]:[i:1]]', ['[d:[s:a]:[s:list[0\\u005D is first],[s:b]:[i:1]]']],
    ['[d:[s:re]:[s:[a-z]+],[s:b]:[i:1]]', ['[d:[s:re]:[s:[a-z\\u005D+],[s:b]:[i:1]]']],
    // Nothing says that words behind a number were a part of it.
    ['[l:[i:1] one],[i:2]]', []],
  ];
  for (const [text, wanted] of escaped) {
    it(`escapes a bracket of ${text} where it was meant`, () => {
      assert.deepEqual(fixAll(text, /u005D/), wanted);
      for (const mended of wanted) assert.deepEqual(validate(mended), []);
    });
  }

  it('escapes a bracket of a text of any length before it removes what follows, where another mistake remains', () => {
    for (const length of [10, 1_020, 1_021, 1_022, 1_023, 1_024, 1_025, 200_000]) {
      const inner = 'x'.repeat(length);
      const text = `[d:[s:a]:[s:${inner}] y],[s:b][i:1],[s:c]:[i:one]]`;
      assert.deepEqual(fixAll(text, /u005D/), [text.replace('] y', '\\u005D y')], String(length));
    }
  });

  it('adds all fields that are missing at once, as the others stand, or one', () => {
    const text = `[d:${HEAD}:[s:task_request],\n  [s:deadline]:[s:noon]]`;
    assert.deepEqual(fixAll(text, /^Add/), [
      text.replace('noon]', 'noon],\n  [s:task]:[s:],\n  [s:constraints]:[d:]'),
      text.replace('noon]', 'noon],\n  [s:task]:[s:]'),
      text.replace('noon]', 'noon],\n  [s:task]:[s:],\n  [s:constraints]:[d:]'),
      text.replace('noon]', 'noon],\n  [s:constraints]:[d:]'),
    ]);
  });

  it('guesses the code of an error from its reason, and the reason from its code', () => {
    const error = `[d:${HEAD}:[s:error],`;
    assert.deepEqual(fixAll(`${error}[s:reason]:[s:TOOL_UNAVAILABLE]]`, /^Add/), [
      `${error}[s:reason]:[s:TOOL_UNAVAILABLE],[s:code]:[i:3001]]`,
    ]);
    assert.deepEqual(fixAll(`${error}[s:code]:[i:1001]]`, /^Add/), [
      `${error}[s:code]:[i:1001],[s:reason]:[s:INVALID_TENSOR]]`,
    ]);
  });

  it('wraps a value in a result, and pairs in the message that they are part of', () => {
    assert.deepEqual(fixAll('[l:[i:1]]', /Wrap/), [`[d:${HEAD}:[s:result],[s:data]:[l:[i:1]]]`].map(named));
    assert.deepEqual(fixAll('[s:tool]:[s:x],\n[s:params]:[d:],', /Wrap/), [
      named('[d:[s:protocol]:[s:LightAICL],\n[s:session_id]:[s:s1],\n[s:msg_type]:[s:tool_call],\n').concat(
        '[s:tool]:[s:x],\n[s:params]:[d:],]',
      ),
    ]);
    assert.deepEqual(fixAll('[s:query]:[s:x],[s:msg_type]:[s:data_query]', /Wrap/), [
      named(`[d:${HEAD}:[s:data_query],[s:query]:[s:x]]`),
    ]);
  });

  it('puts a header in order around large fields without writing those anew', () => {
    const text = `[d:[s:query]:[s:x],[s:msg_type]:[s:data_query],[s:note]:[s:y],[s:session_id]:[s:s1],[s:protocol]:[s:LightAICL]]`;
    const [fix] = validate(
      text,
      readSettings(() => undefined),
    ).flatMap(issue => issue.fixes ?? []);
    assert.equal(
      applyEdits(text, fix?.edits ?? []),
      `[d:${HEAD}:[s:data_query],[s:query]:[s:x],[s:note]:[s:y]]`,
    );
    assert.ok(fix?.edits.every(edit => !edit.newText.includes('note')));
  });
});

/** The session's name that a fix writes where none is known. */
function named(text: string): string {
  return text.replace('[s:s1]', '[s:session]');
}
