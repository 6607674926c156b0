import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ruleUrl } from '../../../core/catalog/rules.ts';
import {
  DEFAULT_SETTINGS,
  listWrongRules,
  readSettings,
  SETTABLE_RULES,
  type Settings,
} from '../../../core/catalog/settings.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';

function withRules(rules: unknown, more: Partial<Settings> = {}): Settings {
  return { ...readSettings(key => (key === 'rules' ? rules : undefined)), ...more };
}

function check(
  language: LanguageId,
  text: string,
  settings: Settings,
): readonly (readonly [string, string])[] {
  const document = LANGUAGE_SUPPORT[language].open(text, settings);
  return document.validate().map(({ code, severity }) => [code, severity]);
}

describe('severities of rules', () => {
  it('are those of the catalog without a setting', () => {
    assert.deepEqual(check('aicl', '[l:[i:1],]', DEFAULT_SETTINGS), [
      ['aicl/fragment', 'information'],
      ['aicl/trailing-comma', 'hint'],
    ]);
  });

  it('are set in both languages', () => {
    const settings = withRules({
      'aicl/trailing-comma': 'error',
      'aicf/wrong-case': 'hint',
      'aicl/fragment': 'off',
    });
    assert.deepEqual(check('aicl', '[l:[i:1],]', settings), [['aicl/trailing-comma', 'error']]);
    assert.deepEqual(check('aicf', 'call|a', settings), [['aicf/wrong-case', 'hint']]);
  });

  it('leave no trace of a rule that is off, also where there are more issues than are shown', () => {
    const settings = withRules({ 'aicl/fragment': 'off', 'aicf/wrong-case': 'off' }, { maxIssues: 2 });
    assert.deepEqual(check('aicl', '[l:[i:1],]\n'.repeat(2), settings), [
      ['aicl/trailing-comma', 'hint'],
      ['aicl/trailing-comma', 'hint'],
    ]);
    assert.deepEqual(check('aicf', 'list\n'.repeat(5), settings), []);
  });

  it('stay the same after an edit', () => {
    const settings = withRules({ 'aicl/fragment': 'off', 'aicf/wrong-case': 'hint' });
    const insert = (at: number, newText: string) => ({ span: { start: at, end: at }, newText });
    const aicl = LANGUAGE_SUPPORT.aicl.open('[i:1]\n', settings).edit(insert(6, '[i:2]\n'));
    assert.deepEqual(aicl.validate(), []);
    const aicf = LANGUAGE_SUPPORT.aicf.open('call|a\n', settings).edit(insert(7, 'list\n'));
    assert.deepEqual(
      aicf.validate().map(issue => issue.severity),
      ['hint', 'hint'],
    );
  });

  it('do not let a message through that can never be sent', () => {
    const text = '[d:[s:msg_type]:[s:result],[s:x]:[t:uint8:4:...]]';
    const [request] = LANGUAGE_SUPPORT.aicl.open(text, withRules({ 'aicl/elided-tensor': 'off' })).requests();
    assert.match(request?.refusal ?? '', /Data is left out/);
  });

  for (const value of [undefined, null, 'off', 3, [], ['off'], {}]) {
    it(`${JSON.stringify(value)} sets none`, () => assert.deepEqual(withRules(value), DEFAULT_SETTINGS));
  }

  it('name what they do not know', () => {
    const value = {
      'aicl/trailing-comma': 'off',
      'aicl/none': 'off',
      'aicf/prefix': 'loud',
      'parley/more-issues': 'off',
      __proto__: 'off',
      constructor: 'off',
    };
    assert.deepEqual(listWrongRules(value), [
      'aicl/none',
      'aicf/prefix',
      'parley/more-issues',
      'constructor',
    ]);
    assert.deepEqual([...withRules(value).rules], [['aicl/trailing-comma', 'off']]);
    assert.deepEqual(listWrongRules(undefined), []);
  });
});

describe('the documentation of a rule', () => {
  it('has an address of its own', () => {
    const urls = SETTABLE_RULES.map(row => ruleUrl(row.code));
    assert.equal(new Set(urls).size, urls.length);
    assert.equal(
      ruleUrl('aicl/missing-bracket'),
      'https://github.com/parley/parley/blob/HEAD/docs/reference/rules.md#aiclmissing-bracket',
    );
  });
});
