import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, it } from 'mocha';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import type { TraceName } from '../../../core/events/events.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { closeProxies, closeServers, lineOf, record, serve, Tape } from './support.ts';

/** How an agent that calls on tells to which trace the call belongs. */
type Carry = (headers: IncomingHttpHeaders) => Record<string, string>;

/** An MCP agent that asks the next one and answers what that says. It knows nothing of Parley. */
async function startMember(next: () => string | undefined, carry: Carry): Promise<string> {
  const origin = await serve((request, response) => {
    let body = '';
    request.on('data', piece => (body += String(piece)));
    request.on('end', () => {
      void (async () => {
        const { id } = JSON.parse(body) as { id: number };
        const url = next();
        const said = url === undefined ? '{"content":[]}' : await askOn(url, body, carry(request.headers));
        response.setHeader('content-type', 'application/json');
        response.end(
          said.startsWith('{"error"')
            ? `{"jsonrpc":"2.0","id":${id},${said.slice(1)}`
            : `{"jsonrpc":"2.0","id":${id},"result":${said}}`,
        );
      })();
    });
  });
  return `${origin}/mcp`;
}

async function askOn(url: string, body: string, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const { result, error } = (await reply.json()) as { result?: object; error?: object };
  return JSON.stringify(error ? { error } : result);
}

const ASK = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{}}}';

const openstarry: Carry = headers => ({
  'x-openstarry-trace-id': String(headers['x-openstarry-trace-id'] ?? 'run-1'),
  'x-openstarry-trace-depth': String(Number(headers['x-openstarry-trace-depth'] ?? 0) + 1),
});

/** Each hands its own call's id on, as an instrumented agent does. */
const w3c: Carry = headers => ({ traceparent: String(headers['traceparent'] ?? '') });

/** A call with those below it: `A ask (B ask named)`. */
function draw({ call, parentage, children }: CallNode): string {
  const below = children.length === 0 ? '' : ` > ${children.map(draw).join(', ')}`;
  return `${call.agent}${parentage === 'root' ? '' : ` ${parentage}`}${below}`;
}

async function startChain(
  tape: Tape,
  carry: Carry,
  last: 'ends' | 'loops',
  guard?: RecursionGuard,
): Promise<string> {
  const proxied: string[] = [];
  const urls = [
    await startMember(() => proxied[1], carry),
    await startMember(() => proxied[2], carry),
    await startMember(() => (last === 'loops' ? proxied[0] : undefined), carry),
  ];
  for (const [index, url] of urls.entries()) {
    const proxy = await record(url, tape, { agent: 'ABC'.charAt(index), guard });
    proxied.push(proxy.address);
  }
  return proxied[0] ?? '';
}

describe('agents that call each other through their recordings', () => {
  afterEach(async () => {
    await closeProxies();
    await closeServers();
  });

  it('make one trace, by what is observed where they say nothing', async () => {
    const tape = new Tape();
    const first = await startChain(tape, () => ({}), 'ends');
    assert.equal(await askOn(first, ASK, {}), '{"content":[]}');
    await closeProxies();
    assert.deepEqual(
      tape.trees().map(({ roots }) => roots.map(draw)),
      [['A > B inferred > C inferred']],
    );
    assert.deepEqual(tape.calls().map(lineOf), ['mcp · ask · ok', 'mcp · ask · ok', 'mcp · ask · ok']);
    assert.deepEqual(
      tape.calls().map(({ depth }) => depth),
      [0, 1, 2],
    );
  });

  it('make one trace, by the trace and depth that they carry', async () => {
    const tape = new Tape();
    const first = await startChain(tape, openstarry, 'ends');
    await askOn(first, ASK, { 'x-openstarry-trace-id': 'run-1', 'x-openstarry-trace-depth': '0' });
    await closeProxies();
    assert.deepEqual(
      tape.trees().map(({ roots }) => roots.map(draw)),
      [['A > B named > C named']],
    );
    assert.deepEqual(
      tape.calls().map(({ call }) => call.names),
      [0, 1, 2].map(depth => [{ scheme: 'openstarry', trace: 'run-1', depth }]),
    );
  });

  it('are in the W3C trace that they hand on', async () => {
    const tape = new Tape();
    const first = await startChain(tape, w3c, 'ends');
    await askOn(first, ASK, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
    await closeProxies();
    assert.deepEqual(
      tape.trees().map(({ trace, size }) => [trace, size]),
      [['4bf92f3577b34da6a3ce929d0e0e4736', 3]],
    );
  });

  it('in a loop: the cycle is named, and a guarded recording refuses the seventh call', async () => {
    const tape = new Tape();
    const first = await startChain(tape, openstarry, 'loops', new RecursionGuard());
    const answer = await askOn(first, ASK, {
      'x-openstarry-trace-id': 'run-1',
      'x-openstarry-trace-depth': '0',
    });
    const why = 'Recursion limit reached: depth 6, limit 5. The call was not forwarded';
    assert.deepEqual(JSON.parse(answer), { error: { code: -33007, message: why } });
    const calls = tape.calls();
    assert.deepEqual(
      calls.map(({ depth }) => depth),
      [0, 1, 2, 3, 4, 5, 6],
    );
    assert.deepEqual(calls.map(lineOf).slice(-1), ['mcp · ask · error · -33007']);
    assert.deepEqual(calls.at(-1)?.notes, ['The recording answered instead of the agent']);
    assert.deepEqual(calls[3]?.cycle, ['A', 'B', 'C', 'A']);
  });

  it('are not refused by what is only observed', async () => {
    const tape = new Tape();
    const guard = new RecursionGuard(0);
    const first = await startChain(tape, () => ({}), 'ends', guard);
    assert.equal(await askOn(first, ASK, {}), '{"content":[]}');
    assert.equal(await askOn(first, ASK, { 'x-openstarry-trace-depth': 'many' }), '{"content":[]}');
    assert.deepEqual(tape.calls()[3]?.notes, [
      "The trace depth 'many' is not a count of calls; it was ignored",
    ]);
    for (const [depth, shown] of [
      ['1', '1'],
      ['99999999999999999999', '9007199254740991'],
    ] as const)
      assert.deepEqual(JSON.parse(await askOn(first, ASK, { 'x-openstarry-trace-depth': depth })), {
        error: {
          code: -33007,
          message: `Recursion limit reached: depth ${shown}, limit 0. The call was not forwarded`,
        },
      });
    assert.deepEqual(tape.calls().at(-1)?.notes, [
      "The trace depth '99999999999999999999' is more than can be counted; it counts as 9007199254740991",
      'The recording answered instead of the agent',
    ]);
  });

  it('are not refused by what was carried above a parent that is only observed', () => {
    const guard = new RecursionGuard(2);
    const report = (call: string, names: readonly TraceName[]): string | undefined => {
      const trace = call.repeat(2);
      guard.take({
        type: 'call',
        call: call.repeat(16),
        at: call.charCodeAt(0),
        trace: trace.repeat(16),
        agent: call,
        protocol: 'mcp',
        title: call,
        seen: 'between',
        names,
      });
      return guard.findFault(call.repeat(16));
    };
    const faults = [
      report('a', [{ scheme: 'openstarry', trace: 'run', depth: 2 }]),
      report('b', []),
      report('c', [{ scheme: 'w3c', trace: 'b'.repeat(32), parent: 'b'.repeat(16) }]),
    ];
    assert.deepEqual(faults, [undefined, undefined, undefined]);
  });

  it('are refused by the parents that they name also where the count that they carry begins anew', () => {
    const guard = new RecursionGuard(2);
    const faults = ['a', 'b', 'c', 'd'].map((call, index, all) => {
      const parent = all[index - 1];
      guard.take({
        type: 'call',
        call: call.repeat(16),
        at: index,
        trace: 'f'.repeat(32),
        agent: call,
        protocol: 'mcp',
        title: call,
        seen: 'between',
        names: [
          {
            scheme: 'w3c',
            trace: 'f'.repeat(32),
            ...(parent === undefined ? {} : { parent: parent.repeat(16) }),
          },
          { scheme: 'openstarry', trace: 'run', depth: 0 },
        ],
      });
      return guard.findFault(call.repeat(16));
    });
    assert.deepEqual(faults, [
      undefined,
      undefined,
      undefined,
      'Recursion limit reached: depth 3, limit 2. The call was not forwarded',
    ]);
  });
});
