import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentInfo } from '../../../client/src/services/agent-service.ts';
import { findReceivers } from '../../../client/src/features/traces/replay/receivers.ts';
import {
  describeQuestion,
  describeResult,
  listScopes,
} from '../../../client/src/features/traces/replay/replay-words.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { CallEvent, TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { planReplay, type ReplayPlan } from '../../../trace/replay/replay.ts';

function agent(name: string, protocol: ProtocolName): AgentInfo {
  const file = { path: '/agents.json' } as unknown as AgentInfo['file'];
  return { name, protocol, type: 'http', address: `http://localhost/${name}`, file, line: 0 };
}

const CALL = { type: 'call', protocol: 'aicf' } as const;

const AGENTS = [agent('planner', 'aicf'), agent('librarian', 'mcp')];

/** The plan of a trace: each row is the agent and what it was sent; `\0` holds a secret, and '' tells of nothing. */
async function plan(rows: readonly (readonly [agent: string, text: string])[]): Promise<ReplayPlan> {
  const fold = new TraceFold();
  const wire = new Map<string, TraceEvent[]>();
  for (const [index, [name, text]] of rows.entries()) {
    const call = `c${index}`;
    const title = text.split('|')[1] ?? 'none';
    fold.add({ type: 'call', call, trace: call, at: index, agent: name, protocol: 'aicf', title });
    const event: TraceEvent = {
      type: 'wire',
      call,
      at: index,
      direction: 'out',
      bytes: { text: text.replace('\0', '[redacted]') },
      ...(text.includes('\0') ? { redacted: [{ at: text.indexOf('\0'), length: 9 }] } : {}),
    };
    wire.set(call, text === '' ? [] : [event]);
  }
  const payload = (call: string): ReturnType<Parameters<typeof planReplay>[1]> =>
    Promise.resolve((wire.get(call) ?? []).flatMap(event => (event.type === 'wire' ? [event] : [])));
  return planReplay(fold.trees(), payload, { newId: () => 'new', protocols: ALL_PROTOCOLS });
}

describe('a replay', () => {
  it('sends each request to the agent of the recorded name, and names those without a receiver', async () => {
    const { sendings, unsent } = findReceivers(
      await plan([
        ['planner', 'CALL|plan|a'],
        ['booker', 'CALL|book|b'],
        ['planner', 'CALL|login|\0'],
        ['planner', ''],
      ]),
      AGENTS,
      undefined,
    );
    assert.deepEqual(
      sendings.map(({ agent: { name }, text, language, losses }) => [name, text, language, losses]),
      [
        ['planner', 'CALL|plan|a', undefined, []],
        ['planner', 'CALL|login|{{secret-1}}', undefined, []],
      ],
    );
    assert.deepEqual(
      unsent.map(({ recorded, reason }) => [recorded.call.agent, reason]),
      [
        ['planner', 'the recording does not contain what was sent'],
        ['booker', 'the agents file has no agent of this name'],
      ],
    );
  });

  it('asks an agent of another protocol in the language of the request', async () => {
    const { sendings } = findReceivers(await plan([['booker', 'CALL|book|b']]), AGENTS, AGENTS[1]);
    assert.deepEqual(
      sendings.map(({ agent: { name }, text, language }) => [name, text, language]),
      [['librarian', 'CALL|book|b', 'aicf']],
    );
  });

  it('says before it sends what goes where, and what does not', async () => {
    const rows = [
      ['planner', 'CALL|plan|a'],
      ['planner', 'CALL|plan|b'],
      ['booker', 'CALL|book|c'],
    ] as const;
    const same = findReceivers(await plan(rows), AGENTS, undefined);
    assert.deepEqual(describeQuestion(same, 2), {
      question: 'Send 2 recorded requests again?',
      detail: [
        '2 requests to planner (AICF-RPC 1.0, http://localhost/planner): plan',
        '',
        'Not sent:',
        'booker book: the agents file has no agent of this name',
        '',
        '2 recorded calls below them: the agents make such calls themselves.',
        '',
        'What the requests ask for is done once more. Credentials in headers are those of the agents file; a recording has none.',
      ].join('\n'),
      button: 'Send 2 requests',
    });
    const secret = findReceivers(await plan([...rows, ['planner', 'CALL|login|\0|\0']]), AGENTS, undefined);
    assert.equal(
      describeQuestion(secret, 0).detail.split('\n\n')[1],
      'Filled in for planner, in 1 request: a secret of 9 bytes, which you enter',
    );
    const other = findReceivers(await plan(rows.slice(0, 1)), AGENTS, AGENTS[1]);
    assert.deepEqual(describeQuestion(other, 0), {
      question: 'Send 1 recorded request again?',
      detail: [
        '1 request to librarian (Model Context Protocol, http://localhost/librarian), converted from AICF-RPC 1.0: plan',
        '',
        'What the request asks for is done once more. Credentials in headers are those of the agents file; a recording has none.',
      ].join('\n'),
      button: 'Send 1 request',
    });
  });

  it('names eight of very many and counts the rest', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ['booker', `CALL|book${index}`] as const);
    const { detail } = describeQuestion(findReceivers(await plan(rows), AGENTS, undefined), 0);
    const lines = detail.split('\n');
    assert.deepEqual(lines.slice(0, 2), [
      'Not sent:',
      'booker book0: the agents file has no agent of this name',
    ]);
    assert.equal(lines[9], 'and 4 more');
  });

  it('counts a call once that was seen from both sides', () => {
    const fold = new TraceFold();
    const add = (call: string, more: Partial<CallEvent>): unknown =>
      fold.add({ ...CALL, call, trace: 't', at: Number(call), agent: 'planner', title: call, ...more });
    add('1', {});
    add('2', { parent: '1', reported: true });
    const offered = (): readonly string[] => {
      const [tree] = fold.trees();
      const [root] = tree?.roots ?? [];
      const rows = tree && root ? listScopes(root, tree) : [];
      return rows.map(({ scope, description }) => `${scope}: ${description}`);
    };
    assert.deepEqual(offered(), ['call: planner 1']);
    add('3', { parent: '2', agent: 'librarian' });
    assert.deepEqual(offered(), ['call: planner 1', 'subtree: 2 calls']);
    add('4', {});
    assert.deepEqual(offered(), ['call: planner 1', 'subtree: 2 calls', 'trace: 3 calls']);
  });

  it('says how much was sent', () => {
    assert.deepEqual(
      [describeResult(1, 1, 'A'), describeResult(2, 3, 'B. C')],
      ['Replayed 1 request. A.', 'Replayed 2 of 3 requests. B. C.'],
    );
  });
});
