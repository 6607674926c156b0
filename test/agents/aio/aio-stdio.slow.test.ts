import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAio } from '../../../agents/aio/connection.ts';
import { AioTraceIds } from '../../../agents/aio/trace-ids.ts';
import type { ResolvedStdioAgent } from '../../../agents/config/resolve-agent.ts';
import type { Connection } from '../../../agents/connection.ts';
import { DEFAULT_STDIO_LIMITS } from '../../../agents/stdio/limits.ts';
import { sendTo, type Sent } from '../support/send.ts';
import { scriptAgent } from '../support/stdio-agent.ts';

const open = new Set<Connection>();

/** A connection with trace ids of its own, on a day that does not change. */
function connect(agent: Parameters<typeof connectAio>[0]): Connection {
  const stdio = { ...DEFAULT_STDIO_LIMITS, untilTerm: 300, untilKill: 300 };
  const now = (): Date => new Date('2026-03-04T05:06:07Z');
  let last = 0;
  const traceIds = new AioTraceIds(() => ++last);
  const connection = connectAio(agent, { stdio, traceIds, now });
  open.add(connection);
  return connection;
}

/** An agent that is a process: `answer` is JavaScript that makes of `request` what is written. */
function processAgent(answer: string, mode: 'lines' | 'one-shot' = 'lines'): ResolvedStdioAgent {
  const reading =
    mode === 'lines'
      ? `on((line, count) => { const request = JSON.parse(line); ${answer} });`
      : `let text = ''; process.stdin.on('data', piece => (text += piece)).on('end', () => { const request = JSON.parse(text); ${answer} });`;
  return scriptAgent(reading, { protocol: 'aio', mode, name: 'tester' });
}

/** What was sent, without heads and without what came. */
function sentOf({ observed }: Sent): readonly string[] {
  return observed.filter(line => line.startsWith('out: ')).map(line => line.slice(5).trimEnd());
}

function notesOf({ observed }: Sent): readonly string[] {
  return observed.filter(line => line.startsWith('note: ')).map(line => line.slice(6));
}

/** A request as it goes out. */
function request(
  id: number,
  method: string,
  params?: unknown,
  trace = 'AIO-TR-20260304-18367000000001',
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params, trace_id: trace });
}

const ANSWER_HELP = `if (request.method.endsWith('help')) return say(JSON.stringify({ id: request.id, result: { type: 'stdio', methods: ['echo', 'input'] } }) + '\\n');`;

describe('an AIO agent that is a process', () => {
  afterEach(async () => {
    await Promise.all([...open].map(each => each.close()));
    open.clear();
  });

  it('reads one request a line, and keeps running', async () => {
    const agent = processAgent(
      `${ANSWER_HELP} say(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: count }) + '\\n');`,
    );
    const connection = connect(agent);
    const first = await sendTo(connection, '{"method":\n"agent::echo"}');
    const second = await sendTo(connection, '{"method":"agent::echo"}');
    assert.deepEqual(first.reply, {
      status: 'ok',
      isProtocol: true,
      text: '{"jsonrpc":"2.0","id":2,"result":1}',
    });
    assert.deepEqual(second.reply, {
      status: 'ok',
      isProtocol: true,
      text: '{"jsonrpc":"2.0","id":3,"result":2}',
    });
    assert.deepEqual(sentOf(second), [
      request(3, 'tester::echo', undefined, 'AIO-TR-20260304-18367000000002'),
    ]);
    assert.deepEqual(second.progress, [second.reply.text]);
    assert.deepEqual(connection.peer, { methods: ['echo', 'input'], capabilities: ['stdio'] });
  });

  it('answers out of order, by id', async () => {
    const agent = processAgent(
      `${ANSWER_HELP} (globalThis.held ??= []).push(request); if (held.length === 3) for (const each of held.reverse()) say(JSON.stringify({ id: String(each.id), result: each.params.n }) + '\\n');`,
    );
    const connection = connect(agent);
    const sent = await Promise.all(
      [1, 2, 3].map(n => sendTo(connection, `{"method":"agent::echo","params":{"n":${n}}}`)),
    );
    assert.deepEqual(
      sent.map(each => (JSON.parse(each.reply.text) as { result: number }).result),
      [1, 2, 3],
    );
    assert.deepEqual(sent.flatMap(notesOf), []);
  });

  it('answers by its trace, or in order where it names neither', async () => {
    const agent = processAgent(
      `${ANSWER_HELP} (globalThis.held ??= []).push(request); if (held.length === 3) { const [one, two, three] = held; say(JSON.stringify({ trace_id: three.trace_id, output: three.params.n }) + '\\n'); for (const each of [one, two]) say(JSON.stringify({ output: each.params.n }) + '\\n'); }`,
    );
    const connection = connect(agent);
    const sent = await Promise.all(
      [1, 2, 3].map(n => sendTo(connection, `{"method":"agent::echo","params":{"n":${n}}}`)),
    );
    assert.deepEqual(
      sent.map(each => (JSON.parse(each.reply.text) as { output: number }).output),
      [1, 2, 3],
    );
  });

  it('that answers a call too late answers no other with it', async () => {
    const agent = processAgent(
      `${ANSWER_HELP} if (request.params.n === 1) return void (globalThis.first = request); for (const each of [first, request]) say(JSON.stringify({ id: each.id, result: each.params.n }) + '\\n');`,
    );
    const connection = connect(agent);
    await sendTo(connection, '{"method":"help"}');
    const stop = new AbortController();
    const first = sendTo(connection, '{"method":"agent::echo","params":{"n":1}}', { signal: stop.signal });
    await new Promise(resolve => setTimeout(resolve, 50));
    stop.abort();
    assert.equal((await first).reply.status, 'cancelled');
    const second = await sendTo(connection, '{"method":"agent::echo","params":{"n":2}}');
    assert.equal((JSON.parse(second.reply.text) as { result: number }).result, 2);
    assert.deepEqual(notesOf(second), []);
  });

  it('that answers twice answers no other request with that', async () => {
    const agent = processAgent(
      `${ANSWER_HELP} const told = JSON.stringify({ id: request.id, result: request.params.n }) + '\\n'; if (request.params.n === 1) { say(told); globalThis.again = told; } else say(again + told);`,
    );
    const connection = connect(agent);
    await sendTo(connection, '{"method":"agent::echo","params":{"n":1}}');
    const second = await sendTo(connection, '{"method":"agent::echo","params":{"n":2}}');
    assert.deepEqual(second.reply, { status: 'ok', isProtocol: true, text: '{"id":3,"result":2}' });
    assert.deepEqual(notesOf(second), [
      "A reply with the id '2' came, but its request was already answered; it was not used as another reply",
    ]);
  });

  it('that names no requests is started anew where it owes a reply', async () => {
    const agent = processAgent(
      `if (request.method.endsWith('help')) return say('{"result":{"type":"stdio"}}\\n'); if (request.params.n > 1) say(JSON.stringify({ result: [count, request.params.n] }) + '\\n');`,
    );
    const connection = connect(agent);
    const first = await sendTo(connection, '{"method":"agent::echo","params":{"n":1}}', { timeout: 400 });
    assert.deepEqual([first.reply.status, first.reply.code], ['error', 'TIMEOUT']);
    // The agent was asked for its help first: that time counts, and the message states the limit as it was set.
    assert.match(first.reply.message ?? '', /within 400 ms/);
    const second = await sendTo(connection, '{"method":"agent::echo","params":{"n":2}}');
    assert.equal(second.reply.text, '{"result":[0,2]}');
    assert.deepEqual(notesOf(second), [
      'The agent was restarted for this request: a late reply to an abandoned request could not be distinguished from the reply to this one',
    ]);
  });

  it('of the mode one-shot gets the whole request, its end, and answers with one JSON', async () => {
    const agent = processAgent(
      `const body = request.method.endsWith('help') ? { type: 'stdio', methods: ['echo'] } : { pid: process.pid, params: request.params }; say(JSON.stringify({ output: body }, null, 2));`,
      'one-shot',
    );
    const connection = connect(agent);
    const first = await sendTo(connection, '{"method":"agent::echo","params":{"a":1.0}}');
    const second = await sendTo(connection, '{"method":"agent::echo","params":{"a":1.0}}');
    const [one, two] = [first, second].map(
      each => JSON.parse(each.reply.text) as { output: { pid: number; params: unknown } },
    );
    assert.deepEqual([first.reply.status, one?.output.params], ['ok', { a: 1 }]);
    assert.notEqual(one?.output.pid, two?.output.pid);
    assert.deepEqual(sentOf(second), [
      '{"jsonrpc":"2.0","id":1,"method":"tester::echo","params":{"a":1.0},"trace_id":"AIO-TR-20260304-18367000000002"}',
    ]);
  });

  it('of the mode one-shot may log before its reply, and exit with a code', async () => {
    const agent = processAgent(
      `console.log('{"level":"info"}'); console.log('{ starting'); say(JSON.stringify({ result: 1 }) + '\\n'); process.exitCode = 3;`,
      'one-shot',
    );
    const sent = await sendTo(connect(agent), '{"method":"agent::echo"}');
    assert.deepEqual(sent.reply, { status: 'ok', isProtocol: true, text: '{"result":1}' });
    const log =
      'The agent wrote text to its output that is not a valid AIO reply, beginning \'{"level":"info"}⏎{ starting\'; logs belong to its error output';
    const exit = 'The process ended with exit code 3 after its reply';
    // For help, and for the request itself.
    assert.deepEqual(notesOf(sent), [exit, log, exit, log]);
  });
});
