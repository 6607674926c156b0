import { CUT } from '../../../protocols/aicl/reply-body.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { StdioLimits } from '../../../agents/stdio/limits.ts';
import type { ResolvedStdioAgent } from '../../../agents/config/resolve-agent.ts';
import type { Reply } from '../../../agents/connection.ts';
import { showCommandLine } from '../../../agents/stdio/command-line.ts';
import { quote } from '../../../core/text/quote.ts';
import { until } from '../support/raw-agent.ts';
import { sendTo, type Sent } from '../support/send.ts';
import { closeAll, connectStdio, isAlive, scriptAgent, stdioAgent } from '../support/stdio-agent.ts';
import { sized } from '../../support/size.ts';

const REQUEST =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:task_request],[s:task]:[s:go],[s:constraints]:[d:]]';
const RESULT =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[s:fine]]';
/** Two chunks, the first with a bracket in its text. */
const CHUNKS = [
  RESULT.replace('[s:fine]', '[s:see [1] there],[s:stream_id]:[s:x_1/2]'),
  RESULT.replace('[s:fine]', '[s:fine],[s:stream_id]:[s:x_2/2]'),
].join('\n');
const BARE =
  "note: Message 1 of the reply is not valid AICL: A bracket in a text is written '\\u005D': a receiver ends the text at this ']'";
const OK = { status: 'ok', isProtocol: true } as const;
const FAILED = { status: 'error', isProtocol: false, text: '' } as const;

interface Attack {
  readonly name: string;
  /** What the process does in session 1 when it is started for the first time. In session 2, and after that, it answers. */
  readonly script?: string;
  readonly agent?: ResolvedStdioAgent;
  /** LINE is replaced by the command line. */
  readonly reply: Reply;
  /** All observed events except the head and the request, joined by kind. */
  readonly observed?: readonly string[];
  readonly limits?: Partial<StdioLimits>;
  readonly timeout?: number;
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'is a command that is not there',
    agent: stdioAgent('no-such-command', ['--now']),
    reply: {
      ...FAILED,
      code: 'ENOENT',
      message:
        "Tried to start LINE, but there is no command 'no-such-command'; install it or correct the agent's 'command'",
    },
  },
  {
    name: 'is not executable',
    agent: stdioAgent('./stdio-agent.ts', []),
    reply: {
      ...FAILED,
      code: 'EACCES',
      message:
        "Tried to start LINE, but './stdio-agent.ts' is not executable; make it so, or name the program that runs it as 'command'",
    },
  },
  {
    name: 'runs in a folder that is not there',
    agent: stdioAgent('node', ['-v'], { cwd: '/no/such/folder' }),
    reply: {
      ...FAILED,
      code: 'ENOENT',
      message: "Tried to start LINE, but there is no folder '/no/such/folder'; correct the agent's 'cwd'",
    },
  },
  {
    name: 'exits at once with words on its error output',
    script: `warn('Error: no key\\n    at here\\n'); process.exit(3);`,
    reply: {
      ...FAILED,
      code: 'EXIT 3',
      message:
        "Tried LINE, but the process ended with exit code 3 before it answered; its error output says 'Error: no key'",
    },
    observed: ['stderr: Error: no key\n    at here\n'],
  },
  {
    name: 'says how it is used and exits',
    script: `say('usage: agent FILE\\n'); process.exit(2);`,
    reply: {
      ...FAILED,
      text: 'usage: agent FILE',
      code: 'EXIT 2',
      message:
        "Tried LINE, but the process ended with exit code 2 before it answered; it wrote nothing to its error output. What it wrote to its output is not a valid AICL message: 'usage: agent FILE'",
    },
    observed: [
      'in: usage: agent FILE\n',
      "note: The agent wrote text to its output that is not a valid AICL message, beginning 'usage: agent FILE'; logs belong to its error output",
    ],
  },
  {
    name: 'is killed while it works',
    script: `on(() => process.kill(process.pid, 'SIGKILL'));`,
    reply: {
      ...FAILED,
      code: 'SIGKILL',
      message:
        'Tried LINE, but the process ended by the signal SIGKILL before it answered; it wrote nothing to its error output',
    },
  },
  {
    name: 'never answers',
    script: `on(() => {});`,
    timeout: 200,
    reply: {
      ...FAILED,
      code: 'TIMEOUT',
      message: "Tried LINE, but no reply came within 200 ms; wait for the agent or raise its 'timeout'",
    },
  },
  {
    name: 'falls silent after a chunk',
    script: `on(() => say(result('1', 'a', ',[s:stream_id]:[s:x_1/2]') + '\\n'));`,
    limits: { idle: 2_000 },
    reply: {
      status: 'incomplete',
      isProtocol: true,
      text: RESULT.replace('[s:fine]', '[s:a],[s:stream_id]:[s:x_1/2]'),
      code: 'TIMEOUT',
      message:
        "Tried LINE: 1 message came, then nothing more for 2 s; the received part is stored, wait for the agent or raise its 'timeout'",
    },
    observed: [`in: ${RESULT.replace('[s:fine]', '[s:a],[s:stream_id]:[s:x_1/2]')}\n`],
  },
  {
    name: 'dies in the middle of a message',
    script: `on(() => process.stdout.write('${RESULT.slice(0, 70)}', () => process.exit(0)));`,
    reply: {
      status: 'incomplete',
      isProtocol: true,
      text: RESULT.slice(0, 70),
      code: 'EXIT 0',
      message:
        'Tried LINE: a part of a message came, then the process ended with exit code 0; it wrote nothing to its error output',
    },
    observed: [`in: ${RESULT.slice(0, 70)}`],
  },
  {
    name: 'answers in JSON',
    script: `on(() => say('{"jsonrpc":"2.0","result":[1]}\\n'));`,
    timeout: 2_000,
    reply: {
      ...FAILED,
      text: '{"jsonrpc":"2.0","result":[1]}',
      code: 'TIMEOUT',
      message: `Tried LINE, but no reply came within 2 s; wait for the agent or raise its 'timeout'. What it wrote to its output is not a valid AICL message: '{"jsonrpc":"2.0","result":[1]}'`,
    },
    observed: [
      'in: {"jsonrpc":"2.0","result":[1]}\n',
      `note: The agent wrote text to its output that is not a valid AICL message, beginning '{"jsonrpc":"2.0","result":[1]}'; logs belong to its error output`,
    ],
  },
  {
    name: 'answers without a session',
    script: `on(() => say(result('', 'fine') + '\\n'));`,
    reply: { ...OK, text: RESULT.replace('[s:1]', '[s:]') },
    observed: [
      `in: ${RESULT.replace('[s:1]', '[s:]')}\n`,
      'note: A message without a session came; it was treated as the reply to the oldest open request',
    ],
  },
  {
    name: 'answers in a session of its own',
    script: `on(() => say(result('unknown', 'fine') + '\\n'));`,
    reply: { ...OK, text: RESULT.replace('[s:1]', '[s:unknown]') },
    observed: [
      `in: ${RESULT.replace('[s:1]', '[s:unknown]')}\n`,
      "note: A message of the session 'unknown' came, which has no open request; it was treated as the reply to the oldest open request",
    ],
  },
  {
    name: 'answers with a message that is not valid',
    script: `on(() => say('[d:[s:session_id]:[s:1] [s:msg_type]:[s:result]]\\n'));`,
    reply: { ...OK, text: '[d:[s:session_id]:[s:1] [s:msg_type]:[s:result]]' },
    observed: [
      'in: [d:[s:session_id]:[s:1] [s:msg_type]:[s:result]]\n',
      "note: Message 1 of the reply is not valid AICL: A ',' is missing before this",
    ],
  },
  {
    name: 'writes a bracket in a text as it is',
    script: `on(() => say(result('1', 'see [1] there') + '\\n'));`,
    limits: { quiet: 50 },
    reply: { ...OK, text: RESULT.replace('fine', 'see [1] there') },
    observed: [`in: ${RESULT.replace('fine', 'see [1] there')}\n`, BARE],
  },
  {
    name: 'writes a bracket in a text as it is, and goes on in another message',
    script: `on(() => say(result('1', 'see [1] there', ',[s:stream_id]:[s:x_1/2]') + '\\n' + result('1', 'fine', ',[s:stream_id]:[s:x_2/2]') + '\\n'));`,
    reply: { ...OK, text: CHUNKS },
    observed: [`in: ${CHUNKS}\n`, BARE],
  },
  {
    name: 'leaves out the last bracket',
    script: `on(() => say(result('1', 'fine').slice(0, -1) + '\\n'));`,
    limits: { quiet: 50 },
    reply: { ...OK, text: RESULT.slice(0, -1) },
    observed: [
      `in: ${RESULT.slice(0, -1)}\n`,
      "note: Message 1 of the reply is not valid AICL: A closing ']' is missing before the message ends here",
    ],
  },
  {
    name: 'opens more levels than are read and leaves them open',
    script: `on(() => say('[d:[s:a]:'.repeat(300) + '\\n'));`,
    limits: { quiet: 50 },
    reply: { status: 'incomplete', isProtocol: true, text: '[d:[s:a]:'.repeat(300), message: CUT },
    observed: [
      `in: ${'[d:[s:a]:'.repeat(300)}\n`,
      'note: A message without a session came; it was treated as the reply to the oldest open request',
    ],
  },
  {
    name: 'stops behind a text that ended at its own bracket',
    script: `on(() => say('[d:[s:session_id]:[s:1],[s:data]:[s:a] b\\n'));`,
    limits: { quiet: 50 },
    reply: {
      status: 'incomplete',
      isProtocol: true,
      text: '[d:[s:session_id]:[s:1],[s:data]:[s:a] b',
      message: CUT,
    },
    observed: ['in: [d:[s:session_id]:[s:1],[s:data]:[s:a] b\n'],
  },
  {
    name: 'leaves out the last bracket and ends',
    script: `on(() => process.stdout.write(result('1', 'fine').slice(0, -1), () => process.exit(0)));`,
    reply: { ...OK, text: RESULT.slice(0, -1) },
    observed: [
      `in: ${RESULT.slice(0, -1)}`,
      "note: Message 1 of the reply is not valid AICL: A closing ']' is missing before the message ends here",
    ],
  },
  {
    name: 'splits its reply at every byte',
    script: `on(async () => {
      for (const byte of Buffer.from(result('1', 'ünï 中\\u{1f600}'))) {
        process.stdout.write(Buffer.of(byte));
        await new Promise(resolve => setTimeout(resolve, 1));
      }
    });`,
    reply: { ...OK, text: RESULT.replace('fine', 'ünï 中\u{1f600}') },
    observed: [`in: ${Buffer.from(RESULT.replace('fine', 'ünï 中\u{1f600}')).toString('latin1')}`],
  },
  {
    name: 'sends what is not UTF-8',
    script: `on(() => process.stdout.write(Buffer.from(result('1', 'a\\xff') + '\\n', 'latin1')));`,
    reply: { ...OK, text: RESULT.replace('fine', 'a\u{fffd}') },
    observed: [
      `in: ${RESULT.replace('fine', 'a\xff')}\n`,
      'note: The reply is not UTF-8; invalid bytes are shown as U+FFFD',
    ],
  },
  {
    name: 'begins with a BOM and ends lines with CR LF',
    script: `on(() => say('\\ufeff' + result('1', 'fine') + '\\r\\n'));`,
    reply: { ...OK, text: RESULT },
    observed: [`in: \xef\xbb\xbf${RESULT}\r\n`],
  },
];

let folder = '';

describe('a process that misbehaves', () => {
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'parley-'))));
  after(() => rm(folder, { recursive: true }));
  afterEach(closeAll);

  for (const attack of ATTACKS) {
    it(attack.name, async () => {
      const { agent, listPids } = attack.agent
        ? { agent: attack.agent, listPids: () => [] }
        : await turncoat(attack.script ?? '');
      const connection = connectStdio(agent, attack.limits);
      const options = attack.timeout === undefined ? {} : { timeout: attack.timeout };
      const sent = await sendTo(connection, REQUEST, options);
      assert.deepEqual(shown(sent.reply, agent), attack.reply);
      assert.deepEqual(observe(sent), attack.observed ?? []);
      const another = await sendTo(connection, inSession2(REQUEST));
      const next = attack.agent ? attack.reply : { ...OK, text: inSession2(RESULT) };
      assert.deepEqual(shown(another.reply, agent), next);
      await connection.close();
      assert.deepEqual(listPids().filter(isAlive), []);
    });
  }

  it('closes its input and lives on', async () => {
    const { agent, listPids } = await turncoat(`on(() => {
      say(result('1', 'fine') + '\\n');
      process.stdin.destroy();
      setTimeout(() => fs.closeSync(0));
      setInterval(() => {}, 1000);
    });`);
    const connection = connectStdio(agent, { untilExit: 100 });
    assert.deepEqual((await sendTo(connection, REQUEST)).reply, { ...OK, text: RESULT });
    // It takes a moment for its end of the line to close; till then the system takes what is sent.
    await new Promise(resolve => setTimeout(resolve, 200));
    const sent = await sendTo(connection, inSession2(REQUEST));
    assert.deepEqual(shown(sent.reply, agent), {
      ...FAILED,
      code: 'EPIPE',
      message:
        'Tried LINE, but the process has closed its input and accepts no requests; send again to restart it, and look at its error output',
    });
    assert.deepEqual((await sendTo(connection, inSession2(REQUEST))).reply, {
      ...OK,
      text: inSession2(RESULT),
    });
    const [first = 0] = listPids();
    await until('the first process is gone', () => !isAlive(first));
  });

  it('answers twice: data after the end is recorded with the call and answers no other', async () => {
    const { agent } = await turncoat(
      `on(() => say(result('1', 'fine') + '\\n' + result('1', 'again') + '\\n'));`,
    );
    const connection = connectStdio(agent);
    const sent = await sendTo(connection, REQUEST);
    assert.deepEqual(sent.reply, { ...OK, text: RESULT });
    assert.deepEqual(observe(sent), [
      `in: ${RESULT}\n${RESULT.replace('fine', 'again')}\n`,
      'note: More of its session arrived after the call had ended; it was recorded with this call and not used as a reply to another request',
    ]);
    const another = await sendTo(connection, inSession2(REQUEST));
    assert.deepEqual(another.reply, { ...OK, text: inSession2(RESULT) });
  });

  it('floods its error output', async () => {
    const megabytes = sized(100, 4);
    const { agent } = await turncoat(`on(async () => {
      for (let i = 0; i < ${megabytes}; i++) await new Promise(done => process.stderr.write('e'.repeat(1e6), done));
      warn('\\nError: tired\\n', () => undefined);
      process.exitCode = 1;
      process.stdin.destroy();
    });`);
    const connection = connectStdio(agent);
    let observed = 0;
    const reply = await connection.send(
      { wireText: REQUEST },
      {
        head: () => undefined,
        progress: () => undefined,
        note: () => undefined,
        bytes: (direction, bytes) => void (observed += direction === 'stderr' ? bytes.length : 0),
      },
      new AbortController().signal,
    );
    assert.deepEqual(shown(reply, agent), {
      ...FAILED,
      code: 'EXIT 1',
      message:
        "Tried LINE, but the process ended with exit code 1 before it answered; its error output says 'Error: tired'",
    });
    assert.equal(observed, megabytes * 1e6 + '\nError: tired\n'.length);
    assert.equal((await sendTo(connection, inSession2(REQUEST))).reply.status, 'ok');
  });

  for (const [what, piece] of [
    ['without a bracket', 'x'],
    ['after a bracket', '[d:[s:'],
  ] as const) {
    it(`floods its output ${what}`, async () => {
      const maxBytes = 2_000_000;
      const { agent, listPids } = await turncoat(
        `on(() => { const more = () => process.stdout.write('${piece}'.repeat(10000), more); more(); });`,
      );
      const connection = connectStdio(agent, { maxBytes });
      const sent = await sendTo(connection, REQUEST);
      const { text, message, ...rest } = shown(sent.reply, agent);
      const isCut = piece.startsWith('[');
      assert.deepEqual(rest, {
        status: isCut ? 'incomplete' : 'error',
        isProtocol: isCut,
        code: 'TOO_LONG',
      });
      assert.match(
        message ?? '',
        /^Tried LINE: it wrote more than 2000000 bytes and was terminated there; request less/,
      );
      assert.equal(text, piece.repeat(text.length).slice(0, text.length));
      assert.ok(text.length > maxBytes);
      const [first = 0] = listPids();
      await until('the process is gone', () => !isAlive(first));
      assert.equal((await sendTo(connection, inSession2(REQUEST))).reply.status, 'ok');
    });
  }

  it('answers in very many tiny messages', async () => {
    const count = sized(100_000);
    const chunk = (k: number): string =>
      RESULT.replace('[s:fine]', `[s:x],[s:stream_id]:[s:n_${k}/${count}]`);
    const { agent } = await turncoat(`on(() => {
      let text = '';
      for (let k = 1; k <= ${count}; k++) text += result('1', 'x', ',[s:stream_id]:[s:n_' + k + '/${count}]') + '\\n';
      say(text);
    });`);
    const sent = await sendTo(connectStdio(agent), REQUEST);
    assert.equal(sent.reply.status, 'ok');
    assert.equal(sent.progress.length, count);
    assert.equal(sent.progress.join(''), sent.reply.text);
    assert.equal(sent.reply.text, Array.from({ length: count }, (_, index) => chunk(index + 1)).join('\n'));
  });

  it('ignores SIGTERM and the end of its input, and has started others', async () => {
    const { agent, listPids } = await turncoat(`
      process.on('SIGTERM', () => warn('no\\n'));
      const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' });
      note(child.pid);
      setInterval(() => {}, 1000);
      on(() => say(result('1', 'fine') + '\\n'));`);
    const connection = connectStdio(agent);
    assert.deepEqual((await sendTo(connection, REQUEST)).reply, { ...OK, text: RESULT });
    const pids = listPids();
    assert.deepEqual(pids.map(isAlive), [true, true]);
    await connection.close();
    await until('all of it is gone', () => !pids.some(isAlive));
  });

  it('leaves nothing behind when it exits by itself', async () => {
    const { agent, listPids } = await turncoat(`
      note(require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' }).pid);
      on(() => process.exit(1));`);
    const { reply } = await sendTo(connectStdio(agent), REQUEST);
    assert.deepEqual([reply.status, reply.code], ['error', 'EXIT 1']);
    await until('all of it is gone', () => !listPids().some(isAlive));
  });

  it('does not outlive us, however we end', async () => {
    const { agent, listPids } = await turncoat(`
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
      on(() => say(result('1', 'fine') + '\\n'));`);
    const host = spawn(
      process.execPath,
      ['--input-type=module', '-e', HOST, JSON.stringify({ ...agent, env: [] })],
      { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(host.stdout, 'data');
    const pids = listPids();
    assert.deepEqual(pids.map(isAlive), [true]);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await until('the agent is gone', () => !pids.some(isAlive));
  });
});

/** A process that has a connection, and no time to close it. */
const HOST = `
  const { AiclStdioConnection } = await import('../../../agents/aicl/stdio-connection.ts');
  const agent = JSON.parse(process.argv[1]);
  const nothing = () => undefined;
  const listener = { head: nothing, bytes: nothing, note: nothing, progress: nothing };
  const connection = new AiclStdioConnection({ ...agent, env: new Map() });
  await connection.send({ wireText: '${REQUEST}' }, listener, new AbortController().signal);
  console.log('ready');
  setInterval(() => {}, 1000);
`;

/**
 * An agent that does \`script\` in its first life, and answers as it should in its later ones, and in session 2. It
 * notes the ids of its processes in a file.
 */
async function turncoat(
  script: string,
): Promise<{ readonly agent: ResolvedStdioAgent; readonly listPids: () => readonly number[] }> {
  const path = join(await mkdtemp(join(folder, 'agent-')), 'pids');
  const agent = scriptAgent(`
    const fs = require('node:fs');
    const isFirst = !fs.existsSync(${JSON.stringify(path)});
    const note = pid => fs.appendFileSync(${JSON.stringify(path)}, pid + '\\n');
    note(process.pid);
    const serve = act => on((line, count) =>
      line.includes('[s:session_id]:[s:2]') ? say(result('2', 'fine') + '\\n') : act(line, count));
    if (isFirst) (on => { ${script} })(serve);
    else serve(() => {});`);
  return { agent, listPids: () => readFileSync(path, 'utf8').trim().split('\n').map(Number) };
}

function inSession2(message: string): string {
  return message.replace('[s:session_id]:[s:1]', '[s:session_id]:[s:2]');
}

/** A reply with the command line as LINE. */
function shown(reply: Reply, { command, args }: ResolvedStdioAgent): Reply {
  const line = quote(showCommandLine(command, args), 200);
  return reply.message === undefined
    ? reply
    : { ...reply, message: reply.message.replace(line, () => 'LINE') };
}

/** The observed events of the process, sorted: output and error output are two lines that race. */
function observe({ observed }: Sent): readonly string[] {
  return observed.filter(line => !line.startsWith('out')).toSorted();
}
