import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TYPE_TAGS } from '../../../core/catalog/aicl.ts';
import { DTYPES } from '../../../core/catalog/dtypes.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { parseAicl } from '../../../language/aicl/parse.ts';
import { complete } from '../../../language/aicl/features/completion.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import type { Completion, OpenDocument } from '../../../language/support.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { readOffset } from '../../support/cursor.ts';
import { sized } from '../../support/size.ts';

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:';
const CALL = `${HEAD}[s:tool_call],[s:tool]:[s:sum],[s:params]:[d:[s:a]:[i:1],[s:b]:[l:[i:2]]]]`;
const ERROR = `${HEAD}[s:error],[s:code]:[i:2001]`;

function open(marked: string, settings = DEFAULT_SETTINGS): { doc: OpenDocument; offset: number } {
  const { text, offset } = readOffset(marked);
  return { doc: LANGUAGE_SUPPORT.aicl.open(text, settings), offset };
}

function proposals(marked: string): readonly Completion[] {
  const { doc, offset } = open(marked);
  const found = doc.complete(offset);
  for (const { span, topic } of found) {
    assert.ok(span.start <= offset && offset <= span.end);
    assert.ok(topic === undefined || doc.describe(topic) !== undefined, topic);
  }
  return found.toSorted((a, b) => a.rank - b.rank);
}

function labels(marked: string): readonly string[] {
  return proposals(marked).map(item => item.label);
}

/** The text after the first proposal with this label was accepted. */
function accept(marked: string, label: string): string | undefined {
  const item = proposals(marked).find(candidate => candidate.label === label);
  const { text } = readOffset(marked);
  return item && applyEdits(text, [...(item.otherEdits ?? []), { span: item.span, newText: item.newText }]);
}

const TYPES = ['task_request', 'data_query', 'tool_call', 'result', 'error', 'protocol_negotiate'];
const COMMON = ['signature', 'stream_id', 'is_final'];
const TAGS = TYPE_TAGS.map(row => `[${row.tag}:]`);

describe('AICL completion: what is proposed', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['whole messages in an empty file', '$0', TYPES],
    ['whole messages on an empty line', `${CALL}\n$0\n`, TYPES],
    ['message types', `${HEAD}[s:$0]]`, TYPES],
    ['message types, while the message is not finished', `${HEAD}[s:to$0`, TYPES],
    ['message types as whole values', `${HEAD}$0`, [...TYPES.map(name => `[s:${name}]`), '[s:]']],
    ['message types at the top of a fragment', '[s:msg_type]:[s:$0]', TYPES],
    [
      'the fields of a type, required ones first',
      `${HEAD}[s:tool_call],[s:$0]]`,
      ['tool', 'params', 'timeout', ...COMMON],
    ],
    [
      'the header of a message without type',
      '[d:[s:task]:[s:x],$0]',
      ['protocol', 'session_id', 'msg_type', ...COMMON],
    ],
    [
      'either field of a result before optional ones',
      `${HEAD}[s:result],$0]`,
      ['data', 'content', 'metadata', ...COMMON],
    ],
    [
      'one field of a result where the other is there',
      `${HEAD}[s:result],[s:data]:[i:1],$0]`,
      ['content', 'metadata', ...COMMON],
    ],
    [
      'the fields that are missing, for a key with a colon',
      CALL.replace('[s:params]', '[s:$0]'),
      ['params', 'timeout', ...COMMON],
    ],
    ['fields behind an unfinished message', `${ERROR},\n  $0`, ['reason', 'detail', ...COMMON]],
    [
      'messages and fields at the start of a line behind one',
      `${ERROR}\n$0`,
      [...TYPES, 'reason', 'detail', ...COMMON],
    ],
    ['fields and messages there after a comma', `${ERROR},\n$0`, ['reason', 'detail', ...COMMON, ...TYPES]],
    [
      'types of values, the ones of the field',
      `${HEAD}[s:task_request],[s:constraints]:$0]`,
      ['[s:]', '[l:]', '[d:]'],
    ],
    ['types of values for a key that is not known', '[d:[s:x]:$0]', TAGS],
    ['types of values in a list', '[d:[s:x]:[l:[i:1],$0]]', TAGS],
    ['types of values after a bracket', '[d:[s:x]:[l:[i:1],[$0]]]', TAGS],
    ['types of values in a nested dictionary', '[d:[s:x]:[d:[s:y]:$0]]', TAGS],
    ['data types', '[l:[t:$0]]', DTYPES.map(row => row.name)],
    ['data types for one that is there', '[l:[t:int$08:2:00]]', DTYPES.map(row => row.name)],
    ['booleans', '[l:[b:$0]]', ['true', 'false']],
    ['floats that are words', '[l:[f:$0]]', ['inf', '-inf', 'nan']],
    [
      'sessions in use, the nearest first',
      `${CALL}\n${CALL.replace('s1', 's2')}\n[d:[s:session_id]:[s:$0]]`,
      ['s2', 's1'],
    ],
    ['sessions behind the place too', `[d:[s:session_id]:[s:$0]]\n${CALL}`, ['s1']],
    ['tools in use', `${CALL}\n${HEAD}[s:tool_call],[s:tool]:[s:$0]]`, ['sum']],
    [
      'arguments that other calls of the tool give',
      `${CALL}\n${HEAD}[s:tool_call],[s:tool]:[s:sum],[s:params]:[d:[s:a]:[i:1],$0]]`,
      ['b'],
    ],
    [
      'the next chunk of a stream',
      `${HEAD}[s:result],[s:stream_id]:[s:out_1/3]]\n${HEAD}[s:result],[s:stream_id]:[s:$0]]`,
      ['out_2/3', 'stream_1/2'],
    ],
    [
      'no next chunk of a stream that ended',
      `${HEAD}[s:result],[s:stream_id]:[s:out_3/3]]\n${HEAD}[s:result],[s:stream_id]:[s:$0]]`,
      ['stream_1/2'],
    ],
    ['error codes', `${HEAD}[s:error],[s:code]:[i:$0]]`, ['1000', '1001', '2001', '3001', '4001', '5000']],
    [
      'the reason of the code first',
      `${ERROR},[s:reason]:[s:$0]]`,
      [
        'MISSING_FIELD',
        'PROTOCOL_ERROR',
        'INVALID_TENSOR',
        'TOOL_UNAVAILABLE',
        'DATA_FORMAT_ERROR',
        'TOOL_FAILED',
      ],
    ],
    [
      'types as the format of data',
      `${HEAD}[s:data_query],[s:data_format]:[s:$0]]`,
      TYPE_TAGS.map(row => row.title),
    ],
    ['versions of the protocol', `${HEAD}[s:protocol_negotiate],[s:supported]:[l:[s:$0]]]`, ['LightAICL']],
    [
      'versions of the protocol as values of a list',
      `${HEAD}[s:protocol_negotiate],[s:supported]:[l:$0]]`,
      ['[s:LightAICL]', '[s:]'],
    ],
    [
      'directives',
      `# @$0\n${CALL}`,
      ['@agent', '@default', '@name', '@timeout', '@session', '@literal', '@var'],
    ],
    ['agents that other directives name', `# @agent one\n# @agent $0\n# @agent two\n`, ['one', 'two']],
    [
      'conversations that other directives name',
      `# @session one\n# @session $0\n# @session two\n`,
      ['one', 'two'],
    ],
    ['nothing in a comment', `# note $0\n${CALL}`, []],
    ['nothing in a text', CALL.replace('sum', 'su$0m').replace('tool_call', 'task_request'), []],
    [
      'nothing in a key of a nested dictionary',
      CALL.replace('tool_call', 'result').replace('[s:a]', '[s:$0]'),
      [],
    ],
    ['nothing in a number', '[l:[i:$0]]', []],
    ['nothing in a payload', '[l:[t:uint8:2:$0]]', []],
    ['nothing behind a key', '[d:[s:x]$0]', []],
    ['nothing where a value stands', '[d:[s:x]:$0[i:1]]', []],
    ['nothing between the bracket and the letter', '[l:[$0s:x]]', []],
    ['nothing in the place of a text over two lines', '[d:[s:msg_type]:[s:a$0\nb]]', []],
    ['nothing behind words', 'words $0', []],
  ];
  for (const [name, marked, expected] of cases) {
    it(name, () => assert.deepEqual(labels(marked), expected));
  }

  it('header fields are not required under the profile chat', () => {
    const { doc, offset } = open('[d:[s:msg_type]:[s:tool_call],$0]', {
      ...DEFAULT_SETTINGS,
      'aicl.profile': 'chat',
    });
    const ordered = doc.complete(offset).toSorted((a, b) => a.rank - b.rank);
    assert.deepEqual(
      ordered.slice(0, 4).map(item => [item.label, item.detail]),
      [
        ['tool', 'string, required'],
        ['params', 'dictionary, required'],
        ['protocol', 'string'],
        ['session_id', 'string'],
      ],
    );
  });

  it('a blank asks only for values of directives', () => {
    const { doc, offset } = open(`${CALL}\n$0`);
    assert.deepEqual(doc.complete(offset, { typed: ' ' }), []);
    const directive = open('# @agent one\n# @agent $0');
    assert.equal(directive.doc.complete(directive.offset, { typed: ' ' }).length, 1);
  });

  it('the documentation of a topic that is none is none', () => {
    const { doc } = open('$0');
    for (const topic of [
      '',
      'message',
      'message x',
      'field a',
      'field .x',
      'error 1',
      '__proto__ x',
      'tag ',
    ]) {
      assert.equal(doc.describe(topic), undefined, topic);
    }
    assert.match(doc.describe('field tool_call.params') ?? '', /^\*\*params\*\* \(field of tool_call/);
  });
});

describe('AICL completion: what is written', () => {
  const message = (session: string): string =>
    `[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:\${1:${session}}],\n  [s:msg_type]:[s:tool_call],\n  [s:tool]:[s:$2],\n  [s:params]:[d:$3]\n]`;
  const cases: readonly (readonly [string, string, string])[] = [
    ['[d$0]', 'tool_call', message('session')],
    ['[d:$0]', 'tool_call', message('session')],
    [`${CALL}\n[$0]`, 'tool_call', `${CALL}\n${message('s1')}`],
    ['[d:$0]', 'msg_type', '[d:[s:msg_type]:[s:$1]]'],
    ['[d:$0]', 'protocol', '[d:[s:protocol]:[s:LightAICL]]'],
    ['[d:[$0]]', 'msg_type', '[d:[s:msg_type]:[s:$1]]'],
    ['[d:[s:msg$0]]', 'msg_type', '[d:[s:msg_type]:[s:$1]]'],
    ['[d:[s:msg$0]:[s:x]]', 'msg_type', '[d:[s:msg_type]:[s:x]]'],
    ['[d:\n  msg$0\n]', 'msg_type', '[d:\n  [s:msg_type]:[s:$1]\n]'],
    ['[d:$0[s:x]:[i:1]]', 'msg_type', '[d:[s:msg_type]:[s:$1],[s:x]:[i:1]]'],
    ['[d:\n  $0\n  [s:x]:[i:1]\n]', 'msg_type', '[d:\n  [s:msg_type]:[s:$1],\n  [s:x]:[i:1]\n]'],
    ['[d:\n  [s:x]:[i:1]\n  $0\n]', 'msg_type', '[d:\n  [s:x]:[i:1],\n  [s:msg_type]:[s:$1]\n]'],
    ['[d:[s:x]:[i:1]$0]', 'msg_type', '[d:[s:x]:[i:1],[s:msg_type]:[s:$1]]'],
    ['[d:[s:x]:[l:]$0]', 'msg_type', '[d:[s:x]:[l:],[s:msg_type]:[s:$1]]'],
    ['[d:\n  [s:x]:[i:1]\n  $0', 'msg_type', '[d:\n  [s:x]:[i:1],\n  [s:msg_type]:[s:$1]'],
    [
      '[d:\n  [s:x]:[i:1],\n  [s:$0\n  [s:y]:[i:2]\n]',
      'msg_type',
      '[d:\n  [s:x]:[i:1],\n  [s:msg_type]:[s:$1],\n  [s:y]:[i:2]\n]',
    ],
    [
      '[d:\n  [s:msg_type]:$0\n  [s:y]:[i:2]\n]',
      '[s:result]',
      '[d:\n  [s:msg_type]:[s:result],\n  [s:y]:[i:2]\n]',
    ],
    [
      '[d:\n  [s:msg_type]:[s:re$0\n  [s:y]:[i:2]\n]',
      'result',
      '[d:\n  [s:msg_type]:[s:result],\n  [s:y]:[i:2]\n]',
    ],
    ['[d:[s:msg_type]:[$0]]', '[s:result]', '[d:[s:msg_type]:[s:result]]'],
    ['[l:[i:1]$0]', '[b:]', '[l:[i:1],[b:${1|true,false|}]]'],
    ['[l:[t:$0]]', 'int8', '[l:[t:int8:${1:2,2}:$2]]'],
    ['[l:[t:fl$0:2:00]]', 'int8', '[l:[t:int8:2:00]]'],
    [CALL.replace('tool_call', 'tool$0_x'), 'data_query', CALL.replace('tool_call', 'data_query')],
    [`${ERROR},$0]`, 'reason', `${ERROR},[s:reason]:[s:MISSING_FIELD]]`],
    ['# @agent one\n# @agent o$0x', 'one', '# @agent one\n# @agent one'],
    ['# @a$0gent', '@timeout', '# @timeout '],
    [
      `${CALL.replace('s1', 'a\\u005D$b')}\n[d:[s:session_id]:[s:$0]]`,
      'a\\u005D$b',
      `${CALL.replace('s1', () => 'a\\u005D$b')}\n[d:[s:session_id]:[s:a\\u005D$b]]`,
    ],
  ];
  for (const [marked, label, expected] of cases) {
    it(`${label} at ${marked}`, () => assert.equal(accept(marked, label), expected));
  }

  it('closed sets are accepted by what follows them, others are not', () => {
    const commit = (marked: string): unknown => proposals(marked)[0]?.commit;
    assert.deepEqual(
      [
        commit(`${HEAD}[s:$0]]`),
        commit('[l:[b:$0]]'),
        commit('[l:[t:$0:2:00]]'),
        commit(`${CALL}[d:[s:session_id]:[s:$0]]`),
      ],
      [']', ']', ':', undefined],
    );
  });
});

describe('AICL completion in a large file', () => {
  /** What one answer reads, beside the work of opening the file. */
  function workAt(messages: number): number {
    // In the gate only those nearby, which are read, are calls.
    const [near, far] = [
      `${CALL}\n`.repeat(sized(messages, 200)),
      '[i:1]\n'.repeat(sized(0, messages - 200)),
    ];
    const text = `${far}${near}${HEAD}[s:result],[s:stream_id]:[s:]]\n${near}${far}`;
    const doc = parseAicl(text, DEFAULT_SETTINGS, () => []);
    const before = doc.work.count;
    const places = ['[s:result]', '[s:stream_id]', '[s:]]', 's1],[s:msg_type]:[s:result'];
    for (const place of places) complete(doc, text.indexOf(place) + 3);
    complete(doc, text.indexOf('[s:]]') + 5);
    return doc.work.count - before;
  }

  it('reads as much as in a smaller one', () => {
    const [small, large] = [workAt(sized(10_000, 2_000)), workAt(sized(40_000, 3_000))];
    assert.ok(small > 0);
    assert.equal(large, small);
  });
});
