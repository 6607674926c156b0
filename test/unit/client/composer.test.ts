import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Memento } from 'vscode';
import { writeAnswer, writeTask } from '../../../client/src/features/compose/chat-request.ts';
import { exampleOf, printDraft } from '../../../client/src/features/compose/draft-request.ts';
import { listModes } from '../../../client/src/features/compose/modes.ts';
import { StoredDrafts } from '../../../client/src/features/compose/stored-drafts.ts';
import { writeSnippet } from '../../../client/src/features/compose/snippet.ts';
import { askInTime } from '../../../client/src/agents/questions/in-time.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { readJsonValue } from '../../../language/values/json-reader.ts';
import { AICL } from '../../../protocols/aicl/protocol.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import {
  readConvertibleSteps,
  writeConverted,
} from '../../../protocols/convert/calls/convertible-request.ts';
import { PROTOCOLS } from '../../../core/catalog/protocols.ts';
import { requestAtLine } from '../../../wire/composer-texts.ts';

describe('composer', () => {
  it('makes a file of a text, whose first line names the agent', () => {
    const drafts = [
      { agent: 'toolbox', protocol: 'aicf', mode: 'aicf', text: 'CALL|math.add|1|2\nLIST' },
      { agent: '', protocol: 'aicf', mode: 'aicl', text: '# note\n[d:]\n' },
      { agent: 'gpt', protocol: 'responses', mode: 'agent-json', text: '{"input":"hi"}' },
    ] as const;
    assert.deepEqual(drafts.map(printDraft), [
      { text: '# @agent toolbox\nCALL|math.add|1|2\nLIST\n', head: 17, ending: '.aicf' },
      { text: '# note\n[d:]\n', head: 0, ending: '.aicl' },
      { text: '// @agent gpt\n{"input":"hi"}\n', head: 14, ending: '.responses.jsonc' },
    ]);
  });

  it('offers for each protocol what its agents take, their own first', () => {
    assert.deepEqual(
      PROTOCOLS.map(({ name }) => [name, listModes(name).join(' ')]),
      [
        ['aicl', 'chat tools aicl aicf'],
        ['aicf', 'tools aicf aicl'],
        ['json-rpc', 'tools agent-json aicf aicl'],
        ['aio', 'chat tools agent-json aicf aicl'],
        ['mcp', 'tools agent-json aicf aicl'],
        ['agent-api', 'chat agent-json aicf aicl'],
        ['responses', 'chat agent-json aicf aicl'],
        ['a2a', 'chat agent-json aicf aicl'],
      ],
    );
  });

  it('shows an example of a request that the agent takes', () => {
    for (const { name } of PROTOCOLS) {
      if (!listModes(name).includes('agent-json')) continue;
      const protocol = ALL_PROTOCOLS.find(name);
      const read = readJsonValue(exampleOf(name, 'agent-json'));
      assert.ok(read, name);
      assert.notEqual(protocol?.requests.title(read), undefined, name);
    }
  });

  it('writes a message with files as one task, which every chat converts to parts of its protocol', () => {
    const files = [
      { name: 'a [1].png', mimeType: 'image/png', base64: 'iVBORw0KGgo=' },
      { name: 'b.pdf', mimeType: 'application/pdf', base64: 'JVBERi0=' },
    ];
    const text = writeTask('Plan a trip to C:\\\nby train ]', 'chat-1', files);
    const notes: string[] = [];
    for (const { name } of PROTOCOLS) {
      if (!listModes(name).includes('chat')) continue;
      const tools = { isComplete: true, tools: new Map() };
      const options = { protocols: ALL_PROTOCOLS, tools };
      const read = runAtOnce(readConvertibleSteps(text, 'aicl', options));
      assert.ok(read.ok, name);
      const protocol = ALL_PROTOCOLS.find(name);
      assert.ok(protocol);
      const { text: written, warnings } = writeConverted(read.message, protocol, tools);
      assert.deepEqual(warnings, [], name);
      for (const { base64 } of files) if (!written.includes(base64)) notes.push(name);
      if (!written.includes('by train')) notes.push(name);
    }
    assert.deepEqual(notes, []);
  });

  it('writes an answer in the session of the question', () => {
    assert.equal(AICL.conversations?.readAnswered?.(writeAnswer('Lisbon ]', 's 1')), 's 1');
  });

  it('stores the agent, its mode and the texts, without credentials', async () => {
    const stored = new Map<string, unknown>();
    const memento = {
      keys: () => [...stored.keys()],
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => {
        stored.set(key, JSON.parse(JSON.stringify(value)));
        return Promise.resolve();
      },
    } as unknown as Memento;
    const drafts = new StoredDrafts(memento);
    await drafts.choose('gpt', 'agent-json');
    const text = 'CALL|a|AUTH:hunter2\r\nCALL|b|x\nCALL|c|AUTH: two words';
    await drafts.write({ agent: 'toolbox', mode: 'aicf', text }, 'aicf');
    await drafts.write({ agent: 'gpt', mode: 'agent-json', text: '{"api_key":"sk-hunter2"}' }, 'responses');
    await drafts.write({ agent: 'gpt', mode: 'chat', text: 'Hello' }, 'responses');
    assert.equal(drafts.textOf('aicf', 'aicf'), text);
    assert.doesNotMatch(JSON.stringify([...stored]), /hunter2|two words/);
    const again = new StoredDrafts(memento);
    assert.deepEqual(
      [
        again.agent,
        again.modeOf('gpt'),
        again.modeOf('toolbox'),
        again.textOf('aicf', 'aicf'),
        again.textOf('a2a', 'chat'),
        again.textOf('a2a', 'agent-json'),
      ],
      ['gpt', 'agent-json', undefined, 'CALL|a\r\nCALL|b|x\nCALL|c', 'Hello', ''],
    );
  });

  it('names the request that a line belongs to', () => {
    assert.deepEqual(
      [
        [[], 3],
        [[2, 4], 0],
        [[2, 4], 2],
        [[2, 4], 3],
        [[2, 4], 9],
      ].map(([lines, line]) => requestAtLine(lines as number[], line as number)),
      [0, 0, 0, 0, 1],
    );
  });

  it('writes a proposal with its first stop selected', () => {
    assert.deepEqual(
      [
        'LIST',
        'CALL|${1:tool}|$0',
        '[s:${2:b}]:[s:${1|one,two\\,x|}]',
        'a\\$b\\}c\\\\d',
        '${1:outer ${2:inner} end}!',
        '$5 costs ${',
        '',
      ].map(writeSnippet),
      [
        { text: 'LIST', select: { start: 4, end: 4 } },
        { text: 'CALL|tool|', select: { start: 5, end: 9 } },
        { text: '[s:b]:[s:one]', select: { start: 9, end: 12 } },
        { text: 'a$b}c\\d', select: { start: 7, end: 7 } },
        { text: 'outer inner end!', select: { start: 0, end: 15 } },
        { text: ' costs ${', select: { start: 0, end: 0 } },
        { text: '', select: { start: 0, end: 0 } },
      ],
    );
  });

  it('takes any snippet as a text no longer than itself', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('$', '{', '}', '1', '|', ',', ':', '\\', 'a') }),
        snippet => {
          const { text, select } = writeSnippet(snippet);
          assert.ok(text.length <= snippet.length);
          assert.ok(0 <= select.start && select.start <= select.end && select.end <= text.length);
        },
      ),
    );
  });
});

describe('a question of an agent', () => {
  it('is answered by none once its call has ended', async () => {
    const call = new AbortController();
    const never = new Promise<string>(() => undefined);
    const asked = askInTime(never, call.signal);
    call.abort();
    assert.deepEqual(
      [await asked, await askInTime(Promise.resolve('late'), call.signal)],
      [undefined, undefined],
    );
    assert.equal(await askInTime(Promise.resolve('yes'), new AbortController().signal), 'yes');
  });
});
