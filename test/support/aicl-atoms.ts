import { parseAicl } from '../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { cutTokens } from './aicl-tokens.ts';

/** Everything but the space between tokens, of what the grammar accepts; a payload without its wrapping. */
export function listAtoms(text: string): readonly string[] {
  const doc = parseAicl(text, DEFAULT_SETTINGS, () => []);
  return [...doc.units].map(unit => {
    const source = text.slice(unit.start, unit.end);
    if (!unit.isAccepted || unit.kind === 'container') return source.trimEnd();
    const { tokens } = cutTokens(source);
    return tokens
      .map(token => source.slice(token.startOffset, (token.endOffset ?? 0) + 1))
      .map(atom => (atom.startsWith('[t:') ? atom.replace(/[ \t\r\n]/g, '') : atom))
      .join('\u0001');
  });
}
