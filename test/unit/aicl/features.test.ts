import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../protocol/src/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../protocol/src/languages.ts';
import { applyEdits } from '../../../protocol/src/text/edit.ts';

const CALL =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:sum],[s:params]:[d:]]';

function open(text: string, settings = DEFAULT_SETTINGS) {
  return LANGUAGE_SUPPORT.aicl.open(text, settings);
}

/** Takes the cursor `$0` out of a text. */
function atCursor(marked: string): { readonly doc: ReturnType<typeof open>; readonly offset: number } {
  const offset = marked.indexOf('$0');
  if (offset < 0) throw new Error('atCursor: no $0');
  return { doc: open(marked.replace('$0', '')), offset };
}

function hoverTitle(marked: string): string | undefined {
  const { doc, offset } = atCursor(marked);
  return doc.hover(offset)?.markdown.split('\n')[0];
}

function labels(marked: string): readonly string[] {
  const { doc, offset } = atCursor(marked);
  return doc.complete(offset).map(item => item.label);
}

describe('AICL hover', () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['a message type', CALL.replace('tool_call', 'tool$0_call'), '**tool_call** (LightAICL request)'],
    [
      'a header key',
      CALL.replace('[s:protocol', '[s:pro$0tocol'),
      '**protocol** (field of every message, string, required)',
    ],
    [
      'a field of the type',
      CALL.replace('[s:params', '[s:par$0ams'),
      '**params** (field of tool_call, dictionary, required)',
    ],
    ['a type letter', CALL.replace(':[d:]]', ':[$0d:]]'), '**dictionary** `[d:[s:price]:[f:899.99]]`'],
    ['a data type', '[l:[t:bfl$0oat16:0:]]', '**bfloat16** (data type, 2 bytes an element)'],
    [
      'an error code',
      CALL.replace('tool_call', 'error').replace('[s:tool]:[s:sum]', '[s:code]:[i:20$001]'),
      '**2001 MISSING_FIELD** (also written `MISSING_REQUIRED_FIELD`) (LightAICL error code)',
    ],
    ['no catalog name', CALL.replace('[s:sum]', '[s:su$0m]'), undefined],
    ['a key that is not known', CALL.replace('[s:tool]', '[s:to$0ols]'), undefined],
    ['the space between messages', `${CALL}\n$0\n${CALL}`, undefined],
  ];
  for (const [name, marked, expected] of cases)
    it(`on ${name}`, () => assert.equal(hoverTitle(marked), expected));
});

describe('AICL completion', () => {
  const TYPES = ['task_request', 'data_query', 'tool_call', 'result', 'error', 'protocol_negotiate'];
  it('offers whole messages on an empty line', () => assert.deepEqual(labels(`${CALL}\n$0\n`), TYPES));
  it('offers message types, also while the message is not finished', () => {
    assert.deepEqual(labels(CALL.replace('tool_call', '$0')), TYPES);
    assert.deepEqual(
      labels('[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:to$0'),
      TYPES,
    );
  });
  it('offers the fields that are missing, required ones first', () => {
    const { doc, offset } = atCursor(CALL.replace(',[s:params]:[d:]', ',[s:$0]:[d:]'));
    const ordered = [...doc.complete(offset)].sort((a, b) => a.rank - b.rank).map(item => item.label);
    assert.deepEqual(ordered, ['params', 'timeout', 'signature', 'stream_id', 'is_final']);
  });
  it('offers no fields inside of params', () =>
    assert.deepEqual(labels(CALL.replace('[d:]]', '[d:[s:$0]:[i:1]]]')), []));
  it('offers data types', () => assert.equal(labels('[l:[t:$0]]').length, 17));
  const typed: readonly (readonly [string, string, string])[] = [
    ['[d$0]', 'tool_call', ''],
    ['[d:$0]', 'msg_type', '[d:[s:msg_type]:[s:$1]]'],
    ['[d:[$0]]', 'msg_type', '[d:[s:msg_type]:[s:$1]]'],
    ['[d:[s:msg$0]]', 'msg_type', '[d:[s:msg_type]:[s:$1]]'],
    ['[d:[s:msg$0]:[s:x]]', 'msg_type', '[d:[s:msg_type]:[s:x]]'],
  ];
  for (const [marked, label, expected] of typed) {
    it(`with the bracket that the editor closed: ${marked} and ${label}`, () => {
      const { doc, offset } = atCursor(marked);
      const item = doc.complete(offset).find(candidate => candidate.label === label);
      assert.ok(item);
      const result = applyEdits(String(doc.text), [{ span: item.span, newText: item.newText }]);
      assert.equal(result, expected || item.newText);
    });
  }
  it('replaces what is there', () => {
    const { doc, offset } = atCursor(CALL.replace('tool_call', 'tool$0_x'));
    const item = doc.complete(offset).find(candidate => candidate.label === 'data_query');
    assert.ok(item);
    assert.equal(
      applyEdits(String(doc.text), [{ span: item.span, newText: item.newText }]),
      CALL.replace('tool_call', 'data_query'),
    );
  });
});

describe('AICL outline, folding, requests', () => {
  it('lists messages by type with their fields', () => {
    const [symbol, ...others] = open(CALL).symbols();
    assert.deepEqual(others, []);
    assert.deepEqual([symbol?.name, symbol?.detail, symbol?.kind], ['tool_call', 'sum · s1', 'call']);
    assert.deepEqual(
      symbol?.children.map(child => [child.name, child.detail]),
      [
        ['protocol', 'LightAICL'],
        ['session_id', 's1'],
        ['msg_type', 'tool_call'],
        ['tool', 'sum'],
        ['params', 'dictionary of 0'],
      ],
    );
  });

  it('folds messages, their parts of several lines, and runs of container lines', () => {
    const text = '# one\n# two\n[d:\n  [s:a]:[l:\n    [i:1]\n  ]\n]\n';
    const doc = open(text);
    const lines = doc
      .folds()
      .map(fold => [doc.lines.lineAt(fold.span.start), doc.lines.lineAt(fold.span.end), fold.kind]);
    assert.deepEqual(lines, [
      [0, 1, 'comment'],
      [2, 6, 'region'],
      [3, 5, 'region'],
    ]);
  });

  it('gives each request its directives and what goes over the wire', () => {
    const wrapped = CALL.replace('[d:]', '[d:\r\n  [s:x]:[t:uint8:8:\r\n    00000\r\n    00000]]');
    const doc = open(`# @agent a\n# @timeout 2.5\n${CALL}\r\n[i:1]\n# @name second\r\n${wrapped}`);
    assert.deepEqual(
      doc.requests().map(({ title, directives, wireText }) => ({ title, directives, wireText })),
      [
        { title: 'sum', directives: { agent: 'a', timeout: '2.5' }, wireText: CALL },
        {
          title: 'second',
          directives: { name: 'second' },
          wireText: CALL.replace('[d:]', '[d:\n  [s:x]:[t:uint8:8:0000000000]]'),
        },
      ],
    );
  });

  it('a field that a fix adds stands on a line as the others do', () => {
    const text =
      '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s],\n  [s:msg_type]:[s:tool_call],\n  [s:tool]:[s:x]\n]';
    const [issue] = open(text).validate();
    assert.equal(
      applyEdits(text, issue?.fixes?.[0]?.edits ?? []),
      text.replace('[s:x]', '[s:x],\n  [s:params]:[d:]'),
    );
  });

  it('a message with an elided tensor can never be sent', () => {
    const elided = CALL.replace('[d:]', '[d:[s:x]:[t:float32:128,256:YHj*...]]');
    const refusals = open(`${CALL}\n${elided}`)
      .requests()
      .map(request => request.refusal);
    assert.deepEqual(refusals, [
      undefined,
      "Data is left out of a tensor with '...': put the data in to send the message",
    ]);
  });

  it('the profile chat wants no header and checks what is there', () => {
    const chat = { ...DEFAULT_SETTINGS, 'aicl.profile': 'chat' } as const;
    assert.deepEqual(open('[d:[s:content]:[s:hi]]', chat).validate(), []);
    assert.deepEqual(
      open('[d:[s:msg_type]:[s:tool_call],[s:tool]:[i:1],[s:params]:[d:]]', chat)
        .validate()
        .map(issue => issue.code),
      ['aicl/field-type'],
    );
  });

  it('a document says how many issues it does not list', () => {
    const issues = open('[x:1]\n'.repeat(30), { ...DEFAULT_SETTINGS, maxIssues: 10 }).validate();
    assert.equal(issues.length, 10);
    assert.match(issues[9]?.message ?? '', /^\d+ more issues from here on are not shown/);
  });
});

describe('AICL formatting', () => {
  it('puts a message on lines, keeps what is short on its line, and wraps payloads', () => {
    const payload = '0'.repeat(150);
    const text = `${CALL.replace('[d:]', `[d:[s:list]:[l:[i:1], [i:2]] , [s:image]:[t:uint8:120:${payload}]]`)}\n\n\n\n#  note  \n[d:]`;
    assert.equal(
      applyEdits(text, open(text).format()),
      `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:s1],
  [s:msg_type]:[s:tool_call],
  [s:tool]:[s:sum],
  [s:params]:[d:
    [s:list]:[l:[i:1],[i:2]],
    [s:image]:[t:uint8:120:
      ${payload.slice(0, 120)}
      ${payload.slice(120)}
    ]
  ]
]

#  note  
[d:]
`,
    );
  });

  it('leaves what it cannot read, and the space around it', () => {
    const text = `[d:  [s:a]:[i:1] [s:b]:[i:2]]   # x\n\n\n\n[d:  ]\n`;
    assert.equal(applyEdits(text, open(text).format()), '[d:  [s:a]:[i:1] [s:b]:[i:2]]   # x\n\n\n\n[d:]\n');
  });
});
