import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'mocha';
import { startStdioTap, type TapEnd } from '../../../agents/proxy/stdio/stdio-tap.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { until } from '../support/raw-agent.ts';
import { lineOf, onSilence, Tape, wireOf } from './support.ts';

/** What a caller of a process sees of it. */
interface Heard {
  readonly end: TapEnd;
  readonly stdout: string;
  readonly stderr: string;
}

/** A piece that the caller writes, and what it waits for in the output before it goes on. */
type Piece = string | readonly [write: string, until: string];

/** Runs a script behind a tap; the caller writes pieces once `isReady`, and ends the input once it has received enough. */
async function runTap(
  script: string,
  pieces: readonly Piece[],
  tape: Tape,
  isReady: () => boolean = () => true,
  isHeard: () => Promise<void> = () => Promise.resolve(),
): Promise<Heard> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const observed = { stdout: '', stderr: '' };
  stdout.on('data', piece => (observed.stdout += String(piece)));
  stderr.on('data', piece => (observed.stderr += String(piece)));
  const tap = startStdioTap(
    { command: process.execPath, args: ['-e', script], cwd: import.meta.dirname, stdin, stdout, stderr },
    {
      protocols: ALL_PROTOCOLS,
      agent: 'coder',
      emit: event => tape.take(event),
      now,
      ids: RANDOM_IDS,
      redactor: new Redactor([]),
    },
    ROOM,
  );
  await until('the caller may begin', isReady);
  for (const piece of pieces) {
    const [written, marker] = typeof piece === 'string' ? [piece, ''] : piece;
    stdin.write(written);
    await until(`the process writes ${marker}`, () => observed.stdout.includes(marker));
  }
  await isHeard();
  stdin.end();
  const end = await tap.ended;
  return { end, ...observed };
}

/** What is recorded at once. */
const ROOM = { isFull: false, whenFree: (act: () => void) => act() };

/** Answers each line by what `act` says; knows nothing of Parley. */
const lines = (act: string): string =>
  `const say = text => void process.stdout.write(text); require('node:readline').createInterface({ input: process.stdin }).on('line', line => { const it = line.startsWith('{') ? JSON.parse(line) : line; ${act} });`;

const FINE = { ok: true, exitCode: 0, signal: null } as const;

describe('a tap around a process', () => {
  it('passes what it reads and writes and how it ends, also where nothing of it is a message', async () => {
    const tape = new Tape();
    const script = `process.stdin.on('data', bytes => process.stdout.write(bytes)).on('end', () => { process.stderr.write('bye\\n'); process.exitCode = 3; })`;
    const observed = await runTap(script, ['a\r\nb', '\xff\u{1f600}\n\n', '{"half'], tape);
    assert.deepEqual(observed, {
      end: { ok: true, exitCode: 3, signal: null },
      stdout: 'a\r\nb\xff\u{1f600}\n\n{"half',
      stderr: 'bye\n',
    });
    const [call] = tape.calls();
    assert.deepEqual(tape.calls().map(lineOf), [`other · ${call?.call.title ?? ''} · error · EXIT 3`]);
    assert.equal(call?.message, 'The process ended with code 3');
    assert.deepEqual(call && [wireOf(call, 'out'), wireOf(call, 'in')], [
      'a\r\nb\xff\u{1f600}\n\n{"half',
      'a\r\nb\xff\u{1f600}\n\n{"half',
    ]);
  });

  it('is fine with a process that was asked nothing and ends well', async () => {
    const tape = new Tape();
    assert.deepEqual((await runTap(`console.log('hi')`, [], tape)).end, FINE);
    const [call, ...others] = tape.calls();
    assert.deepEqual([call?.status, call?.code, call?.message, others], ['ok', undefined, undefined, []]);
  });

  it('has a call of what a process says at length before it is called, as it says it', async () => {
    const tape = new Tape();
    const script = `process.stderr.write('x'.repeat(200_000)); ${lines(`say('{"jsonrpc":"2.0","id":1,"result":{}}\\n');`)}`;
    const wrote = (): number => tape.calls().reduce((sum, call) => sum + wireOf(call, 'stderr').length, 0);
    const tap = runTap(
      script,
      ['{"jsonrpc":"2.0","id":1,"method":"ping"}\n'],
      tape,
      () => wrote() === 200_000,
    );
    assert.deepEqual((await tap).end, FINE);
    const [own, ping] = tape.calls();
    assert.deepEqual(tape.calls().map(lineOf), [`other · ${own?.call.title ?? ''} · ok`, 'mcp · ping · ok']);
    assert.deepEqual([own && wireOf(own, 'stderr').length, ping && wireOf(ping, 'stderr')], [200_000, '']);
  });

  it('makes calls of MCP: replies by their ids, progress, notifications, what the server asks', async () => {
    const tape = new Tape();
    const script = lines(`
      if (it.method === 'notifications/initialized') return;
      if (it.method === 'tools/call' && it.params.name === 'ask') return say('{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}\\n');
      if (it.id === 'q') return say('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}\\n');
      if (it.method === 'tools/call') {
        say('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}\\n');
        return say('{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}\\n');
      }
      if (it.method === 'quit') { process.stderr.write('Error: out of memory\\n'); process.exit(7); }
      say(JSON.stringify({ jsonrpc: '2.0', id: it.id, result: {} }) + '\\n');
    `);
    const { end } = await runTap(
      script,
      [
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        ['{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}}\n', 'elicitation'],
        '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"count","_meta":{"progressToken":"p","traceId":"run-1","traceDepth":2}}}\n',
        '{"jsonrpc":"2.0","id":"q","result":{"action":"decline"}}\n',
        '{"jsonrpc":"2.0","id":4,"method":"quit"}\n',
      ],
      tape,
    );
    assert.deepEqual(end, { ok: true, exitCode: 7, signal: null });
    const calls = tape.calls();
    assert.deepEqual(
      calls.map(call => `${lineOf(call)} · ${call.parentage}`),
      [
        'mcp · initialize · ok · root',
        'mcp · notifications/initialized · ok · root',
        'mcp · ask · ok · root',
        'mcp · elicitation/create · ok · named',
        'mcp · count · error · root',
        'mcp · quit · error · EXIT 7 · root',
      ],
    );
    assert.deepEqual(calls[4]?.call.names, [{ scheme: 'openstarry', trace: 'run-1', depth: 2 }]);
    assert.equal(calls[4] && wireOf(calls[4], 'in').includes('notifications/progress'), true);
    assert.equal(calls[5]?.message, 'The process ended with code 7 before it answered');
    assert.deepEqual(
      calls[5]?.wire.filter(event => event.direction === 'stderr').map(event => event.bytes),
      [{ text: 'Error: out of memory\n' }],
    );
  });

  it('puts a call into the W3C trace that it carries, below the call that this names', async () => {
    const tape = new Tape();
    const script = lines(`say(JSON.stringify({ jsonrpc: '2.0', id: it.id, result: {} }) + '\\n');`);
    const meta = '"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}';
    await runTap(
      script,
      [`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",${meta}}}\n`],
      tape,
    );
    assert.deepEqual(
      tape.calls().map(node => [lineOf(node), node.call.trace, node.call.names]),
      [
        [
          'mcp · x · ok',
          '4bf92f3577b34da6a3ce929d0e0e4736',
          [{ scheme: 'w3c', trace: '4bf92f3577b34da6a3ce929d0e0e4736', parent: '00f067aa0ba902b7' }],
        ],
      ],
    );
  });

  it('ends what its caller takes back, and knows an answer that comes all the same', async () => {
    const tape = new Tape();
    const ask = (id: number, name: string): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}\n`;
    const cancel = (id: number, reason = ''): string =>
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}${reason}}}\n`;
    const script = lines(
      `if (it.method === 'notifications/cancelled') say('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"heard ' + it.params.requestId + '"}}\\n');
       if (it.params.name === 'quick') for (const id of [2, 3]) say(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');`,
    );
    const pieces: readonly Piece[] = [
      ask(1, 'slow'),
      ask(2, 'late'),
      [cancel(1, ',"reason":"The user stopped it"'), 'heard 1'],
      [cancel(2), 'heard 2'],
      [ask(3, 'quick'), '"id":3'],
    ];
    await runTap(script, pieces, tape);
    const calls = tape.calls().filter(({ call }) => !call.title.startsWith('notifications/'));
    assert.deepEqual(
      calls.map(node => [lineOf(node), node.message, node.notes, wireOf(node, 'in').includes('"result"')]),
      [
        ['mcp · slow · cancelled · CANCELLED', 'Its caller cancelled it: The user stopped it', [], false],
        [
          'mcp · late · cancelled · CANCELLED',
          'Its caller cancelled it',
          ['The process answered it after it was cancelled'],
          true,
        ],
        ['mcp · quick · ok', undefined, [], true],
      ],
    );
  });

  it('makes calls of AICL by brackets: replies by session and in their order, in parts, beside other text', async () => {
    const tape = new Tape();
    const message = (session: string, type: string, more: string): string =>
      `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}]${more}]`;
    const part = (session: string, k: number): string =>
      message(
        session,
        'result',
        `,[s:data]:[s:a\\u005Db${k}],[s:stream_id]:[s:x_${k}/2],[s:is_final]:[b:${String(k === 2)}]`,
      );
    const answers = [
      'starting up\n',
      part('1', 1),
      `${part('1', 2)}\n`,
      message('2', 'error', ',[s:code]:[i:3001],[s:reason]:[s:TOOL_UNAVAILABLE]'),
    ];
    const script = `const say = text => void process.stdout.write(text);
      const answers = ${JSON.stringify(answers)};
      let count = 0;
      process.stdin.on('data', () => (count++ === 0 ? answers.slice(0, 3) : answers.slice(3)).forEach(say));`;
    await runTap(
      script,
      [
        [`${message('1', 'tool_call', ',[s:tool]:[s:add],[s:params]:[d:]')}\n`, '[s:x_2/2]'],
        `${message('2', 'task_request', ',[s:task]:[s:paint],[s:constraints]:[d:]')}\n`,
      ],
      tape,
    );
    const calls = tape.calls();
    assert.deepEqual(calls.map(lineOf), ['aicl · add · ok', 'aicl · paint · error · 3001']);
    assert.deepEqual(
      calls.map(({ call }) => call.session),
      ['1', '2'],
    );
    assert.equal(calls[0] && wireOf(calls[0], 'in'), `starting up\n${part('1', 1)}${part('1', 2)}`);
    assert.deepEqual(calls[0]?.notes, ['The process wrote text to its output that is not a message']);
  });

  it('finds the call that an AICL message answers by its session, and the oldest one of it', async () => {
    const tape = new Tape();
    const message = (session: string, more: string): string =>
      `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],${more}]`;
    const ask = (session: string, tool: string): string =>
      `${message(session, `[s:msg_type]:[s:tool_call],[s:tool]:[s:${tool}],[s:params]:[d:]`)}\n`;
    const answer = (session: string, data: string): string =>
      `${message(session, `[s:msg_type]:[s:result],[s:data]:[s:${data}]`)}\n`;
    const answers = [answer('2', 'b'), answer('1', 'a'), answer('1', 'c')].join('');
    const script = `let all = ''; process.stdin.on('data', piece => { all += piece; if (all.includes('third')) process.stdout.write(${JSON.stringify(answers)}); });`;
    await runTap(script, [ask('1', 'first') + ask('2', 'second') + ask('1', 'third')], tape);
    assert.deepEqual(
      tape.calls().map(call => `${lineOf(call)} ${wireOf(call, 'in').trim()}`),
      [
        `aicl · first · ok ${answer('1', 'a').trim()}`,
        `aicl · second · ok ${answer('2', 'b').trim()}`,
        `aicl · third · ok ${answer('1', 'c').trim()}`,
      ],
    );
  });

  it('makes a call of AIO that is asked once, in several lines, and answers without an id', async () => {
    const tape = new Tape();
    const script = `let all = ''; process.stdin.on('data', piece => (all += piece)).on('end', () => process.stdout.write('{"output":\\n{"type":"text","value":"4"}}'));`;
    const { end, stdout } = await runTap(
      script,
      [
        '{"jsonrpc":"2.0","id":9,\n "method":"coder::add",\n "trace_id":"AIO-TR-20260304-0001","params":{}}\n',
      ],
      tape,
    );
    assert.deepEqual([end, stdout], [FINE, '{"output":\n{"type":"text","value":"4"}}']);
    const [call] = tape.calls();
    assert.deepEqual(
      [call && lineOf(call), call?.call.names],
      ['aio · add · ok', [{ scheme: 'aio', trace: 'AIO-TR-20260304-0001', id: '9' }]],
    );
  });

  it('ends a call by a long answer as soon as it is whole', async () => {
    const tape = new Tape();
    const length = 3_000_000;
    const script = lines(
      `say(JSON.stringify({ result: { content: [{ type: 'text', text: 'x'.repeat(${length}) }], isError: true }, jsonrpc: '2.0', id: it.id }) + '\\n');`,
    );
    const ended = (): boolean => tape.events.some(({ type }) => type === 'end');
    let wasEnded = false;
    const piece: Piece = ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}\n', '"id":1'];
    await runTap(script, [piece], tape, undefined, async () => {
      await until('the call ends', ended);
      wasEnded = true;
    });
    const [call] = tape.calls();
    assert.deepEqual(
      [wasEnded, tape.calls().map(lineOf), call && wireOf(call, 'in').length > length, call?.notes],
      [true, ['mcp · x · error'], true, []],
    );
  });

  it('tells a long answer in events of a megabyte, none of which cuts a character', async () => {
    const tape = new Tape();
    const text = '\u20ac'.repeat(1_000_000);
    const script = lines(
      `process.stdout.write('up\\n', () => setImmediate(() => process.stdout.write('ready\\n', () => say(JSON.stringify({ jsonrpc: '2.0', id: it.id, result: '\u20ac'.repeat(1_000_000) }) + '\\n'))));`,
    );
    await runTap(script, [['{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n', '}\n']], tape);
    const wires = tape.events.flatMap(event =>
      event.type === 'wire' && event.direction === 'in' ? [event.bytes] : [],
    );
    const [call] = tape.calls();
    assert.equal(call && wireOf(call, 'in'), `up\nready\n{"jsonrpc":"2.0","id":1,"result":"${text}"}\n`);
    assert.deepEqual(
      wires.filter(bytes => !('text' in bytes) || Buffer.byteLength(bytes.text) > 2 ** 20),
      [],
    );
  });

  it('holds back what passes while it waits to be recorded, and loses nothing', async () => {
    const tape = new Tape();
    const length = 4_000_000;
    const held: (() => void)[] = [];
    const capacity = { isFull: true, whenFree: (act: () => void) => void held.push(act) };
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const passed = { in: 0, out: 0, err: 0 };
    stdout.on('data', (bytes: Buffer) => (passed.out += bytes.length));
    stderr.on('data', (bytes: Buffer) => (passed.err += bytes.length));
    const script = `process.stdout.write('o'.repeat(${length})); process.stderr.write('e'.repeat(${length}));
      let n = 0; process.stdin.on('data', bytes => (n += bytes.length)).on('end', () => (process.exitCode = n === ${length} ? 7 : 8));`;
    const tap = startStdioTap(
      { command: process.execPath, args: ['-e', script], cwd: import.meta.dirname, stdin, stdout, stderr },
      {
        protocols: ALL_PROTOCOLS,
        agent: 'coder',
        emit: event => tape.take(event),
        now,
        ids: RANDOM_IDS,
        redactor: new Redactor([]),
      },
      capacity,
    );
    for (let at = 0; at < length; at += 50_000) stdin.write('i'.repeat(50_000));
    stdin.end();
    await until('all three are held back', () => held.length === 3);
    const atFirst = { ...passed };
    await new Promise<void>(resolve => void onSilence(resolve));
    assert.deepEqual([passed, held.length], [atFirst, 3]);
    assert.ok(passed.out <= 65_536 && passed.err <= 65_536, JSON.stringify(passed));
    capacity.isFull = false;
    held.splice(0).forEach(act => act());
    assert.deepEqual(await tap.ended, { ok: true, exitCode: 7, signal: null });
    assert.deepEqual([passed.out, passed.err], [length, length]);
    const reported = (direction: 'out' | 'in' | 'stderr'): number =>
      tape.calls().reduce((sum, call) => sum + wireOf(call, direction).length, 0);
    assert.deepEqual([reported('out'), reported('in'), reported('stderr')], [length, length, length]);
  });

  it('keeps half of a message that a process got before it ended', async () => {
    const tape = new Tape();
    const script = `process.stdin.once('data', () => process.exit(2));`;
    await runTap(script, ['{"half'], tape, undefined, () =>
      until('the process is gone', () => tape.events.some(({ type }) => type === 'end')),
    );
    assert.deepEqual(
      tape.calls().map(call => [call.code, wireOf(call, 'out')]),
      [['EXIT 2', '{"half']],
    );
  });

  it('says why a process cannot be started that the system refuses at once', async () => {
    const tape = new Tape();
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const args = ['-e', ''.padEnd(2 ** 18)];
    const tap = startStdioTap(
      { command: process.execPath, args, cwd: import.meta.dirname, stdin, stdout, stderr },
      {
        protocols: ALL_PROTOCOLS,
        agent: 'coder',
        emit: event => tape.take(event),
        now,
        ids: RANDOM_IDS,
        redactor: new Redactor([]),
      },
      ROOM,
    );
    const end = await tap.ended;
    assert.ok(!end.ok);
    assert.match(end.message, /but its arguments or its environment are too long; shorten them$/);
    tap.kill('SIGTERM');
    assert.deepEqual(tape.events, []);
  });

  it('says what cannot be started', async () => {
    const tape = new Tape();
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const tap = startStdioTap(
      { command: 'no-such-agent', args: [], cwd: import.meta.dirname, stdin, stdout, stderr },
      {
        protocols: ALL_PROTOCOLS,
        agent: 'coder',
        emit: event => tape.take(event),
        now,
        ids: RANDOM_IDS,
        redactor: new Redactor([]),
      },
      ROOM,
    );
    assert.deepEqual(await tap.ended, {
      ok: false,
      message:
        "Tried to start 'no-such-agent', but there is no command 'no-such-agent'; install it or correct the agent's 'command'",
    });
    assert.deepEqual(tape.events, []);
  });
});
