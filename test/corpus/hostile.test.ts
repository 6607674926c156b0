import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { decodeUtf8 } from '../../cli/src/utf8.ts';
import { parseAicf } from '../../language/aicf/parse.ts';
import { parseAicl } from '../../language/aicl/parse.ts';
import { LANGUAGES, type LanguageId } from '../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT, languageOfFile } from '../../language/languages.ts';
import { parseAgentJson } from '../../language/agent-json/parse.ts';
import { checkAiclUnit } from '../../language/rules/aicl/unit.ts';
import { checkSpans } from '../support/total.ts';
import { sized } from '../support/size.ts';

const SAMPLES = new URL('../../samples/', import.meta.url);

/** What reading a text took, in characters visited and tokens made. */
const WORK: Readonly<Record<LanguageId, (text: string) => number>> = {
  aicl: text => parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit).work.count,
  aicf: text => {
    const work = { count: 0 };
    parseAicf(text, DEFAULT_SETTINGS, work);
    return work.count;
  },
  'agent-json': text => {
    const work = { count: 0 };
    parseAgentJson(text, DEFAULT_SETTINGS, undefined, work);
    return work.count;
  },
};

function open(language: LanguageId, text: string) {
  return LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
}

/** Faults of each kind of either language, to be written very often. */
const FAULTS = [
  '[l:]]',
  ']',
  ' foo ',
  ',',
  ':',
  '[x:1]',
  '[i:',
  '[i:x]',
  '[s:',
  '[s:a]:',
  '[s:a\\]',
  '[t:',
  '[t:uint8:2:1]',
  '[d:',
  '，',
  '［s：a］',
  '[S:a]',
  '# note\n',
  'call|x\n',
  'CALL|\n',
  'CALL|a\\b\n',
  'FOO|x\n',
  'ERR|x|y\n',
  'END\n',
  'OK|{"a":\n',
  'STREAM|x\n',
  '\u0000',
  '\ud800',
];

/** Where faults stand: in one list, in one dictionary, side by side, in messages of their own. */
const PLACES: Readonly<Record<string, (fault: string, times: number) => string>> = {
  list: (fault, times) => `[l:${fault.repeat(times)}]`,
  dictionary: (fault, times) => `[d:${fault.repeat(times)}]`,
  line: (fault, times) => fault.repeat(times),
  lines: (fault, times) => `${fault}\n`.repeat(times),
  messages: (fault, times) => `[d:[s:a]:${fault}\n`.repeat(times),
};

describe('hostile texts', () => {
  for (const { id } of LANGUAGES) {
    describe(id, () => {
      it('an empty file has nothing in it', () => {
        for (const text of ['', ' ', '\n', '\ufeff', '\r\n\r\n']) {
          const doc = open(id, text);
          assert.deepEqual(
            [doc.validate(), doc.symbols(), doc.folds().folds, doc.requests()],
            [[], [], [], []],
          );
        }
      });

      it('any number of opening brackets is one clear issue', () => {
        const head = id === 'aicf' ? 'CALL|tool|' : '';
        for (const bracket of ['[', '[l:', '[d:', '[d:[s:a]:', '[{"a":']) {
          const codes = open(id, head + bracket.repeat(sized(100_000)))
            .validate()
            .filter(issue => issue.severity === 'error' || issue.severity === 'warning')
            .map(issue => issue.code);
          assert.deepEqual(codes, [...new Set(codes)], bracket);
          if (id === 'aicl') assert.equal(codes.length, 1, bracket);
        }
      });

      for (const [place, write] of Object.entries(PLACES)) {
        it(`many faults in ${place}, of one kind and of all: every question is answered`, () => {
          checkSpans(open(id, write(']', sized(10_000))), sized(5_000));
          checkSpans(
            open(id, write(FAULTS.join(''), Math.ceil(sized(10_000) / FAULTS.length))),
            sized(5_000),
          );
        });

        it(`many faults of one kind in ${place}: every question is answered, and the work is linear`, () => {
          for (const fault of FAULTS) {
            const times = sized(1_000, 40);
            checkSpans(open(id, write(fault, times)), times / 2);
            const [once, twice] = [WORK[id](write(fault, times)), WORK[id](write(fault, 2 * times))];
            // A unit that became a long one on the way is read once more.
            assert.ok(
              twice <= 2 * once + sized(150_000, 200),
              `${JSON.stringify(fault)}: ${once}, then ${twice}`,
            );
          }
        });
      }

      it('container lines of many blanks are read in one pass', () => {
        const blanks = ' '.repeat(sized(1_000_000));
        const request = {
          aicl: '[d:[s:msg_type]:[s:tool_call],[s:tool]:[s:t]]',
          aicf: 'LIST',
          'agent-json': '{"method":"ping"}',
        }[id];
        for (const [line, directives] of [
          [`# @agent x${blanks}y`, { agent: `x${blanks}y` }],
          [`# @agent${blanks}x`, { agent: 'x' }],
          [`# @agent x${blanks}`, { agent: 'x' }],
          [`#${blanks}@agent x`, { agent: 'x' }],
          [`${blanks}# @agent x`, { agent: 'x' }],
          [`#${blanks}x`, {}],
          [`# @agent x${'\t '.repeat(sized(500_000))}y z`, { agent: `x${'\t '.repeat(sized(500_000))}y z` }],
        ] as const) {
          const written = id === 'agent-json' ? line.replace('#', '//') : line;
          const doc = open(id, `${written}\n${request}\n`);
          checkSpans(doc, 5_000);
          assert.deepEqual(
            doc.requests().map(({ directives: read }) => read),
            [directives],
          );
        }
      });

      it('a long line is read, whatever it is made of', () => {
        const size = sized(20_000_000);
        for (const [head, filling, tail] of [
          ['[d:[s:a]:[s:', 'x', ']]'],
          ['[d:[s:a]:[s:', '\\', ']]'],
          [`[d:[s:a]:[t:uint8:${(size / 5) * 4}:`, '0', ']]'],
          ['[d:[s:a]:[s:', 'x', ''],
          ['CALL|t|', 'x', ''],
          ['OK|', '\\', ''],
          ['', 'x', ''],
        ] as const) {
          const text = head + filling.repeat(size) + tail;
          const doc = open(id, text);
          assert.ok(doc.validate().length < 10);
          assert.ok(WORK[id](text) <= sized(8, 10) * size, `${head}${filling}…: ${WORK[id](text)}`);
        }
      });
    });
  }

  it('a file cut at every byte, also inside a character, is text or says which byte is not', () => {
    const bytes = new TextEncoder().encode(
      '# Zürich\n[d:[s:城市]:[s:Zürich 🏔],[s:n]:[i:1]]\nCALL|t|Zürich 🏔\n',
    );
    for (let end = 0; end <= bytes.length; end++) {
      const decoded = decodeUtf8(bytes.subarray(0, end));
      if (!decoded.ok)
        assert.ok(decoded.badByte < end && end - decoded.badByte < 4, `${decoded.badByte} of ${end}`);
      const text = decoded.ok ? decoded.text : decoded.textBefore;
      for (const { id } of LANGUAGES) checkSpans(open(id, text), text.length);
    }
  });

  for (const name of readdirSync(SAMPLES, { recursive: true }).map(String)) {
    const language = languageOfFile(name);
    if (!language) continue;
    it(`samples/${name}, cut anywhere`, () => {
      const text = readFileSync(new URL(name, SAMPLES), 'utf8');
      for (let end = 0; end <= text.length; end += sized(1, 97))
        checkSpans(open(language, text.slice(0, end)), Math.max(0, end - 1));
    });
  }
});
