import { applyEdits } from '../../core/text/edit.ts';
import type { Issue } from '../../core/text/issue.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';

export const HEAD =
  '[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:note]';

/** The places of a text in a message. */
export const PLACES: Readonly<Record<string, (text: string) => string>> = {
  'a value': text => `[d:${HEAD},[s:params]:[d:[s:text]:[s:${text}],[s:n]:[i:1]]]`,
  'a value on a line of its own': text =>
    `[d:\n  ${HEAD},\n  [s:params]:[d:\n    [s:text]:[s:${text}],\n    [s:n]:[i:1]\n  ]\n]\n`,
  'the first of a list': text => `[d:${HEAD},[s:params]:[d:[s:list]:[l:[s:${text}],[s:x]]]]`,
  'the last value': text => `[d:${HEAD},[s:params]:[d:[s:list]:[l:[s:x],[s:${text}]]]]`,
  'the last value, on lines': text =>
    `[d:\n  ${HEAD},\n  [s:params]:[d:\n    [s:list]:[l:\n      [s:x],\n      [s:${text}]\n    ]\n  ]\n]\n`,
  'the last value of the message': text => `[d:${HEAD},[s:params]:[d:],[s:note]:[s:${text}]]`,
  'the session': text =>
    `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${text}],[s:msg_type]:[s:result],[s:data]:[i:1]]`,
  'two dictionaries of a list': text =>
    `[d:${HEAD},[s:params]:[d:[s:list]:[l:[d:[s:k]:[s:${text}]],[d:[s:k]:[s:${text}]]]]]`,
  'a message before another one on its line': text =>
    `[d:${HEAD},[s:params]:[d:[s:text]:[s:${text}]]][d:${HEAD},[s:params]:[d:]]`,
  'a value by itself': text => `[s:${text}]`,
  'a key': text => `[d:${HEAD},[s:params]:[d:[s:${text}]:[i:1],[s:n]:[i:1]]]`,
};

/** Texts as people and models write them, with brackets that should have been spelled. */
export const TEXTS: readonly string[] = [
  'see [1] there',
  'arr[0]',
  '[x]',
  'a[0][1]',
  '[INFO] started [main] in 3 s',
  'a [link](https://example.com) and [another][ref]',
  'if (a[i] > b[j]) { c[k] = []; }',
  '{"ids":[1,2],"tags":[["a"],[]]}',
  '- [ ] one\n- [x] two',
  '^[a-z]+$',
  'C:\\dir[1]\\file',
  'a[b[0]]',
  'f(x[y[0]])',
  '{"rows":[[1]],"n":1}',
  '[[1,2],[3,4]]',
];

/** The same with brackets that have no other to close. */
export const UNEVEN: readonly string[] = [
  'a] b',
  'the range (0,1] holds',
  ':-] fine',
  'a]] b',
  '[a]] b',
  'a], b',
  'a],[b',
  'see [a]][b] c',
];

/** The errors of a text. */
export function errorsOf(text: string): readonly Issue[] {
  return LANGUAGE_SUPPORT.aicl
    .open(text, DEFAULT_SETTINGS)
    .validate()
    .filter(({ severity }) => severity === 'error');
}

/** What each fix of an error makes of a text. */
export function mend(text: string, { fixes = [] }: Issue): readonly string[] {
  return fixes.map(({ edits }) => applyEdits(text, edits));
}
