import { setTimeout } from 'node:timers/promises';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { startServer } from './support/agent-calls.ts';
import { startBridge } from './support/bridge-process.ts';
import { describeSlow } from './support/times.ts';

const CALLS = 1_000;
/** The number of warm-up calls, whose times depend on code that is not compiled yet. */
const WARM_UP = 200;
const LARGE = 10 * 2 ** 20;
const STREAMS = 15;
/** The number of streams before those that are measured: of an agent, of its caller and of a bridge that are all new. */
const WARM_UP_STREAMS = 8;
/** Milliseconds before a stream is read, in which the processes finish what the one before it has left to do. */
const PAUSE = 50;
/** The number of streams with a trace file, each of which adds more than 10 MB to it. */
const RECORDED_STREAMS = 7;
const FIRSTS = 200;

/**
 * What a bridge adds to a call of the agent itself.
 *
 * A stream is read by one client, this process, in two ways that take turns: from the agent in the agent's own protocol,
 * and through a bridge in a process of its own. The client decodes the chunks as they arrive and retains none, as a caller
 * that shows a stream does. The code for other benchmarks is loaded too, so garbage collection is a large part of both
 * times: for a client with nothing else in it, a bridge is slower beside the agent than these rows say. Agent, client and
 * bridge have run all of it several times before the first run that counts. The times are medians for 10 MB of what the
 * caller receives, because a stream of Responses or of the Agent API repeats its text where a part of it ends. A bridge
 * that records is measured after the others: it still writes its trace when its caller has the reply.
 */
export const benchmark: Benchmark = {
  title: 'Calls through a bridge in a process of its own, beside calls of the agent itself',
  async measure() {
    const server = await startServer();
    try {
      return [
        ...(await measureCalls(server.origin)),
        ...(await measureStream(server.origin, 'aicf', 'CALL|ask|read')),
        ...(await measureStream(server.origin, 'agent-api', AGENT_API)),
        ...(await measureStream(server.origin, 'responses', RESPONSES)),
      ];
    } finally {
      server.stop();
    }
  },
};

const RPC =
  '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"math.add","arguments":{"a":1,"b":2}}}';
const AGENT_API = '{"input":[{"role":"user","content":[{"type":"text","text":"read"}]}],"stream":true}';
const RESPONSES = '{"model":"bench","input":"read","stream":true}';

async function measureCalls(origin: string): Promise<readonly Row[]> {
  const url = `${origin}/rpc`;
  const bridge = await startBridge({ protocol: 'json-rpc', url }, 'json-rpc');
  const recording = await startBridge({ protocol: 'json-rpc', url }, 'json-rpc', 'recorded');
  const direct: number[] = [];
  const bridged: number[] = [];
  const recorded: number[] = [];
  // They take turns, so that other load on the machine affects both equally.
  for (let round = -WARM_UP; round < CALLS; round++) {
    const own = await timeOf(() => read(url, RPC));
    const added = await timeOf(() => read(bridge.address, RPC));
    const withTrace = await timeOf(() => read(recording.address, RPC));
    if (round < 0) continue;
    direct.push(own);
    bridged.push(added);
    recorded.push(withTrace);
  }
  await bridge.stop();
  await recording.stop();
  return [
    { name: 'A small call of the agent', kind: 'floor', medianMs: findMedian(direct), runs: CALLS },
    {
      name: 'A small call through the bridge: added to that',
      kind: 'ours',
      medianMs: Math.max(0, findMedian(bridged) - findMedian(direct)),
      runs: CALLS,
      note: describeSlow(bridged),
      maxMs: 2,
    },
    {
      name: 'The same with a trace file: added to that',
      kind: 'ours',
      medianMs: Math.max(0, findMedian(recorded) - findMedian(direct)),
      runs: CALLS,
      note: describeSlow(recorded),
    },
  ];
}

/** A streamed reply of an agent of the Agent API, itself and through a bridge, and the time of its first chunk. */
async function measureStream(origin: string, as: string, request: string): Promise<readonly Row[]> {
  const url = `${origin}/events?bytes=${LARGE}`;
  const bridge = await startBridge({ protocol: 'agent-api', url }, as);
  const times = { direct: [] as number[], bridged: [] as number[], recorded: [] as number[] };
  let length = 0;
  for (let run = -WARM_UP_STREAMS; run < STREAMS; run++) {
    const own = await timePerLarge(url, AGENT_API);
    const through = await timePerLarge(bridge.address, request);
    ({ length } = through);
    if (run < 0) continue;
    times.direct.push(own.milliseconds);
    times.bridged.push(through.milliseconds);
  }
  await bridge.stop();
  const recording = await startBridge({ protocol: 'agent-api', url }, as, 'recorded');
  for (let run = -1; run < RECORDED_STREAMS; run++) {
    const withTrace = await timePerLarge(recording.address, request);
    if (run >= 0) times.recorded.push(withTrace.milliseconds);
  }
  await recording.stop();
  const firsts = await measureFirsts(origin, as, request);
  const name = `10 MB of a stream of the agent, beside ${as}`;
  return [
    { name, kind: 'peer', medianMs: findMedian(times.direct), runs: STREAMS },
    {
      name: `10 MB of the same stream through the bridge as ${as}`,
      kind: 'ours',
      medianMs: findMedian(times.bridged),
      runs: STREAMS,
      note: `${(length / 1e6).toFixed(1)} MB in all`,
      against: [{ row: name, atLeast: 1 / 3 }],
    },
    {
      name: `The same through the bridge as ${as} with a trace file`,
      kind: 'ours',
      medianMs: findMedian(times.recorded),
      runs: RECORDED_STREAMS,
    },
    {
      name: `The first chunk of a stream through the bridge as ${as}: added`,
      kind: 'ours',
      medianMs: Math.max(0, findMedian(firsts.bridged) - findMedian(firsts.direct)),
      runs: FIRSTS,
      maxMs: 5,
    },
  ];
}

async function measureFirsts(
  origin: string,
  as: string,
  request: string,
): Promise<{ readonly direct: readonly number[]; readonly bridged: readonly number[] }> {
  const url = `${origin}/events?bytes=20000`;
  const bridge = await startBridge({ protocol: 'agent-api', url }, as);
  const direct: number[] = [];
  const bridged: number[] = [];
  for (let round = -FIRSTS / 4; round < FIRSTS; round++) {
    const own = await timeOfText(url, AGENT_API);
    const through = await timeOfText(bridge.address, request);
    if (round < 0) continue;
    direct.push(own);
    bridged.push(through);
  }
  await bridge.stop();
  return { direct, bridged };
}

/** Milliseconds for 10 MB of a stream, after a pause. */
async function timePerLarge(
  url: string,
  body: string,
): Promise<{ readonly milliseconds: number; readonly length: number }> {
  await setTimeout(PAUSE);
  const start = performance.now();
  const length = await read(url, body);
  return { milliseconds: ((performance.now() - start) * LARGE) / length, length };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Reads a reply while it arrives; returns the number of its characters. */
async function read(url: string, body: string): Promise<number> {
  const response = await post(url, body);
  const decoder = new TextDecoder();
  let length = 0;
  for await (const piece of response.body ?? [])
    if (piece instanceof Uint8Array) length += decoder.decode(piece, { stream: true }).length;
  return length;
}

/** Milliseconds until the first text of a streamed reply. */
async function timeOfText(url: string, body: string): Promise<number> {
  const start = performance.now();
  const response = await post(url, body);
  const decoder = new TextDecoder();
  let first: number | undefined;
  for await (const piece of response.body ?? [])
    if (
      first === undefined &&
      piece instanceof Uint8Array &&
      decoder.decode(piece, { stream: true }).includes('quick brown')
    )
      first = performance.now() - start;
  return first ?? Number.NaN;
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
}
