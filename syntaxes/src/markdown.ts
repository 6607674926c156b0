import { LANGUAGES, type LanguageRow } from '../../core/catalog/languages.ts';
import { captures, type Grammar, type Rule } from './grammar.ts';

/** Fenced code blocks of our languages in Markdown: a grammar that editors inject into the Markdown grammar. */
export const MARKDOWN_GRAMMAR: Grammar = {
  name: 'AICL and AICF in Markdown',
  scopeName: 'markdown.parley.codeblock',
  injectionSelector: 'L:text.html.markdown',
  patterns: LANGUAGES.map(fencedBlock),
  repository: {},
};

/** The scope of a block's content, by which editors determine its language. */
export function blockScope({ id }: Pick<LanguageRow, 'id'>): string {
  return `meta.embedded.block.${id}`;
}

/**
 * A fenced block, from a line with three or more backquotes or tildes and the
 * language's name to a line with the same marks. `while` is tested for each line
 * before the inner patterns, so the block ends even if a message in it is incomplete.
 */
function fencedBlock(row: LanguageRow): Rule {
  return {
    name: 'markup.fenced_code.block.markdown',
    begin: String.raw`(?:^|\G)(\s*)(${'`'}{3,}|~{3,})\s*(?i:(${row.id}))((?:[\s:,{?][^${'`'}\r\n]*)?)$`,
    end: String.raw`(?:^|\G)(?:\1|\s{0,3})(\2[${'`'}~]*)\s*$`,
    beginCaptures: captures(
      '',
      'punctuation.definition.markdown',
      'fenced_code.block.language.markdown',
      'fenced_code.block.language.attributes.markdown',
    ),
    endCaptures: captures('punctuation.definition.markdown'),
    patterns: [
      {
        begin: String.raw`(?:^|\G)(?!\s*(?:${'`'}{3,}|~{3,})\s*$)`,
        while: String.raw`(?:^|\G)(?!\s*(?:${'`'}{3,}|~{3,})\s*$)`,
        contentName: blockScope(row),
        patterns: [{ include: row.scope }],
      },
    ],
  };
}
