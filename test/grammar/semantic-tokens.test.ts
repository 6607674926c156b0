import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { AICF_RULES } from '../../core/catalog/aicf-rules.ts';
import { AICF_COMMANDS } from '../../core/catalog/aicf.ts';
import { AICL_RULES } from '../../core/catalog/aicl-rules.ts';
import { TYPE_TAGS } from '../../core/catalog/aicl.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { RuleRow } from '../../core/catalog/rule-row.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { TOKEN_KINDS } from '../../core/catalog/token-kinds.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { loadGrammar, scopedPieces, type ScopedPiece } from './support/grammars.ts';

const RULES: readonly RuleRow[] = [...AICL_RULES, ...AICF_RULES];

/** Texts of a language: the samples, the catalog's examples, and what the rules call good. */
function textsOf(language: LanguageId): readonly string[] {
  const samples = readdirSync('samples', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(`.${language}`))
    .map(name => readFileSync(`samples/${name}`, 'utf8'));
  const rules = RULES.filter(row => row.code.startsWith(`${language}/`)).flatMap(row => row.good);
  const rows = language === 'aicl' ? TYPE_TAGS : AICF_COMMANDS;
  return [...samples, ...rules.map(text => text.replace(/[«»]/g, '')), ...rows.map(row => row.example)];
}

/**
 * Where a grammar cannot know what the whole message says: a tool in a field, a command of the future, JSON in an
 * argument. The grammar of JSON itself is not there in tests.
 */
const KNOWN_BETTER: Readonly<Record<string, RegExp>> = {
  function: /^string\.unquoted|^source\.aicf$/,
  keyword: /^source\.aicf$/,
  property: /^string\.unquoted\.(argument|data)/,
  number: /^string\.unquoted\.(argument|data)/,
  regexp: /^string\.unquoted\.(argument|data)/,
};

function disagreements(
  language: LanguageId,
  text: string,
  pieces: readonly ScopedPiece[],
): readonly string[] {
  const packed = LANGUAGE_SUPPORT[language]
    .open(text, DEFAULT_SETTINGS)
    .tokens({ start: 0, end: text.length });
  const found: string[] = [];
  for (let at = 0; at < packed.length; at += 3) {
    const [start = 0, end = 0] = packed.slice(at, at + 2);
    const row = TOKEN_KINDS[packed[at + 2] ?? -1];
    assert.ok(row);
    for (const piece of pieces) {
      if (piece.start >= end || piece.start + piece.text.length <= start) continue;
      const isSame = piece.scopes.some(scope => row.scopes.some(wanted => scope.startsWith(wanted)));
      const isBetter = KNOWN_BETTER[row.name]?.test(piece.scopes.at(-1) ?? '') === true;
      if (!isSame && !isBetter) found.push(`${row.name} ${text.slice(start, end)}: ${piece.scopes.at(-1)}`);
    }
  }
  return found;
}

describe('colours by meaning and by grammar', () => {
  for (const language of ['aicl', 'aicf'] as const) {
    it(`agree in ${language}`, async () => {
      const grammar = await loadGrammar(`source.${language}`);
      const texts = textsOf(language).filter(text => text.length < 50_000 && !text.includes('\r'));
      assert.ok(texts.length > 40);
      for (const text of texts)
        assert.deepEqual(disagreements(language, text, scopedPieces(grammar, text)), [], text);
    });
  }
});
