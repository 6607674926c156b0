import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { folds } from '../../../language/aicf/features/folds.ts';
import { requests } from '../../../language/aicf/features/requests.ts';
import { symbols } from '../../../language/aicf/features/symbols.ts';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';

const CONTEXT = `@TASKS:main:HIGH
@SCHEMA
T#|TASK|STATUS
@DATA
1|First|DONE
2|Second

@NOTES
- free text | with a pipe
@NOTES_END
@WORK|a|b
`;

describe('AICF dialects', () => {
  const rpc = ['', 'LIST', 'hello', 'note\n\n# x\nCALL|t', 'Request: END ', '@STATE\nOK|1', '{\nCALL|t'];
  const context = [
    '@STATE\na=b',
    '1|@STATE',
    'note\n@STATE:x',
    '@FLOW a|b',
    '\ufeff@STATE',
    '{"a":1}',
    '[1]',
    '<AICF>',
    'version|3',
    '12|x',
    'C#|TIME',
    'CC#|TIME',
    '\n\n@STATE',
  ];

  for (const text of rpc) {
    it(`reads ${JSON.stringify(text)} as RPC`, () =>
      assert.equal(parseAicf(text, DEFAULT_SETTINGS).dialect, 'rpc'));
  }
  for (const text of context) {
    it(`reads ${JSON.stringify(text)} as context`, () => {
      assert.equal(parseAicf(text, DEFAULT_SETTINGS).dialect, 'context');
    });
  }

  it('looks at 200 lines that are not blank', () => {
    const notes = '@STATE\n'.repeat(199);
    assert.deepEqual(
      [`${notes}\n\nLIST`, `${notes}@X\nLIST`].map(text => parseAicf(text, DEFAULT_SETTINGS).dialect),
      ['rpc', 'context'],
    );
  });
});

describe('AICF context files', () => {
  const doc = parseAicf(CONTEXT, DEFAULT_SETTINGS);

  it('have an outline and folds by section', () => {
    assert.deepEqual(
      symbols(doc).map(({ name, detail, kind, span }) => [
        name,
        detail,
        kind,
        CONTEXT.slice(span.start, span.end),
      ]),
      [
        ['@TASKS', ':main:HIGH', 'section', '@TASKS:main:HIGH'],
        ['@SCHEMA', '', 'section', '@SCHEMA\nT#|TASK|STATUS'],
        ['@DATA', '', 'section', '@DATA\n1|First|DONE\n2|Second'],
        ['@NOTES', '', 'section', '@NOTES\n- free text | with a pipe\n@NOTES_END'],
        ['@WORK', '|a|b', 'section', '@WORK|a|b'],
      ],
    );
    assert.deepEqual(
      folds(doc).map(({ span }) => CONTEXT.slice(span.start, span.end).split('\n')[0]),
      ['@SCHEMA', '@DATA', '@NOTES'],
    );
  });

  it('are about rows that do not fit, and nothing else', () => {
    const end = CONTEXT.indexOf('2|Second') + 8;
    assert.deepEqual(validateAicf(doc), [
      {
        code: 'aicf/column-count',
        severity: 'information',
        span: { start: CONTEXT.indexOf('2|Second'), end },
        message: "The row has 2 columns, and its '@SCHEMA' names 3; a '|' may be missing or too many",
        fixes: [
          {
            title: 'Add 1 empty column',
            edits: [{ span: { start: end, end }, newText: '|' }],
            safe: false,
          },
        ],
      },
    ]);
  });

  it('are never sent', () => assert.deepEqual(requests(doc), []));

  it('may carry line numbers, which are no columns', () => {
    const text = '1|@SCHEMA\n2|A|B\n3|@DATA\n4|1|2\n4|1|2\n7|1';
    assert.deepEqual(
      validateAicf(parseAicf(text, DEFAULT_SETTINGS)).map(({ code, message, severity }) => [
        code,
        message,
        severity,
      ]),
      [
        ['aicf/line-number', 'Line number 4 comes again or too late; number the line 5', 'information'],
        [
          'aicf/line-number',
          'After line number 4 comes 7; number the line 5 or add what is missing',
          'information',
        ],
        [
          'aicf/column-count',
          "The row has 1 column, and its '@SCHEMA' names 2; a '|' may be missing or too many",
          'information',
        ],
      ],
    );
  });

  it('may name the columns beside the word schema, however many', () => {
    const columns = Array.from({ length: 100 }, (_, index) => `column${index}`).join('|');
    for (const header of [`@SCHEMA ${columns}`, `@SCHEMA|${columns}`, `1|@SCHEMA:${columns}`]) {
      const text = `${header}\n@DATA\n${columns}\n${columns}|x`;
      assert.deepEqual(
        validateAicf(parseAicf(text, DEFAULT_SETTINGS)).map(({ span }) => text.slice(span.start)),
        [`${columns}|x`],
      );
    }
  });

  it('are left alone in their JSON and XML forms', () => {
    for (const text of ['{"a":\n@STATE\nb}', '<AICF>\n@STATE\n</AICF>']) {
      const form = parseAicf(text, DEFAULT_SETTINGS);
      assert.deepEqual(
        [form.dialect, validateAicf(form), symbols(form), folds(form)],
        ['context', [], [], []],
      );
    }
  });
});
