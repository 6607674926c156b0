import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IGrammar, IRawGrammar } from 'vscode-textmate';
import { loadGrammar, readGrammar, scopedPieces } from './support/grammars.ts';

/** Stands for the grammar of JSON, which the editor brings: objects that may run over lines, and texts. */
const PLAIN_JSON = {
  scopeName: 'source.json',
  patterns: [
    { begin: '\\{', end: '\\}', name: 'meta.object.json', patterns: [{ include: '$self' }] },
    { match: '"[^"]*"', name: 'string.json' },
  ],
  repository: {},
} as unknown as IRawGrammar;

describe('server-sent events', () => {
  let grammar: IGrammar;
  before(async () => {
    const own = readGrammar('sse');
    grammar = await loadGrammar(
      own.scopeName,
      new Map([
        [own.scopeName, own],
        [PLAIN_JSON.scopeName, PLAIN_JSON],
      ]),
    );
  });

  /** The pieces of a text with their scopes, but for the one of all. */
  function scopesOf(text: string): readonly string[] {
    return scopedPieces(grammar, text).map(({ text: piece, scopes }) =>
      [piece.trim(), ...scopes.slice(1).map(scope => scope.replace('.parley-sse', ''))].join(' '),
    );
  }

  it('are fields, a line each, with the JSON of their data', () => {
    assert.deepEqual(scopesOf(': hello\nevent: message\nid: 7\nretry: 100\ndata: {"a"}\ndata\nother: 1'), [
      ': hello comment.line',
      'event keyword.other.field',
      ': punctuation.separator.field',
      'message entity.name.type.event',
      'id keyword.other.field',
      ': punctuation.separator.field',
      '7 constant.other.id',
      'retry keyword.other.field',
      ': punctuation.separator.field',
      '100 constant.numeric.retry',
      'data keyword.other.field',
      ': punctuation.separator.field',
      '{ meta.embedded.json meta.object.json',
      '"a" meta.embedded.json meta.object.json string.json',
      '} meta.embedded.json meta.object.json',
      'data keyword.other.field',
      'other: 1',
    ]);
  });

  it('go on with JSON in the next line of data, and end it with the event, whole or cut', () => {
    assert.deepEqual(scopesOf('data:{\ndata:"a"\n\nevent: b\ndata:"c"'), [
      'data keyword.other.field',
      ': punctuation.separator.field',
      '{ meta.embedded.json meta.object.json',
      'data meta.embedded.json keyword.other.field',
      ': meta.embedded.json punctuation.separator.field',
      '"a" meta.embedded.json meta.object.json string.json',
      'event keyword.other.field',
      ': punctuation.separator.field',
      'b entity.name.type.event',
      'data keyword.other.field',
      ': punctuation.separator.field',
      '"c" meta.embedded.json string.json',
    ]);
  });
});
