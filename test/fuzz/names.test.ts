import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import type { Name } from '../../language/names.ts';
import type { OpenDocument } from '../../language/support.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { runs } from '../support/size.ts';

/** More runs by FUZZ_RUNS; a failure prints its seed and path. */
const RUNS = { numRuns: runs(1000) };

const CALL = 'AIO-TR-20250131-0001#1';
/** Pieces of which texts are made that are full of names, whole and damaged. */
const PIECES: Readonly<Record<LanguageId, readonly string[]>> = {
  'agent-json': [
    ...['{', '}', '[', ']', ',', ':', '"', '\\', '\n', '//', 'a', '😀', CALL],
    ...['{"method":"tools/call","params":{"name":"a"}}', '"name":"b"', '// @name x\n'],
  ],
  aicl: [
    ...['[d:', '[l:', '[s:', ']', ',', ':', '\\', '\n', '#', 'a', '😀', '[i:1]', '[t:int8:1:', CALL],
    ...['tool', 'session_id', 'stream_id', '_1/2'],
    ...['[s:tool]:[s:a]', '[s:session_id]:[s:s]', '[s:stream_id]:[s:t_1/2]', '[s:msg_type]:[s:tool_call]'],
  ],
  aicf: [
    ...[
      'CALL|',
      'INFO|',
      'TOOL|',
      'TOOLS|',
      'LIST',
      'OK|',
      'STREAM|',
      'Request: ',
      '@NOTES',
      '```',
      '\uFEFF',
      CALL,
    ],
    ...['a', '|', '\\', '\\|', '\\t', '\t', '\n', '\r\n', '\r', ' ', '#'],
  ],
};

/** A name that needs escapes in both languages, where its kind allows any. At its end a backslash is the old escape of a bracket. */
function newNameFor({ kind }: Name): string {
  return kind === 'call' ? 'AIO-TR-20990101-0001#new' : 'new]\\|';
}

function open(language: LanguageId, text: string): OpenDocument {
  return LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
}

describe('names, any text', () => {
  for (const language of ['aicl', 'aicf'] as const) {
    const text = fc
      .array(fc.constantFrom(...PIECES[language]), { maxLength: 25 })
      .map(parts => parts.join(''));

    it(`${language}: a name under the cursor is among its places, and a new one is in all of them`, () => {
      fc.assert(
        fc.property(text, source => {
          const doc = open(language, source);
          for (let offset = 0; offset <= source.length; offset++) {
            const name = doc.nameAt(offset);
            if (!name) continue;
            const places = [...doc.findName(name)];
            assert.ok(
              places.some(place => place.span.start === name.span.start && place.span.end === name.span.end),
            );
            const newName = newNameFor(name);
            const edits = places.map(place => ({ span: place.span, newText: doc.writeName(place, newName) }));
            const after = open(language, applyEdits(source, edits));
            assert.equal([...after.findName({ ...name, name: newName })].length, places.length);
            assert.deepEqual([...after.findName(name)], []);
          }
        }),
        RUNS,
      );
    });
  }
});
