import { readFileSync } from 'node:fs';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar, type IRawGrammar } from 'vscode-textmate';
import { LANGUAGES } from '../../../core/catalog/languages.ts';

/** A piece of a text with its scopes, the innermost last. */
export interface ScopedPiece {
  /** Where it starts in the whole text. */
  readonly start: number;
  readonly text: string;
  readonly scopes: readonly string[];
}

/** The grammars as the extension ships them, and others by scope, read by the engine that VS Code uses. */
export async function loadGrammar(
  scope: string,
  others: ReadonlyMap<string, IRawGrammar> = new Map(),
): Promise<IGrammar> {
  await oniguruma.loadWASM(readFileSync('node_modules/vscode-oniguruma/release/onig.wasm'));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: wanted => {
      const row = LANGUAGES.find(candidate => candidate.scope === wanted);
      return Promise.resolve(row ? readGrammar(row.id) : others.get(wanted));
    },
    getInjections: () => [...others].flatMap(([name, raw]) => (raw.injectionSelector ? [name] : [])),
  });
  const grammar = await registry.loadGrammar(scope);
  if (!grammar) throw new Error(`no grammar for ${scope}`);
  return grammar;
}

/** A generated grammar by the name of its file. */
export function readGrammar(name: string): IRawGrammar {
  return JSON.parse(readFileSync(`syntaxes/${name}.tmLanguage.json`, 'utf8')) as IRawGrammar;
}

/** All pieces of a text; blanks are left out. */
export function scopedPieces(grammar: IGrammar, text: string): readonly ScopedPiece[] {
  const found: ScopedPiece[] = [];
  let state: Parameters<IGrammar['tokenizeLine']>[1] = null;
  let start = 0;
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const piece = line.slice(startIndex, endIndex);
      if (piece.trim() !== '') found.push({ start: start + startIndex, text: piece, scopes });
    }
    start += line.length + 1;
  }
  return found;
}
