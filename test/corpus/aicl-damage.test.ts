import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { MESSAGE_TYPES } from '../../core/catalog/aicl.ts';
import { DTYPES } from '../../core/catalog/dtypes.ts';
import type { RuleCode } from '../../core/catalog/rules.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import type { OpenDocument } from '../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Span } from '../../core/text/span.ts';
import { findMisfitEnd, listAiclTokens } from './support/aicl-tokens.ts';
import {
  DamageTable,
  describeDamage,
  listDamages,
  listNewIssues,
  listSamples,
  moveSymbol,
  type Damage,
} from './support/damage.ts';
import { sized } from '../support/size.ts';

const open = (text: string): OpenDocument => LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
const SAMPLES = listSamples('aicl');
/** The gate tries a part of the damages. */
const EVERY = sized(1, 61);
const LINE_ENDS = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
] as const;

/** What a message as a whole lacks is said at its head, its type or its stream id, wherever the field stood. */
const OF_THE_MESSAGE: ReadonlySet<RuleCode> = new Set([
  'aicl/header-missing',
  'aicl/header-order',
  'aicl/missing-field',
  'aicl/chunk-final',
]);

/**
 * True for an issue where the damage is or right after it: it reaches behind the token before the damage and begins
 * before the token after it ends. Where the text up to there can still become a message, it begins before the first
 * token ends that cannot follow, at most before the damaged message ends.
 */
function isAtDamage(issue: Issue<RuleCode>, damage: Damage, message: Span): boolean {
  const end = message.end + damage.moveBy;
  if (OF_THE_MESSAGE.has(issue.code)) return issue.span.start >= message.start && issue.span.end <= end;
  // A text that takes in what follows it is reported at the bracket that ended it, before the damage.
  const between = damage.text.slice(issue.span.start, damage.place.start);
  if (issue.code === 'aicl/bracket-in-text' && /^\][\],\s]*$/.test(between)) return true;
  const latest = Math.max(damage.place.end, Math.min(findMisfitEnd(damage.text, message.start), end));
  return issue.span.end >= damage.place.start && issue.span.start <= latest;
}

describe('AICL with one token damaged', function () {
  const table = new DamageTable();
  after(() => console.log(table.print()));

  for (const { name, text: source } of SAMPLES) {
    for (const [lineEndName, lineEnd] of LINE_ENDS) {
      it(`${name}, ${lineEndName}: at most two diagnostics (hints apart), the first at the damage, or where it first can be known; the other messages keep their outline`, () => {
        checkFile(source.replaceAll('\n', lineEnd), table);
      });
    }
  }
});

function checkFile(text: string, table: DamageTable): void {
  let place = 0;
  const whole = open(text);
  const known = whole.validate();
  const outline = whole.symbols();
  for (const [index, { span }] of outline.entries()) {
    const above = outline.slice(0, index);
    const below = outline.slice(index + 1);
    const tokens = listAiclTokens(text).filter(token => token.start >= span.start && token.end <= span.end);
    for (const damage of listDamages(text, tokens)) {
      if (place++ % EVERY !== 0) continue;
      const damaged = open(damage.text);
      const issues = listNewIssues(known, damaged.validate());
      const [first] = issues;
      table.count(damage, issues.length);
      // Where the start of a dictionary is gone, each of its keys that the one around it has as well is an issue.
      const counted = issues.filter(({ code }) => code !== 'aicl/duplicate-key');
      assert.ok(counted.length <= 2, describeDamage(damage, issues));
      assert.ok(!first || isAtDamage(first, damage, span), describeDamage(damage, issues));
      const symbols = damaged.symbols();
      const stored = [...symbols.slice(0, above.length), ...symbols.slice(symbols.length - below.length)];
      const expected = [...above, ...below.map(symbol => moveSymbol(symbol, damage.moveBy))];
      assert.ok(symbols.length > stored.length, `${describeDamage(damage, issues)}: the message is lost`);
      assert.deepEqual(stored, expected, describeDamage(damage, issues));
    }
  }
}

describe('the AICL samples', () => {
  const all = SAMPLES.map(({ text }) => text).join('\n');

  it('are at least 60 messages that nothing is said of', () => {
    const messages = SAMPLES.flatMap(({ text }) => open(text).symbols());
    assert.ok(messages.length >= 60, `${messages.length} messages`);
    for (const { name, text } of SAMPLES) assert.deepEqual(open(text).validate(), [], name);
  });

  it('hold every message type, value kind and data type, values six levels below a message, payloads over lines', () => {
    for (const { name } of MESSAGE_TYPES) assert.match(all, new RegExp(`\\[s:msg_type\\]:\\[s:${name}\\]`));
    for (const letter of 'sifbldt') assert.match(all, new RegExp(`\\[s:data\\]:\\[${letter}:`));
    for (const { name } of DTYPES) assert.match(all, new RegExp(`\\[t:${name}:`));
    assert.ok(Math.max(...SAMPLES.map(({ text }) => depthOf(text))) > 6);
    assert.match(all, /\[t:\w+:[\d,]*:\n\s*\S+\n/);
    assert.match(all, /^ +# /m);
  });

  it('are tokens, white space and container lines, and nothing else', () => {
    for (const { name, text } of SAMPLES) {
      let end = 0;
      let between = '';
      for (const token of listAiclTokens(text)) {
        between += text.slice(end, token.start);
        end = token.end;
      }
      assert.equal(`${between}${text.slice(end)}`.replace(/^[ \t]*#.*$/gm, '').trim(), '', name);
    }
  });
});

/** How deep values nest, the message's own dictionary counted. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const { name } of listAiclTokens(text)) {
    if (name.startsWith('[')) depth++;
    if (name === ']') depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

describe('the place where a fault can be known', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['[d:[s:a]:[i:1]]', ''],
    ['[d:[s:a]:[i:1]]]', ''],
    ['[d:[s:a][i:1]]', '1]]'],
    ['[d:[i:1]]', '1]]'],
    ['[d:[s:a]:[l:[i:1],,[i:2]]]', '[i:2]]]'],
    ['[d:[s:a]:[l:[i:1]],[i:2]]', '2]]'],
    ['[d:[s:a\\]b]:]', ''],
    ['[d:[s:a]:[i:1]', ''],
    ['[d:[s:a]:[i:1]] [d:]', ' [d:]'],
    ['[d:[s:a]: note', 'ote'],
  ];
  for (const [text, rest] of texts) {
    it(`${text} is clear before ${rest === '' ? 'its end' : rest}`, () => {
      assert.equal(text.slice(findMisfitEnd(text, 0)), rest);
    });
  }
});
