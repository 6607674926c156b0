import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { applyEdits } from '../../../core/text/edit.ts';

const CALL =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:sum],[s:params]:[d:]]';

function open(text: string, settings = DEFAULT_SETTINGS) {
  return LANGUAGE_SUPPORT.aicl.open(text, settings);
}

describe('AICL outline, folding, requests', () => {
  it('lists messages by tool or type with their fields', () => {
    const [symbol, ...others] = open(CALL).symbols();
    assert.deepEqual(others, []);
    assert.deepEqual([symbol?.name, symbol?.detail, symbol?.kind], ['sum', 'tool_call · s1', 'call']);
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
      .folds.map(fold => [doc.text.lineAt(fold.span.start), doc.text.lineAt(fold.span.end), fold.kind]);
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

  it('sends requests that name no agent to the default of the file, which is at its head', () => {
    const doc = open(
      `# note\n# @default d\n# @name one\n${CALL}\n# @agent a\n${CALL}\n# @default e\n${CALL}`,
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

  it('a field that a fix adds is on a line as the others are', () => {
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
