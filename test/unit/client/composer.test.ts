import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Memento } from 'vscode';
import { writeAnswer, writeTask } from '../../../client/src/features/compose/chat-request.ts';
import { listModes } from '../../../client/src/features/compose/modes.ts';
import { StoredChoices } from '../../../client/src/features/compose/stored-choices.ts';
import { askInTime } from '../../../client/src/agents/questions/in-time.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { AICL } from '../../../protocols/aicl/protocol.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import {
  readConvertibleSteps,
  writeConverted,
} from '../../../protocols/convert/calls/convertible-request.ts';
import { PROTOCOLS } from '../../../core/catalog/protocols.ts';

describe('composer', () => {
  it('offers for each protocol what its agents take, their own first', () => {
    assert.deepEqual(
      PROTOCOLS.map(({ name }) => [name, listModes(name).join(' ')]),
      [
        ['aicl', 'chat tools'],
        ['aicf', 'tools'],
        ['json-rpc', 'tools'],
        ['aio', 'chat tools'],
        ['mcp', 'tools'],
        ['agent-api', 'chat'],
        ['responses', 'chat'],
        ['a2a', 'chat'],
      ],
    );
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

  it('stores the agent, its mode and the message, without credentials', async () => {
    const stored = new Map<string, unknown>();
    const memento = {
      keys: () => [...stored.keys()],
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => {
        stored.set(key, JSON.parse(JSON.stringify(value)));
        return Promise.resolve();
      },
    } as unknown as Memento;
    const choices = new StoredChoices(memento);
    await choices.choose('plan', 'tools');
    await choices.choose('gpt', 'chat');
    const text = 'Use {"api_key":"sk-hunter2"}';
    await choices.write(text);
    assert.equal(choices.message, text);
    assert.doesNotMatch(JSON.stringify([...stored]), /hunter2/);
    const again = new StoredChoices(memento);
    assert.deepEqual(
      [again.agent, again.modeOf('gpt'), again.modeOf('plan'), again.modeOf('other')],
      ['gpt', 'chat', 'tools', undefined],
    );
    assert.match(again.message, /^Use \{"api_key":/);
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
