import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainOfSnippet } from '../../server/src/snippet.ts';

const CASES: readonly (readonly [string, string])[] = [
  ['CALL|${1:tool}|$0', 'CALL|tool|'],
  ['$1$0', ''],
  ['${1}', ''],
  ['${1|a,b,c|}', 'a'],
  ['${1:outer ${2:inner}}', 'outer inner'],
  ['costs \\$5 and \\}', 'costs $5 and }'],
  ['[s:task]:[s:${1:text}]', '[s:task]:[s:text]'],
  ['${1:a\\}b}', 'a}b'],
  ['plain', 'plain'],
];

describe('a snippet as plain text', () => {
  for (const [snippet, plain] of CASES) {
    it(snippet, () => assert.equal(plainOfSnippet(snippet), plain));
  }
});
