import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { meetsSpan } from '../../../core/text/span.ts';
import { runs } from '../../support/size.ts';

function open(language: LanguageId, text: string): OpenDocument {
  return LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
}

function openContext(text: string): OpenDocument {
  return LANGUAGE_SUPPORT.aicf.open(text, { ...DEFAULT_SETTINGS, 'aicf.dialect': 'context' });
}

/** The texts of the messages that the span between `«` and `»` meets; `‸` marks a cursor. */
function meet(language: LanguageId, marked: string): readonly string[] {
  const text = marked.replace(/[«»‸]/g, '');
  const start = marked.search(/[«‸]/);
  const end = marked.includes('»') ? marked.indexOf('»') - 1 : start;
  const doc = open(language, text);
  return [...doc.messages({ start, end })].map(span => text.slice(span.start, span.end));
}

describe('messages', () => {
  it('of AICL are messages and fragments, not container lines and not foreign text', () => {
    const text = '# above\n[d:[s:a]:[i:1]]\n\nwhat is this\n[l:[i:1]] [i:2]\n# below\n';
    const doc = open('aicl', text);
    const found = [...doc.messages()].map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(found, ['[d:[s:a]:[i:1]]', '[l:[i:1]]', '[i:2]']);
  });

  it('of AICF are lines with a command, known or not, with their prefix', () => {
    const text = '# above\nCALL|a|1\r\n\r\n  Response: OK|{"a":1}\r\nhello there\r\nPING|x\n```\nEND';
    const doc = open('aicf', text);
    const found = [...doc.messages()].map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(found, ['CALL|a|1', '  Response: OK|{"a":1}', 'PING|x', 'END']);
  });

  it('are met at their edges by a cursor, and by a selection where it holds a character of theirs', () => {
    assert.deepEqual(meet('aicl', '[i:1]‸[i:2]\n[i:3]'), ['[i:1]', '[i:2]']);
    assert.deepEqual(meet('aicl', '[i:1]«[i:2]»\n[i:3]'), ['[i:2]']);
    assert.deepEqual(meet('aicl', '[i:1«][i:2]\n[»i:3]'), ['[i:1]', '[i:2]', '[i:3]']);
    assert.deepEqual(meet('aicf', 'CALL|a\nCALL|b‸\nCALL|c'), ['CALL|b']);
    assert.deepEqual(meet('aicf', 'CALL|a\n«CALL|b\n»CALL|c'), ['CALL|b']);
    assert.deepEqual(meet('aicf', 'CALL|a\n‸CALL|b\nCALL|c'), ['CALL|b']);
    assert.deepEqual(meet('aicf', 'CALL|«a\nCALL|b\nC»ALL|c'), ['CALL|a', 'CALL|b', 'CALL|c']);
  });

  it('are met by the container lines directly above them, and by the text between these', () => {
    for (const [language, one, two] of [
      ['aicl', '[i:1]', '[i:2]'],
      ['aicf', 'CALL|a', 'CALL|b'],
    ] as const) {
      const above = '# @agent x\n\n# @name y\n';
      assert.deepEqual(meet(language, `${one}\n# @ag‸ent x\n\n# @name y\n${two}`), [two]);
      assert.deepEqual(meet(language, `${one}\n# @agent x\n‸\n# @name y\n${two}`), [two]);
      assert.deepEqual(meet(language, `${one}\n# @agent x\n\n# @name‸ y\n${two}`), [two]);
      assert.deepEqual(meet(language, `${one}\n\n‸\n\n${two}`), []);
      assert.deepEqual(meet(language, `${one}\n${above}${two}\n${above}‸`), []);
      assert.deepEqual(meet(language, `«${above}»${above}${two}`), [two]);
    }
  });

  it('are none in an empty text and in a context file', () => {
    for (const language of ['aicl', 'aicf'] as const) assert.deepEqual(meet(language, '‸'), []);
    assert.deepEqual([...openContext('CALL|a').messages()], []);
  });

  it('that a span meets are those of all that it meets, in any text', () => {
    const lines = fc.constantFrom(
      ...['# c', '', '  ', 'CALL|a|1', 'Request: CALL|a', 'OK|1', 'what', '[i:1]', '[i:1][i:2]', '[l:'],
    );
    fc.assert(
      fc.property(
        fc.constantFrom<LanguageId>('aicl', 'aicf'),
        fc.array(lines, { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        fc.nat(120),
        fc.nat(30),
        (language, texts, lineEnd, from, length) => {
          const text = texts.join(lineEnd);
          const doc = open(language, text);
          const start = Math.min(from, text.length);
          const within = { start, end: Math.min(start + length, text.length) };
          const met = [...doc.messages(within)];
          // Whatever is met by a span within a message is that message.
          const direct = [...doc.messages()].filter(span => meetsSpan(within, span));
          assert.deepEqual(
            met.filter(span => meetsSpan(within, span)),
            direct,
          );
          // Beside them one may be met by the lines above it, and only comments and blanks lie between.
          const others = met.filter(span => !meetsSpan(within, span));
          assert.ok(others.length <= 1);
          for (const { start: at } of others) {
            assert.equal(met.at(-1)?.start, at);
            assert.match(text.slice(within.end, at), /^[^\r\n]*(?:[\r\n]+(?:#.*|[ \t]*))*$/);
          }
        },
      ),
      { numRuns: runs(400) },
    );
  });
});

describe('the tools of messages', () => {
  const names = (doc: OpenDocument, line?: number): string => {
    const at = line === undefined ? undefined : doc.text.lineStart(line);
    const within = at === undefined ? undefined : { start: at, end: doc.text.lineEnd(line ?? 0) };
    return [...doc.tools(within).tools].map(([name, tool]) => (tool ? name : `(${name})`)).join(' ');
  };

  it('are those that the file names, wherever it does', () => {
    const doc = open('aicf', 'CALL|sum|1|2\nTOOLS|sum|other\nTOOL|sum|Adds|a:number|b:number\n');
    assert.equal(names(doc), 'sum (other)');
    assert.equal(names(doc, 0), 'sum (other)');
    assert.deepEqual(
      doc
        .tools()
        .tools.get('sum')
        ?.arguments.map(({ name, type }) => `${name}:${type}`),
      ['a:number', 'b:number'],
    );
    assert.equal(doc.tools().isComplete, true);
  });

  it('are those of the agents that speak in the span, from other files too', () => {
    const other = open('aicf', '# @agent counter\nINFO|mul\nTOOL|mul|Multiplies|a:number\n');
    const text = [
      ...['# @agent painter', 'LIST', 'TOOLS|draw', 'CALL|plain', '# @agent counter', 'INFO|sum'],
      ...['TOOL|sum|Adds|a:number', 'TOOL|draw|Draws lots|a:number'],
    ].join('\n');
    const doc = open('aicf', text).withTools(other.agentTools());
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map(line => names(doc, line)),
      ['(draw)', '(draw)', '', '', 'sum draw mul', 'sum draw mul'],
    );
    assert.equal(names(doc), '');
  });

  it('are of several agents those that all of them declare alike', () => {
    const same = 'TOOL|same|Says|a:number';
    const text = [
      ...['# @agent one', 'LIST', same, 'TOOL|mine|x|a:text', 'TOOL|named|x|a'],
      ...['# @agent two', 'LIST', same.replace('Says', 'Tells'), 'TOOL|mine|x|b:text', 'TOOLS|named'],
    ].join('\n');
    const doc = open('aicf', text);
    assert.equal(names(doc), 'same');
    assert.equal(doc.tools().isComplete, false);
    // The container lines above the first message belong to no agent, and a message without one to the nameless.
    assert.equal(names(open('aicf', `# x\n\n${text}`)), 'same');
    assert.equal(names(open('aicf', `LIST\n${text}`)), '');
  });

  it('are none in AICL and in a context file', () => {
    assert.equal(open('aicl', '[d:[s:tool]:[s:x]]').tools().tools.size, 0);
    assert.equal(openContext('TOOL|a|b').tools().tools.size, 0);
  });
});
