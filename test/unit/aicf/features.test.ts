import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { folds } from '../../../language/aicf/features/folds.ts';
import { requests } from '../../../language/aicf/features/requests.ts';
import { symbols } from '../../../language/aicf/features/symbols.ts';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import type { OutlineSymbol } from '../../../language/support.ts';

describe('AICF outline and folds', () => {
  const text = '# one\n# two\n\nCALL|t|x\nOK|1\n\nLIST\nSTREAM|a\nSTREAM|b\nEND\nERR|500|no';

  it('puts responses under their request, and a stream into one entry', () => {
    const show = (list: readonly OutlineSymbol[]): unknown =>
      list.map(({ name, detail, kind, children }) => [name, detail, kind, show(children)]);
    assert.deepEqual(show(symbols(parseAicf(text, DEFAULT_SETTINGS))), [
      ['t', 'CALL', 'call', [['OK', '1', 'reply', []]]],
      [
        'LIST',
        '',
        'call',
        [
          ['STREAM', '2 chunks', 'reply', []],
          ['ERR', '500|no', 'error', []],
        ],
      ],
    ]);
  });

  it('folds comments and requests with their responses', () => {
    assert.deepEqual(
      folds(parseAicf(text, DEFAULT_SETTINGS)).map(({ span, kind }) => [
        text.slice(span.start, span.end),
        kind,
      ]),
      [
        ['# one\n# two', 'comment'],
        ['CALL|t|x\nOK|1', 'region'],
        ['LIST\nSTREAM|a\nSTREAM|b\nEND\nERR|500|no', 'region'],
      ],
    );
  });
});

describe('AICF requests', () => {
  it('lists what can be sent with the directives directly above it', () => {
    const text = [
      '# @agent one',
      '',
      '# @agent two',
      '# @name first',
      'Request:  CALL|t| a \\| b ',
      'OK|1',
      'LIST ',
      '# @timeout 3',
      ' INFO|t',
      'CALL',
    ].join('\n');
    const doc = parseAicf(text, DEFAULT_SETTINGS);
    assert.deepEqual(
      requests(doc).map(({ title, directives, wireText, span }) => ({
        title,
        directives,
        wireText,
        at: text.slice(span.start, span.end),
      })),
      [
        {
          title: 't',
          directives: { agent: 'two', name: 'first' },
          wireText: 'CALL|t| a \\| b ',
          at: 'CALL|t| a \\| b ',
        },
        { title: 'LIST', directives: {}, wireText: 'LIST', at: 'LIST' },
        { title: 'INFO t', directives: { timeout: '3' }, wireText: 'INFO|t', at: 'INFO|t' },
        { title: 'CALL', directives: {}, wireText: 'CALL', at: 'CALL' },
      ],
    );
  });

  it('sends requests that name no agent to the default of the file, which is at its head', () => {
    const doc = LANGUAGE_SUPPORT.aicf.open(
      '# note\n# @default d\n# @name one\nLIST\n# @agent a\nLIST\n# @default e\nLIST',
      DEFAULT_SETTINGS,
    );
    assert.deepEqual(
      doc.requests().map(({ directives }) => directives),
      [{ agent: 'd', name: 'one' }, { agent: 'a' }, { agent: 'd' }],
    );
    assert.deepEqual(
      doc.exchanges().map(({ agent }) => agent),
      ['d', 'a', 'd'],
    );
  });
});
