import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { definitionsOf, type NameKind, type NameOccurrence, refuseName } from '../../../language/names.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { findName } from '../../../language/aicl/features/names.ts';
import { parseAicl } from '../../../language/aicl/parse.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { readMarks } from '../../support/marks.ts';

function open(language: LanguageId, text: string): OpenDocument {
  return LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
}

/** The name at `$0`. */
function nameAt(language: LanguageId, marked: string): (NameOccurrence & { text: string }) | undefined {
  const offset = marked.indexOf('$0');
  const doc = open(language, marked.replace('$0', ''));
  const found = doc.nameAt(offset);
  return found && { ...found, text: doc.text.slice(found.span.start, found.span.end) };
}

/** Asks at every place that `«»` marks for all places of its name, and wants the marked ones. */
function checkPlaces(language: LanguageId, marked: string): void {
  const { text, spans } = readMarks(marked);
  const doc = open(language, text);
  for (const { start, end } of spans) {
    for (const offset of [start, end]) {
      const name = doc.nameAt(offset);
      assert.ok(name, `a name at ${offset}`);
      assert.deepEqual(
        [...doc.findName(name)].map(place => place.span),
        spans,
      );
    }
  }
}

/** The text after the name at `$0` was changed. */
function renameAt(language: LanguageId, marked: string, newName: string): string {
  const text = marked.replace('$0', '');
  const doc = open(language, text);
  const name = doc.nameAt(marked.indexOf('$0'));
  assert.ok(name);
  const places = [...doc.findName(name)];
  return applyEdits(
    text,
    places.map(place => ({ span: place.span, newText: doc.writeName(place, newName) })),
  );
}

function message(type: string, session: string, more: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}],${more}]`;
}

const CALL = message('tool_call', '«s1»', '[s:tool]:[s:sum],[s:params]:[d:]');

describe('names in AICL', () => {
  const cases: readonly (readonly [
    string,
    string,
    readonly [NameKind, string, string, string] | undefined,
  ])[] = [
    ['a session', '[d:[s:session_id]:[s:s$01]]', ['session', 's1', '', 's1']],
    ['the end of a session', '[d:[s:session_id]:[s:s1$0]]', ['session', 's1', '', 's1']],
    ['a session that is not finished', '[d:[s:session_id]:[s:s$01', ['session', 's1', '', 's1']],
    ['a tool', '[d:[s:tool]:[s:a\\u005D$0b]]', ['tool', 'a]b', '', 'a\\u005Db']],
    ['a tool of a run of fields', '[s:tool]:[s:s$0um],[s:params]:[d:]', ['tool', 'sum', '', 'sum']],
    [
      'a stream, without the number of the chunk',
      '[d:[s:session_id]:[s:s1],[s:stream_id]:[s:to$0k_2_1/3]]',
      ['stream', 'tok_2', 's1', 'tok_2'],
    ],
    [
      'a stream whose name ends in a backslash',
      '[d:[s:stream_id]:[s:$0a\\_1/3]]',
      ['stream', 'a\\', '', 'a\\'],
    ],
    ['a stream of another form', '[d:[s:stream_id]:[s:thr$0ee]]', ['stream', 'three', '', 'three']],
    [
      'a call in a text',
      '[d:[s:note]:[s:see AIO-TR-20250131-0$0001#7.]]',
      ['call', 'AIO-TR-20250131-0001#7', '', 'AIO-TR-20250131-0001#7'],
    ],
    [
      'a call in a comment',
      '# AIO-TR-20250131-12345#a.b-c$0 is slow',
      ['call', 'AIO-TR-20250131-12345#a.b-c', '', 'AIO-TR-20250131-12345#a.b-c'],
    ],
    ['the last of two fields', '[d:[s:tool]:[s:a],[s:tool]:[s:b$0]]', ['tool', 'b', '', 'b']],
    ['the first of two fields, which does not count', '[d:[s:tool]:[s:a$0],[s:tool]:[s:b]]', undefined],
    ['a key', '[d:[s:session$0_id]:[s:s1]]', undefined],
    ['a key of this name inside of another value', '[d:[s:params]:[d:[s:tool]:[s:su$0m]]]', undefined],
    ['an empty name', '[d:[s:session_id]:[s:$0]]', undefined],
    ['a name that is no text', '[d:[s:tool]:[i:1$02]]', undefined],
    ['a comment', '# s1$0', undefined],
    ['an empty file', '$0', undefined],
  ];
  for (const [title, marked, expected] of cases) {
    it(`on ${title}`, () => {
      const found = nameAt('aicl', marked);
      assert.deepEqual(found && [found.kind, found.name, found.scope, found.text], expected);
    });
  }

  it('finds all places of a session, whatever the message', () =>
    checkPlaces(
      'aicl',
      `${CALL}\n# s1\n${message('result', '«s1»', '[s:data]:[s:s1]')}\n${message('result', 's10', '')}`,
    ));

  it('finds the chunks of a stream in its session only', () => {
    const chunk = (session: string, id: string): string =>
      message('result', session, `[s:data]:[s:tok],[s:stream_id]:[s:${id}]`);
    checkPlaces(
      'aicl',
      [chunk('a', '«tok»_1/2'), chunk('b', 'tok_1/2'), chunk('a', 'toks_1/2'), chunk('a', '«tok»_2/2')].join(
        '\n',
      ),
    );
  });

  it('finds a tool of any length, also one with escapes', () => {
    const long = 'x'.repeat(70);
    for (const name of ['sum', 'a\\u005Db', long])
      checkPlaces('aicl', `[d:[s:tool]:[s:«${name}»]]\n[d:[s:tool]:[s:${name}2]]\n[s:tool]:[s:«${name}»]`);
  });

  it('finds a call in any place, and not in a longer name', () =>
    checkPlaces(
      'aicl',
      '# «AIO-TR-20250131-0001#1»\n[d:[s:AIO-TR-20250131-0001#12]:[l:[s:(«AIO-TR-20250131-0001#1»)]]]',
    ));

  it('finds only what meets a span', () => {
    const { text, spans } = readMarks(Array.from({ length: 9 }, () => CALL).join('\n'));
    const doc = open('aicl', text);
    const [, , third, fourth] = spans;
    assert.ok(third && fourth);
    const within = { start: third.start + 1, end: fourth.end };
    const name = { kind: 'session', name: 's1', scope: '' } as const;
    assert.deepEqual(
      [...doc.findName(name, within)].map(({ span }) => span),
      [third, fourth],
    );
  });

  it('reads no message that cannot hold the name', () => {
    const work = (others: number): number => {
      const other = message('tool_call', 's2', '[s:tool]:[s:sum]');
      const text = `${`${other}\n`.repeat(others)}[d:[s:tool]:[s:x]]`;
      const doc = parseAicl(text, DEFAULT_SETTINGS, () => []);
      const before = doc.work.count;
      const name = { kind: 'tool', name: 'x', scope: '' } as const;
      assert.equal([...findName(doc, name, { start: 0, end: text.length })].length, 1);
      return doc.work.count - before;
    };
    assert.equal(work(2_000), work(1));
  });

  it('writes a new name as its place wants it', () => {
    const chunks = '[d:[s:stream_id]:[s:t$0ok_1/2]]\n[d:[s:stream_id]:[s:tok]]';
    assert.equal(
      renameAt('aicl', chunks, 'a]\\'),
      '[d:[s:stream_id]:[s:a\\u005D\\_1/2]]\n[d:[s:stream_id]:[s:a\\u005D\\]]',
    );
    assert.equal(renameAt('aicl', '[d:[s:tool]:[s:$0sum]]', 'a[0]'), '[d:[s:tool]:[s:a[0\\u005D]]');
  });
});

describe('names in AICF', () => {
  const cases: readonly (readonly [
    string,
    string,
    readonly [string, string, NameOccurrence['role']] | undefined,
  ])[] = [
    ['a call', 'CALL|math$0.add|1', ['math.add', 'math.add', 'uses']],
    ['a call after a prefix', 'Request: CALL|a$0', ['a', 'a', 'uses']],
    ['a question', 'INFO|$0a', ['a', 'a', 'uses']],
    ['a list', 'TOOLS|a|b$0|c', ['b', 'b', 'lists']],
    ['a declaration', 'TOOL|a\\|b$0|What it does', ['a|b', 'a\\|b', 'declares']],
    [
      'a call of a trace',
      'OK|see AIO-TR-20250131-0001#2$0|',
      ['AIO-TR-20250131-0001#2', 'AIO-TR-20250131-0001#2', 'uses'],
    ],
    ['an argument', 'CALL|a|b$0', undefined],
    ['a command', 'CA$0LL|a', undefined],
    ['an empty tool', 'CALL|$0', undefined],
    ['a comment', '# CALL|a$0', undefined],
    ['a call far down in a context file', `@NOTES\n${'x\n'.repeat(200)}CALL|a$0`, undefined],
    ['an empty file', '$0', undefined],
  ];
  for (const [title, marked, expected] of cases) {
    it(`on ${title}`, () => {
      const found = nameAt('aicf', marked);
      assert.deepEqual(found && [found.name, found.text, found.role], expected);
    });
  }

  it('finds all places of a tool', () =>
    checkPlaces(
      'aicf',
      '# sum\nTOOLS|«sum»|summary|«sum»\nTOOL|«sum»|adds: sum|sum:string\nCALL|«sum»|sum\r\nOK|sum\nINFO|«sum»\nCALL|sums\n',
    ));

  it('finds a name that is written with escapes, in each of its spellings', () =>
    checkPlaces('aicf', 'CALL|«\\|a\tb»\nTOOLS|«\\|a\\tb»\nCALL|\\|a\nCALL|\\|a\\tb\nTOOLS|«\\|a\tb»'));

  it('writes a new name as its place wants it', () =>
    assert.equal(renameAt('aicf', 'TOOL|a$0|a\nCALL|a|a', 'x|\\'), 'TOOL|x\\|\\\\|a\nCALL|x\\|\\\\|a'));
});

describe('names', () => {
  it('are defined by the lines that declare them, else by lists, else by their first use', () => {
    const place = (kind: NameKind, role: NameOccurrence['role'], start: number): NameOccurrence => ({
      kind,
      name: 'a',
      scope: '',
      span: { start, end: start + 1 },
      role,
    });
    const use = place('tool', 'uses', 0);
    const list = place('tool', 'lists', 1);
    const declaration = place('tool', 'declares', 2);
    assert.deepEqual(definitionsOf([use, list, declaration]), [declaration]);
    assert.deepEqual(definitionsOf([use, list]), [list]);
    assert.deepEqual(definitionsOf([use]), []);
    const first = place('session', 'uses', 0);
    assert.deepEqual(definitionsOf([first, place('session', 'uses', 1)]), [first]);
  });

  it('are refused where no place can hold them', () => {
    const refused: readonly (readonly [NameKind, string, boolean])[] = [
      ['session', '', true],
      ['tool', ' ', true],
      ['tool', 'a\nb', true],
      ['session', 'a\r', true],
      ['stream', 'tok_1/3', true],
      ['stream', 'a/b', true],
      ['call', 'AIO-TR-20250131-0001', true],
      ['call', 'AIO-TR-20250131-0001#1.', true],
      ['call', 'AIO-TR-20250131-0001#1', false],
      ['stream', 'tok_1', false],
      ['session', 'a/b', false],
      ['tool', 'a|b]', false],
    ];
    for (const [kind, name, isRefused] of refused)
      assert.equal(refuseName(kind, name) !== undefined, isRefused, `${kind} '${name}'`);
    assert.equal(
      refuseName('stream', 'a_1/2'),
      "The name of a stream holds no '/': write the name alone, each chunk keeps its number",
    );
  });
});
