import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { PROTOCOLS, type ProtocolName } from '../../../core/catalog/protocols.ts';
import { until } from '../support/raw-agent.ts';
import { CALLERS, type Asking, type Caller } from './callers.ts';
import { agentOf, bridge, type TestBridge } from './support.ts';
import { startTarget, type Target } from './targets.ts';

const NAMES = PROTOCOLS.map(({ name }) => name);

/** The agents that take calls of tools; the others, and some of these, take tasks. */
const HAS_TOOLS: ReadonlySet<ProtocolName> = new Set(['aicl', 'aicf', 'json-rpc', 'aio', 'mcp']);

/**
 * What a caller of each protocol gets from an agent of each protocol, in this order: what it lists (`-` in a protocol
 * without lists), a call, a task (`-` in a protocol that has only calls), how a streamed reply arrives, a call that
 * fails, and what happens to one that is cancelled. An agent that takes tasks alone is called by the tool `ask`.
 */
const TABLE: Readonly<Record<ProtocolName, readonly string[]>> = {
  aicl: [
    'aicl: both ok ok chunks fails ends',
    'aicf: tools ok refused chunks fails ends',
    'json-rpc: tools ok refused whole fails ends',
    'aio: both ok ok whole fails ends',
    'mcp: tools ok refused whole fails ends',
    'agent-api: ask ok ok chunks fails ends',
    'responses: ask ok ok chunks fails ends',
    'a2a: ask ok ok chunks fails ends',
  ],
  aicf: [
    'aicl: both ok - chunks fails ends',
    'aicf: tools ok - chunks fails ends',
    'json-rpc: tools ok - whole fails ends',
    'aio: both ok - whole fails ends',
    'mcp: tools ok - whole fails ends',
    'agent-api: ask ok - chunks fails ends',
    'responses: ask ok - chunks fails ends',
    'a2a: ask ok - chunks fails ends',
  ],
  // JSON-RPC has no streams.
  'json-rpc': [
    'aicl: both ok - whole fails ends',
    'aicf: tools ok - whole fails ends',
    'json-rpc: tools ok - whole fails ends',
    'aio: both ok - whole fails ends',
    'mcp: tools ok - whole fails ends',
    'agent-api: ask ok - whole fails ends',
    'responses: ask ok - whole fails ends',
    'a2a: ask ok - whole fails ends',
  ],
  // AIO has no streams, and takes tasks as `input`: its list has no tool for them.
  aio: [
    'aicl: tools ok ok whole fails ends',
    'aicf: tools ok refused whole fails ends',
    'json-rpc: tools ok refused whole fails ends',
    'aio: tools ok ok whole fails ends',
    'mcp: tools ok refused whole fails ends',
    'agent-api: none ok ok whole fails ends',
    'responses: none ok ok whole fails ends',
    'a2a: none ok ok whole fails ends',
  ],
  mcp: [
    'aicl: both ok - chunks fails ends',
    'aicf: tools ok - chunks fails ends',
    'json-rpc: tools ok - whole fails ends',
    'aio: both ok - whole fails ends',
    'mcp: tools ok - chunks fails ends',
    'agent-api: ask ok - chunks fails ends',
    'responses: ask ok - chunks fails ends',
    'a2a: ask ok - chunks fails ends',
  ],
  'agent-api': [
    'aicl: - ok ok chunks fails ends',
    'aicf: - ok refused chunks fails ends',
    'json-rpc: - ok refused whole fails ends',
    'aio: - ok ok whole fails ends',
    'mcp: - ok refused whole fails ends',
    'agent-api: - ok ok chunks fails ends',
    'responses: - ok ok chunks fails ends',
    'a2a: - ok ok chunks fails ends',
  ],
  responses: [
    'aicl: model ok ok chunks fails ends',
    'aicf: model ok refused chunks fails ends',
    'json-rpc: model ok refused whole fails ends',
    'aio: model ok ok whole fails ends',
    'mcp: model ok refused whole fails ends',
    'agent-api: model ok ok chunks fails ends',
    'responses: model ok ok chunks fails ends',
    'a2a: model ok ok chunks fails ends',
  ],
  // Progress of an agent is a status with its text.
  a2a: [
    'aicl: both ok ok chunks fails ends',
    'aicf: tools ok refused chunks fails ends',
    'json-rpc: tools ok refused whole fails ends',
    'aio: both ok ok whole fails ends',
    'mcp: tools ok refused chunks fails ends',
    'agent-api: ask ok ok chunks fails ends',
    'responses: ask ok ok chunks fails ends',
    'a2a: ask ok ok chunks fails ends',
  ],
};

describe('every protocol served in every protocol', () => {
  const targets = new Map<ProtocolName, Target>();
  const bridges: TestBridge[] = [];
  before(async () => {
    for (const name of NAMES) targets.set(name, await startTarget(name));
  });
  after(async () => {
    await Promise.all(bridges.map(each => each.close()));
    await Promise.all([...targets.values()].map(each => each.close()));
  });

  for (const as of NAMES)
    it(`lists, calls, gives tasks, streams, fails and cancels as ${as}`, async () => {
      const rows: string[] = [];
      for (const name of NAMES) rows.push(`${name}: ${(await tryAll(as, name)).join(' ')}`);
      assert.deepEqual(rows, TABLE[as]);
    });

  async function tryAll(as: ProtocolName, name: ProtocolName): Promise<readonly string[]> {
    const target = targets.get(name);
    assert.ok(target);
    const bridged = await bridge(agentOf({ protocol: name, type: 'http', url: target.url }, name), as);
    bridges.push(bridged);
    const caller = CALLERS[as];
    const act = (word: string): Asking =>
      HAS_TOOLS.has(name) ? caller.call(word, { text: 'x' }) : caller.call('ask', { task: word });
    return [
      caller.list ? judgeList(await ask(bridged, caller.list)) : '-',
      judge(await ask(bridged, act('say'))),
      caller.task ? judge(await ask(bridged, caller.task('say'))) : '-',
      judgeStream(await ask(bridged, act('count'))),
      judge(await ask(bridged, act('fail'))),
      await tryCancel(bridged, target, act('wait'), caller.cancel),
    ];
  }
});

async function ask(bridged: TestBridge, asking: Asking): Promise<string> {
  return (await send(bridged, asking)).text();
}

function send(bridged: TestBridge, asking: Asking, signal?: AbortSignal): Promise<Response> {
  const { path, method = 'POST', body } = asking;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'a2a-version': '1.0',
  };
  return fetch(path === undefined ? bridged.address : new URL(path, bridged.address), {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
}

function judgeList(text: string): string {
  if (/\bcount\b/.test(text)) return /\bask\b/.test(text) ? 'both' : 'tools';
  if (/\bask\b/.test(text)) return 'ask';
  return text.includes('"object":"model"') ? 'model' : text.includes('"tools":[]') ? 'none' : text;
}

function judge(text: string): string {
  if (text.includes('it broke')) return 'fails';
  if (text.includes('said it')) return 'ok';
  return /takes no tasks(?:: call one of its tools|, so it has no method 'input'; it has help, tools)|not found/.test(
    text,
  )
    ? 'refused'
    : text;
}

function judgeStream(text: string): string {
  if (/one (?!two)/.test(text) && /two (?!three)/.test(text)) return 'chunks';
  return text.includes('one two three') ? 'whole' : text;
}

/** Cancels a call that waits, or leaves it: the agent's caller goes too. */
async function tryCancel(
  bridged: TestBridge,
  target: Target,
  asking: Asking,
  cancel: Caller['cancel'],
): Promise<string> {
  const before = target.waiting();
  const left = target.left();
  const stop = new AbortController();
  const asked = send(bridged, asking, stop.signal);
  await until('the call to wait', () => target.waiting() > before);
  if (cancel) await cancelBy(bridged, await asked, cancel);
  stop.abort();
  await asked.catch(() => undefined);
  await until('the agent to be left', () => target.left() > left);
  return 'ends';
}

/** Cancels by a request that names what the first piece of the reply contains. */
async function cancelBy(
  bridged: TestBridge,
  reply: Response,
  cancel: NonNullable<Caller['cancel']>,
): Promise<void> {
  const { value } = (await reply.body?.getReader().read()) ?? {};
  await ask(bridged, cancel(new TextDecoder().decode(value)));
}
