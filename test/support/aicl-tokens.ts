import { Lexer } from '../../language/aicl/lexeme.ts';
import { tokenize, type Tokens } from '../../language/aicl/grammar/tokens.ts';

/** The tokens of a text that is one unit. */
export function cutTokens(source: string): Tokens {
  const work = { count: 0 };
  const span = { start: 0, end: source.length };
  return tokenize(new Lexer(source, work), source, span, work, { headless: false });
}
