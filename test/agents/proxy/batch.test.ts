import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { closeRawAgents, reply, startRawAgent } from '../support/raw-agent.ts';
import { closeProxies, lineOf, record, Tape, wireOf } from './support.ts';

const call = (id: string, name: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{}${more}}}`;
const NEWS = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}';
const result = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`;
const failure = (id: string): string => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32602,"message":"no"}}`;

const BATCH = `[${call('1', 'a')},\n ${call('"b"', 'b', ',"_meta":{"]":"\\"}"}')}, ${NEWS},${call('3', 'c')}]`;

async function post(address: string, body: string): Promise<string> {
  return (
    await fetch(address, { method: 'POST', body, headers: { 'mcp-protocol-version': '2025-03-26' } })
  ).text();
}

/** What the trace says of each call: its line, its bytes both ways, its notes. */
function report(tape: Tape): unknown {
  return tape.calls().map(node => [lineOf(node), wireOf(node, 'out'), wireOf(node, 'in'), node.notes]);
}

describe('a batch of JSON-RPC that passes a recording', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  const first =
    'One of 4 messages that were sent together as a batch; the bytes of all of them are recorded here';
  const other = ["Sent in a batch with 'a', where all bytes are recorded; here is its own part"];

  for (const [form, answer, type] of [
    ['a list', `[${failure('"b"')}, ${result('1')}]`, 'application/json'],
    ['a stream', `data: ${failure('"b"')}\n\ndata: ${result('1')}\n\n`, 'text/event-stream'],
  ] as const)
    it(`is a call for each message, by what answers it in ${form}`, async () => {
      const agent = await startRawAgent(socket => void socket.end(reply(answer, '200 OK', type)));
      const tape = new Tape();
      const proxy = await record(agent.origin, tape);
      assert.equal(await post(proxy.address, BATCH), answer);
      await closeProxies();
      assert.deepEqual(report(tape), [
        ['mcp · a · ok', BATCH, answer, [first]],
        ['mcp · b · error · -32602', call('"b"', 'b', ',"_meta":{"]":"\\"}"}'), failure('"b"'), other],
        ['mcp · notifications/cancelled · ok', NEWS, '', other],
        ['mcp · c · incomplete', call('3', 'c'), '', other],
      ]);
      assert.deepEqual(
        new Set(tape.calls().map(node => [node.depth, node.cycle, node.parentage].join())),
        new Set([[0, undefined, 'root'].join()]),
      );
    });

  it('ends all its calls with an answer that is for the whole of it, and with the connection', async () => {
    for (const [bytes, line] of [
      [reply(failure('null'), '200 OK', 'application/json'), 'error · -32602'],
      [Buffer.from(''), 'error · ECONNRESET'],
    ] as const) {
      const agent = await startRawAgent(socket => void socket.end(bytes));
      const tape = new Tape();
      const proxy = await record(agent.origin, tape);
      await post(proxy.address, `[${call('1', 'a')},${call('2', 'b')}]`).catch(() => '');
      await closeProxies();
      assert.deepEqual(tape.calls().map(lineOf), [`mcp · a · ${line}`, `mcp · b · ${line}`]);
    }
  });

  it('is refused by the guard where any of its calls is too deep, each in its place', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('[]')));
    const tape = new Tape();
    const proxy = await record(agent.origin, tape, { guard: new RecursionGuard(5) });
    const deep = call('2', 'b').replace('"arguments":{}', '"_meta":{"traceId":"t","traceDepth":6}');
    const message = 'Recursion limit reached: depth 6, limit 5. The call was not forwarded';
    const refused = (id: number): object => ({ jsonrpc: '2.0', id, error: { code: -33007, message } });
    const answer = await post(proxy.address, `[${call('1', 'a')},${NEWS},${deep}]`);
    assert.deepEqual(JSON.parse(answer), [refused(1), refused(2)]);
    assert.deepEqual(agent.requests, []);
    await closeProxies();
    assert.deepEqual(
      tape.calls().map(lineOf),
      ['a', 'notifications/cancelled', 'b'].map(title => `mcp · ${title} · error · -33007`),
    );
  });
});
