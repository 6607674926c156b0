import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { readOffset } from '../../support/cursor.ts';

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],';

/** The source of the text at `$0`, what it reads as, its name, and whether its message is signed. */
function textAt(marked: string): readonly unknown[] | undefined {
  const { text, offset } = readOffset(marked);
  const found = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS).textAt(offset);
  return found && [text.slice(found.span.start, found.span.end), found.text, found.name, found.isSigned];
}

describe('AICL, the text at a place', () => {
  const cases: readonly (readonly [string, readonly unknown[] | undefined])[] = [
    [`${HEAD}[s:data]:[s:$0a\\u005D\r\nb]]`, ['a\\u005D\r\nb', 'a]\nb', 'data', false]],
    [`${HEAD}[s:data]:[s:a$0],[s:signature]:[s:x]]`, ['a', 'a', 'data', true]],
    [`${HEAD}[s:data]:[l:[i:1],[s:$0]]]`, ['', '', 'data', false]],
    [`${HEAD}[s:da$0ta]:[s:a]]`, ['data', 'data', 'result', false]],
    // What the grammar does not accept is read as it is meant.
    [`${HEAD}[s:data]:[s:see [1] th$0ere]]`, ['see [1] there', 'see [1] there', 'data', false]],
    [`${HEAD}[s:data]:[s:see [1\\] th$0ere]]`, ['see [1\\] there', 'see [1] there', 'data', false]],
    [`${HEAD}[s:data]:[s:a$0b\n[d:]`, ['ab', 'ab', 'data', false]],
    ['[s:a$0b', ['ab', 'ab', '', false]],
    [`${HEAD}[s:data]:$0[s:a]]`, undefined],
    [`${HEAD}[s:data]:[s$0:a]]`, undefined],
    [`${HEAD}[s:data]:[s:a]$0]`, undefined],
    [`${HEAD}[s:data]:[i:$01]]`, undefined],
    ['# no$0te', undefined],
    ['x$0', undefined],
  ];
  for (const [marked, expected] of cases) it(marked, () => assert.deepEqual(textAt(marked), expected));

  it('is in no text of AICF', () =>
    assert.equal(LANGUAGE_SUPPORT.aicf.open('CALL|a|b', DEFAULT_SETTINGS).textAt(7), undefined));
});
