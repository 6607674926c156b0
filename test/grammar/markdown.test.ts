import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IGrammar, IRawGrammar } from 'vscode-textmate';
import { loadGrammar, readGrammar, scopedPieces } from './support/grammars.ts';

/** Stands for the grammar of Markdown itself, which the editor brings: what it says of a line outside of blocks. */
const PLAIN_MARKDOWN = {
  scopeName: 'text.html.markdown',
  patterns: [{ match: '.+', name: 'meta.paragraph.markdown' }],
  repository: {},
} as unknown as IRawGrammar;

describe('fenced blocks in Markdown', () => {
  let markdown: IGrammar;
  before(async () => {
    const own = readGrammar('markdown');
    const others = new Map([
      [PLAIN_MARKDOWN.scopeName, PLAIN_MARKDOWN],
      [own.scopeName, own],
    ]);
    markdown = await loadGrammar(PLAIN_MARKDOWN.scopeName, others);
  });

  /** The pieces of a text with the language that they are in and their innermost scope. */
  function languagesOf(text: string): readonly string[] {
    return scopedPieces(markdown, text).map(({ text: piece, scopes }) => {
      const block = scopes.find(scope => scope.startsWith('meta.embedded.block.')) ?? 'markdown';
      return `${piece.trim()} ${block.replace('meta.embedded.block.', '')} ${scopes.at(-1)}`;
    });
  }

  it('are read as the language that the fence names, and what follows as Markdown', () => {
    assert.deepEqual(
      languagesOf('Text\n```aicf\nLIST\n```\nLIST\n~~~~ AICL title\n[b:true]\n~~~~\n[b:true]'),
      [
        'Text markdown meta.paragraph.markdown',
        '``` markdown punctuation.definition.markdown',
        'aicf markdown fenced_code.block.language.markdown',
        'LIST aicf keyword.control.request.aicf',
        '``` markdown punctuation.definition.markdown',
        'LIST markdown meta.paragraph.markdown',
        '~~~~ markdown punctuation.definition.markdown',
        'AICL markdown fenced_code.block.language.markdown',
        'title markdown fenced_code.block.language.attributes.markdown',
        '[ aicl punctuation.definition.value.begin.aicl',
        'b aicl keyword.operator.type.aicl',
        ': aicl punctuation.separator.type.aicl',
        'true aicl constant.language.boolean.aicl',
        '] aicl punctuation.definition.value.end.aicl',
        '~~~~ markdown punctuation.definition.markdown',
        '[b:true] markdown meta.paragraph.markdown',
      ],
    );
  });

  it('end although a message in them is not finished', () => {
    const found = languagesOf('```aicl\n[d:[s:a]:[s:open\n```\nText');
    assert.deepEqual(found.slice(-2), [
      '``` markdown punctuation.definition.markdown',
      'Text markdown meta.paragraph.markdown',
    ]);
  });

  it('may be indented in a list', () => {
    assert.deepEqual(languagesOf('- item\n  ```aicf\n  LIST\n  ```\nText').slice(3), [
      'LIST aicf keyword.control.request.aicf',
      '``` markdown punctuation.definition.markdown',
      'Text markdown meta.paragraph.markdown',
    ]);
  });

  it('of other languages are left alone', () => {
    for (const fence of ['```aiclx', '```json', '```', '`aicl`'])
      assert.ok(
        languagesOf(`${fence}\nLIST\n`).every(piece => piece.includes(' markdown ')),
        fence,
      );
  });
});
