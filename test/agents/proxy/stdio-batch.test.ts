import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lineOf, observe, wireOf, type Tape } from './support.ts';
import { sized } from '../../support/size.ts';

const call = (id: string, name: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{}}}`;
const result = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`;
const failure = (id: string): string => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32602,"message":"no"}}`;
const NEWS = '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"]"}}';
const ASK = '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}';

/** What the trace says of each call: its line, its bytes both ways without the line ends, its notes. */
function report(tape: Tape): unknown {
  return tape
    .calls()
    .map(node => [lineOf(node), wireOf(node, 'out').trim(), wireOf(node, 'in').trim(), node.notes]);
}

const went = (count: number): string =>
  `One of ${count} messages that were sent together as a batch; the bytes of all of them are recorded here`;
const wentWith = "Sent in a batch with 'a', where all bytes are recorded; here is its own part";
const answeredWith = (title: string): string =>
  `Its answer was received in a batch with '${title}', where all bytes are recorded; here is its own part`;
const answers = (count: number): string =>
  `Its answer is one of ${count} messages that were received together as a batch; the bytes of all of them are recorded here`;

describe('a batch of JSON-RPC that passes a process', () => {
  const batch = `[${call('1', 'a')}, ${call('"b"', 'b')},${call('3', 'c')}]`;

  it('is a call for each message, by the answers of a batch in any order', () => {
    const reply = `[${failure('"b"')}, ${result('3')},${result('1')}]`;
    assert.deepEqual(report(observe(`>${batch}`, `<${reply}`)), [
      ['mcp · a · ok', batch, result('1'), [went(3), answeredWith('b')]],
      ['mcp · b · error · -32602', call('"b"', 'b'), reply, [wentWith, answers(3)]],
      ['mcp · c · ok', call('3', 'c'), result('3'), [wentWith, answeredWith('b')]],
    ]);
  });

  it('is a call for each message, by answers that come one by one, and by none', () => {
    assert.deepEqual(report(observe(`>${batch}`, `<${result('3')}`, `<${result('1')}`)), [
      ['mcp · a · ok', batch, result('1'), [went(3)]],
      ['mcp · b · error · EXIT 0', call('"b"', 'b'), '', [wentWith]],
      ['mcp · c · ok', call('3', 'c'), result('3'), [wentWith]],
    ]);
  });

  it('is refused as a whole by an error that names none of it', () => {
    const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}';
    const tape = observe(
      `>${call('0', 'z')}`,
      `<${result('0')}`,
      `>${batch}`,
      `>${call('4', 'd')}`,
      `<${result('"b"')}`,
      `<${refusal}`,
    );
    assert.deepEqual(
      tape.calls().map(node => [lineOf(node), wireOf(node, 'in').trim()]),
      [
        ['mcp · z · ok', result('0')],
        ['mcp · a · error · -32600', refusal],
        ['mcp · b · ok', result('"b"')],
        ['mcp · c · error · -32600', ''],
        ['mcp · d · error · EXIT 0', ''],
      ],
    );
    assert.equal(tape.events.filter(({ type }) => type === 'end').length, 5);
  });

  it('of answers ends calls that were made one by one, and notes an answer without a request', () => {
    const reply = `[${result('2')},${result('9')},${result('1')}]`;
    assert.deepEqual(report(observe(`>${call('1', 'a')}`, `>${call('2', 'b')}`, `<${reply}`)), [
      [
        'mcp · a · ok',
        call('1', 'a'),
        `${result('9')}${result('1')}`,
        [answeredWith('b'), 'The process answered a request that was not sent'],
      ],
      ['mcp · b · ok', call('2', 'b'), reply, [answers(3)]],
    ]);
  });

  it('of the process holds what it asks, what it tells and what it answers, each in its place', () => {
    const mixed = `[${ASK},${NEWS},${result('1')}]`;
    const back = `[{"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}]`;
    const tape = observe(`>${call('1', 'a')}`, `<${mixed}`, `>${back}`);
    const title = 'elicitation/create';
    assert.deepEqual(report(tape), [
      [
        'mcp · a · ok',
        call('1', 'a'),
        `${ASK}${NEWS}${result('1')}`,
        [
          `Received in a batch with '${title}', where all bytes are recorded; here is its own part`,
          answeredWith(title),
        ],
      ],
      [
        `mcp · ${title} · ok`,
        mixed,
        back,
        [
          'One of 3 messages that were received together as a batch; the bytes of all of them are recorded here',
        ],
      ],
    ]);
    assert.deepEqual(
      tape.calls().map(({ parentage, call: { agent } }) => [parentage, agent]),
      [
        ['root', 'coder'],
        ['named', 'caller'],
      ],
    );
  });

  it('takes back another one of it', () => {
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    const tape = observe(`>[${call('1', 'a')},${cancel}]`);
    assert.deepEqual(tape.calls().map(lineOf), [
      'mcp · a · cancelled · CANCELLED',
      'mcp · notifications/cancelled · ok',
    ]);
  });

  it('of one message is that message, and a list of anything else is none', () => {
    const log = '{"level":"info","msg":"up"}';
    const tape = observe(`>[${call('1', 'a')}]`, `<${log}`, '<[{"id":1},{"id":2}]', `<[${result('1')}]`);
    assert.deepEqual(report(tape), [
      [
        'mcp · a · ok',
        `[${call('1', 'a')}]`,
        `${log}\n[{"id":1},{"id":2}]\n[${result('1')}]`,
        ['The process wrote text to its output that is not a message'],
      ],
    ]);
  });

  it('is distinguished from log lines, which have one note together', async () => {
    const tape = observe(`>${call('1', 'a')}`, '<one', '<two', `<${result('1')}`, '<three');
    await endTurn();
    assert.deepEqual(
      tape.calls().map(node => wireOf(node, 'in')),
      [`one\ntwo\n${result('1')}\nthree\n`],
    );
    assert.equal(tape.events.filter(({ type }) => type === 'note').length, 1);
  });

  it('ends no call of MCP without its id, but by an error that names none', () => {
    const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}';
    assert.deepEqual(
      observe(`>${call('1', 'a')}`, `<${refusal}`)
        .calls()
        .map(lineOf),
      ['mcp · a · error · -32700'],
    );
  });

  it('of many messages takes as much work a message as of few', () => {
    const count = sized(4_000, 100);
    const ids = Array.from({ length: count }, (_, at) => String(at));
    const tape = observe(
      `>[${ids.map(id => `{"jsonrpc":"2.0","id":${id},"method":"m"}`).join(',')}]`,
      `<[${ids
        .map(id => `{"jsonrpc":"2.0","id":${id},"result":1}`)
        .reverse()
        .join(',')}]`,
    );
    assert.deepEqual(new Set(tape.calls().map(({ status }) => status)), new Set(['ok']));
    assert.equal(tape.calls().length, count);
  });
});

/** What arrives after the end of a call is stored at the end of the turn. */
function endTurn(): Promise<void> {
  return Promise.resolve();
}

describe('progress of a process that comes late', () => {
  const tracked = (id: string, name: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","_meta":{"progressToken":${id}}}}`;
  const progress = (token: string): string =>
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":9}}`;
  const cancel =
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"enough"}}';

  it('belongs to its call, also if that was answered or cancelled and another one is open', async () => {
    const tape = observe(
      `>${tracked('1', 'a')}`,
      `<${result('1')}`,
      `<${progress('1')}`,
      `>${tracked('2', 'b')}`,
      `>${cancel}`,
      `>${tracked('3', 'c')}`,
      `<${progress('2')}`,
      `<${progress('1')}`,
      `<${progress('3')}`,
    );
    await endTurn();
    const came = (node: ReturnType<Tape['calls']>[number]): string =>
      wireOf(node, 'in').trim().replaceAll('\n', ' ');
    assert.deepEqual(
      tape.calls().map(node => [lineOf(node), came(node)]),
      [
        ['mcp · a · ok', `${result('1')} ${progress('1')} ${progress('1')}`],
        ['mcp · b · cancelled · CANCELLED', progress('2')],
        ['mcp · notifications/cancelled enough · ok', ''],
        ['mcp · c · error · EXIT 0', progress('3')],
      ],
    );
  });
});
