import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IGrammar } from 'vscode-textmate';
import { AICF_COMMANDS, AICF_TYPES, CONTEXT_SECTIONS } from '../../core/catalog/aicf.ts';
import { HEADER_FIELDS, MESSAGE_TYPES } from '../../core/catalog/aicl.ts';
import { DTYPES } from '../../core/catalog/dtypes.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { loadGrammar, scopedPieces } from './support/grammars.ts';

describe('grammars', () => {
  let grammars: Readonly<Record<LanguageId, IGrammar>>;
  before(async () => {
    grammars = {
      aicl: await loadGrammar('source.aicl'),
      aicf: await loadGrammar('source.aicf'),
      'agent-json': await loadGrammar('source.agent-json'),
    };
  });

  /** Tokens of a text as `text scope`, the innermost scope without the language; blanks and plain text are left out. */
  function scopesOf(language: LanguageId, text: string): readonly string[] {
    return scopedPieces(grammars[language], text)
      .map(piece => [piece.text, (piece.scopes.at(-1) ?? '').replace(`.${language}`, '')] as const)
      .filter(([, scope]) => !scope.startsWith('source') && !scope.startsWith('meta.'))
      .map(([source, scope]) => `${source} ${scope}`);
  }

  /** The innermost scope of a piece of a text. */
  function scopeOf(language: LanguageId, text: string, piece: string): string | undefined {
    return scopesOf(language, text)
      .find(token => token.startsWith(`${piece} `))
      ?.slice(piece.length + 1);
  }

  const cases: readonly (readonly [LanguageId, string, readonly string[]])[] = [
    [
      'aicl',
      '[i:-42]',
      [
        '[ punctuation.definition.value.begin',
        'i keyword.operator.type',
        ': punctuation.separator.type',
        '-42 constant.numeric.integer',
        '] punctuation.definition.value.end',
      ],
    ],
    [
      'aicl',
      '[i:4.2]',
      [
        '[ punctuation.definition.value.begin',
        'i keyword.operator.type',
        ': punctuation.separator.type',
        '4.2 invalid.illegal.int',
        '] punctuation.definition.value.end',
      ],
    ],
    [
      'aicl',
      '[s:a\\u005Db\\\\u005D]',
      [
        '[ punctuation.definition.value.begin',
        's keyword.operator.type',
        ': punctuation.separator.type',
        'a string.unquoted',
        '\\u005D constant.character.escape',
        'b string.unquoted',
        '\\\\ constant.character.escape',
        'u005D string.unquoted',
        '] punctuation.definition.value.end',
      ],
    ],
    [
      'aicl',
      '# @agent coder',
      [
        '# punctuation.definition.comment',
        '  comment.line.number-sign',
        '@agent keyword.other.directive',
        '  comment.line.number-sign',
        'coder variable.other.directive',
      ].filter(token => !token.startsWith(' ')),
    ],
    [
      'aicf',
      'CALL|a.b|x\\|y|3|true',
      [
        'CALL keyword.control.request',
        '| punctuation.separator.field',
        'a.b entity.name.function.tool',
        '| punctuation.separator.field',
        'x string.unquoted.argument',
        '\\| constant.character.escape',
        'y string.unquoted.argument',
        '| punctuation.separator.field',
        '3 constant.numeric',
        '| punctuation.separator.field',
        'true constant.language',
      ],
    ],
    [
      'aicf',
      'Response: ERR|404|No tool',
      [
        'Response: comment.block.prefix',
        'ERR keyword.control.response.error',
        '| punctuation.separator.field',
        '404 constant.numeric.error-code',
        '| punctuation.separator.field',
        'No tool string.unquoted.error-message',
      ],
    ],
    [
      'aicf',
      'TOOLS|a|b',
      [
        'TOOLS keyword.control.response',
        '| punctuation.separator.field',
        'a entity.name.function.tool',
        '| punctuation.separator.field',
        'b entity.name.function.tool',
      ],
    ],
    [
      'aicf',
      'call|x',
      ['call invalid.illegal.command', '| punctuation.separator.field', 'x string.unquoted.argument'],
    ],
  ];
  for (const [language, text, expected] of cases) {
    it(`${language}: ${text}`, () => assert.deepEqual(scopesOf(language, text), expected));
  }

  it('colours the rows of a section, up to the next one or a message', () => {
    const text = '1|@STATE:a\n2|status=on|next_step=b\n# words\nc|d\n@NOTES\ncall|e\nResponse: OK|f\ng|h';
    assert.deepEqual(scopesOf('aicf', text), [
      '1 constant.numeric.line',
      '| punctuation.separator.field',
      '@ punctuation.definition.section',
      'STATE entity.name.section',
      ':a string.unquoted.section',
      '2 constant.numeric.line',
      '| punctuation.separator.field',
      'status variable.parameter.key',
      '= keyword.operator.assignment',
      '| punctuation.separator.field',
      'next_step variable.parameter.key',
      '= keyword.operator.assignment',
      '# punctuation.definition.comment',
      ' words comment.line.number-sign',
      '| punctuation.separator.field',
      '@ punctuation.definition.section',
      'NOTES entity.name.section',
      '| punctuation.separator.field',
      'Response: comment.block.prefix',
      'OK keyword.control.response',
      '| punctuation.separator.field',
      'f string.unquoted.data',
    ]);
  });

  it('colours a key with openings of values in it, and no text without a colon behind it', () => {
    const key = 'support.type.property-name.json';
    assert.equal(scopeOf('aicl', '[d:[s:a[s:b[0]:[i:1]]', 'a[s:b[0'), key);
    assert.equal(scopeOf('aicl', `[s:${'k'.repeat(5_000)}] ：[i:1]`, 'k'.repeat(5_000)), key);
    assert.equal(scopeOf('aicl', '[s:protocols]:[i:1]', 'protocols'), key);
    assert.equal(scopeOf('aicl', '[l:[s:protocol],[s:b]]', 'protocol'), 'string.unquoted');
    assert.equal(scopeOf('aicl', '[s:[s:[s:a\n]:[i:1]', '1'), 'constant.numeric.integer');
  });

  it('a text over several lines is one string, and what follows is read again', () => {
    assert.equal(scopeOf('aicl', '[s:one\ntwo],[b:true]', 'two'), 'string.unquoted');
    assert.equal(scopeOf('aicl', '[s:one\ntwo],[b:true]', 'true'), 'constant.language.boolean');
  });

  it('knows every message type, header field and data type of the catalog', () => {
    for (const { name } of MESSAGE_TYPES)
      assert.equal(scopeOf('aicl', `[s:msg_type]:[s:${name}]`, name), 'entity.name.type.message');
    for (const { key } of HEADER_FIELDS)
      assert.equal(scopeOf('aicl', `[s:${key}]:[s:x]`, key), 'support.type.property-name.json.header');
    for (const { name } of DTYPES)
      assert.equal(scopeOf('aicl', `[t:${name}:2:00]`, name), 'support.type.dtype');
    assert.equal(scopeOf('aicl', '[t:float31:2:00]', 'float31'), 'invalid.illegal.dtype');
    assert.equal(scopeOf('aicl', '[s:msg_type]:[s:nonsense]', 'nonsense'), 'string.unquoted');
    assert.equal(scopeOf('aicl', '[s:other]:[s:x]', 'other'), 'support.type.property-name.json');
  });

  it('knows every command, argument type and section of the catalog', () => {
    for (const row of AICF_COMMANDS) {
      const scope = row.direction === 'request' ? 'keyword.control.request' : /^keyword\.control\.response/;
      const found = scopeOf('aicf', row.example, row.name) ?? '';
      if (typeof scope === 'string') assert.equal(found, scope);
      else assert.match(found, scope);
    }
    for (const { name } of AICF_TYPES)
      assert.equal(scopeOf('aicf', `TOOL|t|d|a:${name}?`, name), 'support.type.argument');
    for (const { name } of CONTEXT_SECTIONS)
      assert.equal(scopeOf('aicf', `@${name}:1`, name), 'entity.name.section');
    assert.equal(scopeOf('aicf', 'TOOL|t|d|a:text', 'text'), 'invalid.illegal.argument-type');
  });
});
