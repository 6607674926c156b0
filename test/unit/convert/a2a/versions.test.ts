import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { areSameMessages, NO_TOOLS, readIn } from '../../../support/conversions.ts';

const RPC = { jsonrpc: '2.0', id: 1 };

interface Reply {
  readonly it: string;
  /** As each version writes it. */
  readonly old: object;
  readonly now: object;
  readonly kind: string;
  readonly fields: object;
  /** What only A2A knows, beside the version. */
  readonly oldRest?: object;
  readonly nowRest?: object;
  /** True for one that goes back as it was, whatever of it is read. */
  readonly isWhole?: true;
}

const IDS = { taskId: 't1', contextId: 'c1' };
const ARTIFACT = 'a1';

/** Answers of servers of version 0.3, which name their kind, and of 1.0, which stand in a member by that name. */
const REPLIES: readonly Reply[] = [
  {
    it: 'a message',
    old: { kind: 'message', messageId: 'm1', role: 'agent', parts: [{ kind: 'text', text: 'Hi' }] },
    now: { message: { messageId: 'm1', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] } },
    kind: 'result',
    fields: { data: 'Hi' },
    oldRest: { message: { messageId: 'm1' } },
    nowRest: { message: { messageId: 'm1' } },
  },
  {
    it: 'data in a message',
    old: {
      ...{ kind: 'message', messageId: 'm1', role: 'agent' },
      parts: [{ kind: 'data', data: { n: 1 } }],
    },
    now: { message: { messageId: 'm1', role: 'ROLE_AGENT', parts: [{ data: { n: 1 } }] } },
    kind: 'result',
    fields: { data: { n: 1 } },
    oldRest: { message: { messageId: 'm1' } },
    nowRest: { message: { messageId: 'm1' } },
  },
  {
    it: 'a task with its artifact',
    old: {
      ...{ kind: 'task', contextId: 'c1', id: 't1', status: { state: 'completed' } },
      artifacts: [{ artifactId: ARTIFACT, parts: [{ kind: 'text', text: 'Hi' }] }],
    },
    now: {
      task: {
        ...{ id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } },
        artifacts: [{ artifactId: ARTIFACT, parts: [{ text: 'Hi' }] }],
      },
    },
    kind: 'result',
    fields: { session: 'c1', data: 'Hi' },
    oldRest: { task: { id: 't1', artifacts: [{ artifactId: ARTIFACT }] } },
    nowRest: { task: { id: 't1', artifacts: [{ artifactId: ARTIFACT }] } },
    isWhole: true,
  },
  {
    it: 'a status that is not the last',
    old: { kind: 'status-update', ...IDS, status: { state: 'working' }, final: false },
    now: { statusUpdate: { ...IDS, status: { state: 'TASK_STATE_WORKING' } } },
    kind: 'chunk',
    fields: { session: 'c1', event: 'status' },
    oldRest: { statusUpdate: { taskId: 't1', final: false } },
    nowRest: { statusUpdate: { taskId: 't1' } },
    isWhole: true,
  },
  {
    it: 'the first part of an artifact',
    old: {
      kind: 'artifact-update',
      ...IDS,
      artifact: { artifactId: ARTIFACT, parts: [{ kind: 'text', text: 'Hi' }] },
    },
    now: {
      artifactUpdate: {
        ...IDS,
        artifact: { artifactId: ARTIFACT, parts: [{ text: 'Hi' }] },
      },
    },
    kind: 'chunk',
    fields: { session: 'c1', data: 'Hi' },
    oldRest: { $piece: ARTIFACT, artifactUpdate: { taskId: 't1', artifact: { artifactId: ARTIFACT } } },
    nowRest: { $piece: ARTIFACT, artifactUpdate: { taskId: 't1', artifact: { artifactId: ARTIFACT } } },
  },
  {
    it: 'the last status',
    old: { kind: 'status-update', ...IDS, status: { state: 'completed' }, final: true },
    now: { statusUpdate: { ...IDS, status: { state: 'TASK_STATE_COMPLETED' } } },
    kind: 'end',
    fields: { session: 'c1' },
    oldRest: { statusUpdate: { taskId: 't1' } },
    nowRest: { statusUpdate: { taskId: 't1' } },
  },
];

const nameOf = (now: object): string => Object.keys(now).join();

const line = (json: object): string => `${JSON.stringify(json)}\n`;

/** The members of objects in one order, for members of JSON have none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
}

describe('replies of both versions of A2A', () => {
  for (const { it: title, old, now, kind, fields, oldRest, nowRest, isWhole } of REPLIES)
    for (const [version, result, rest] of [
      ['0.3', old, { $version: '0.3', ...(isWhole && { $whole: { [nameOf(now)]: old } }), ...oldRest }],
      ['1.0', now, { ...(isWhole && { $whole: now }), ...nowRest }],
    ] as const)
      it(`${version}: ${title}, and back as that version has it`, () => {
        const reply = line({ ...RPC, result });
        const there = convertText(reply, { protocols: ALL_PROTOCOLS, to: 'json', layout: 'compact' });
        assert.deepEqual([there.losses, there.notes], [[], []]);
        assert.deepEqual(
          there.messages.map(({ from }) => from),
          ['a2a'],
        );
        const read = sorted(JSON.parse(there.text));
        assert.deepEqual(read, sorted({ kind, ...fields, rest: { a2a: rest } }));
        const back = convertText(there.text, { protocols: ALL_PROTOCOLS, to: 'a2a', layout: 'compact' });
        // A part of a stream is an event.
        const json = back.text.replace(/^data: /, '');
        assert.deepEqual(sorted(JSON.parse(json)), sorted({ ...RPC, result }));
      });

  it('stream what they stream, event by event, and end alike', () => {
    const events = (name: 'old' | 'now'): string =>
      REPLIES.filter(({ kind }) => kind !== 'result')
        .map(reply => `data: ${line({ ...RPC, result: reply[name] })}\n`)
        .join('');
    for (const version of ['old', 'now'] as const) {
      const source = events(version);
      const { text: lines } = convertText(source, { protocols: ALL_PROTOCOLS, to: 'aicf' });
      assert.equal(lines, 'STREAM|Hi\nEND\n');
      const there = convertText(source, { protocols: ALL_PROTOCOLS, to: 'json' });
      const back = convertText(there.text, { protocols: ALL_PROTOCOLS, from: 'json', to: 'a2a' });
      assert.deepEqual(there.losses, []);
      assert.ok(
        areSameMessages(readIn('a2a', source, NO_TOOLS), readIn('a2a', back.text, NO_TOOLS)),
        back.text,
      );
    }
  });

  it('belong to the methods of their version', () => {
    const methods: readonly (readonly [method: string, params: object, message: object])[] = [
      [
        'message/stream',
        { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] } },
        {
          kind: 'task',
          task: 'Hi',
          rest: { a2a: { $method: 'message/stream', message: { messageId: 'm' } } },
        },
      ],
      [
        'SendStreamingMessage',
        { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] } },
        {
          kind: 'task',
          task: 'Hi',
          rest: { a2a: { $method: 'SendStreamingMessage', message: { messageId: 'm' } } },
        },
      ],
      [
        'tasks/get',
        { id: 't1' },
        { kind: 'call', tool: 'tasks/get', arguments: { id: 't1' }, rest: { a2a: { $method: 'tasks/get' } } },
      ],
      [
        'CancelTask',
        { id: 't1' },
        {
          kind: 'call',
          tool: 'CancelTask',
          arguments: { id: 't1' },
          rest: { a2a: { $method: 'CancelTask' } },
        },
      ],
    ];
    for (const [method, params, message] of methods) {
      const request = line({ ...RPC, method, params });
      const there = convertText(request, { protocols: ALL_PROTOCOLS, to: 'json', layout: 'compact' });
      assert.deepEqual(sorted(JSON.parse(there.text)), sorted(message));
      const back = convertText(there.text, { protocols: ALL_PROTOCOLS, to: 'a2a', layout: 'compact' });
      assert.deepEqual(sorted(JSON.parse(back.text)), sorted({ ...RPC, method, params }));
    }
  });
});
