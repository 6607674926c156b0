import { connectAgent } from '../../../agents/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ResolvedStdioAgent } from '../../../agents/config/resolve-agent.ts';
import { ConnectionPool } from '../../../agents/connection-pool.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { sendTo, trackConnection, type Sent } from '../support/send.ts';
import { until } from '../support/raw-agent.ts';
import { closeAll, connectStdio, isAlive, scriptAgent, stdioAgent } from '../support/stdio-agent.ts';

/** A request written by hand. */
function ask(session: string, task = 'go', type = 'task_request'): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}],[s:task]:[s:${task}],[s:constraints]:[d:]]`;
}

/** A reply as the scripts write it. */
function result(session: string, data: string, more = ''): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:result],[s:data]:[s:${data}]${more}]`;
}

/** The observed events without the head, which names the process. */
function heardOf({ observed }: Sent): readonly string[] {
  return observed.filter(line => !line.startsWith('out head: '));
}

const ECHO = `on(line => say(result(/session_id\\]:\\[s:([^\\]]*)/.exec(line)[1], 'pid ' + process.pid) + '\\n'));`;

/** The id of the process that answered, as ECHO says it. */
function pidOf({ reply }: Sent): number {
  return Number(/pid (\d+)/.exec(reply.text)?.[1]);
}

describe('an AICL agent that is a process', () => {
  afterEach(closeAll);

  it('fails a call by a reply of an unknown type, which is shown', async () => {
    const unexpected = result('1', 'x').replace('[s:result]', '[s:banana]');
    const { reply } = await sendTo(connectStdio(scriptAgent(`on(() => say('${unexpected}\\n'));`)), ask('1'));
    const { message, ...rest } = reply;
    assert.deepEqual(rest, { status: 'error', code: 'UNKNOWN_TYPE', isProtocol: true, text: unexpected });
    assert.match(message ?? '', /'banana', which AICL does not have/);
  });

  it('may say something of an unknown type in the middle of a reply', async () => {
    const parts = [
      result('1', 'a', ',[s:is_final]:[b:false]'),
      result('1', 'x').replace('[s:result]', '[s:banana]'),
      result('1', 'b'),
    ];
    const script = `on(() => say(${JSON.stringify(parts.join('\n'))} + '\\n'));`;
    const { reply } = await sendTo(connectStdio(scriptAgent(script)), ask('1'));
    assert.deepEqual(reply, { status: 'ok', isProtocol: true, text: parts.join('\n') });
  });

  it('is started at the first request, gets each with a line end, and keeps running', async () => {
    const agent = scriptAgent(`on((line, count) => say(result('1', count + line.length) + '\\n'));`);
    const connection = connectStdio(agent);
    const first = await sendTo(connection, ask('1'));
    const second = await sendTo(connection, ask('1'));
    const length = ask('1').length;
    assert.deepEqual(first.reply, { status: 'ok', isProtocol: true, text: result('1', String(length)) });
    assert.deepEqual(second.reply, { status: 'ok', isProtocol: true, text: result('1', String(length + 1)) });
    assert.deepEqual(heardOf(second), [`out: ${ask('1')}\n`, `in: ${second.reply.text}\n`]);
    assert.deepEqual(second.progress, [second.reply.text]);
    assert.match(second.observed[0] ?? '', /^out head: stdio .+node/);
  });

  it('is read by tokens: a bracket inside a text, blanks and line ends of any kind do not count', async () => {
    const body = result('1', 'a\\u005Db [d: \r\n');
    const agent = scriptAgent(`on(() => say('\\r\\n  ' + ${JSON.stringify(body)} + '\\r\\n'));`);
    const { reply } = await sendTo(connectStdio(agent), ask('1'));
    assert.deepEqual(reply, { status: 'ok', isProtocol: true, text: body });
  });

  it('answers with an error', async () => {
    const body =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:error],[s:code]:[i:3001],[s:reason]:[s:TOOL_UNAVAILABLE]]';
    const { reply } = await sendTo(connectStdio(scriptAgent(`on(() => say('${body}'));`)), ask('1'));
    assert.deepEqual(reply, {
      status: 'error',
      isProtocol: true,
      text: body,
      code: '3001',
      message: 'TOOL_UNAVAILABLE',
    });
  });

  it('shows chunks while they come, up to the last one', async () => {
    const chunk = (k: number, final: string): string =>
      result('1', `c${k}`, `,[s:stream_id]:[s:x_${k}/3]${final}`);
    const chunks = [chunk(1, ',[s:is_final]:[b:false]'), chunk(2, ''), chunk(3, ',[s:is_final]:[b:true]')];
    const agent = scriptAgent(`
      const chunks = ${JSON.stringify(chunks)};
      on(() => chunks.forEach((chunk, index) => setTimeout(() => say(chunk + '\\n'), index * 30)));`);
    const sent = await sendTo(connectStdio(agent), ask('1'));
    assert.deepEqual(sent.reply, { status: 'ok', isProtocol: true, text: chunks.join('\n') });
    assert.deepEqual(sent.progress, [chunks[0], `\n${chunks[1]}`, `\n${chunks[2]}`]);
  });

  it('ends a negotiation with its terms, and no other call with terms that it offers', async () => {
    const terms = '[d:[s:session_id]:[s:1],[s:msg_type]:[s:protocol_negotiate],[s:supported]:[l:[s:v1]]]';
    const connection = connectStdio(
      scriptAgent(`on((line, count) => say('${terms}' + (count === 0 ? '' : result('1', 'done'))));`),
    );
    assert.deepEqual((await sendTo(connection, ask('1', 'go', 'protocol_negotiate'))).reply.text, terms);
    assert.deepEqual((await sendTo(connection, ask('1'))).reply.text, `${terms}\n${result('1', 'done')}`);
  });

  it('gives each reply to the oldest open request of its session, whichever comes first', async () => {
    const agent = scriptAgent(`on((line, count) => {
      if (count === 2) say(result('b', 'B') + result('a', 'A1') + result('a', 'A2'));
    });`);
    const connection = connectStdio(agent);
    const [a1, b, a2] = await Promise.all(['a', 'b', 'a'].map(session => sendTo(connection, ask(session))));
    assert.deepEqual(
      [a1, b, a2].map(sent => sent && [sent.reply, heardOf(sent)]),
      [
        ['a', 'A1'],
        ['b', 'B'],
        ['a', 'A2'],
      ].map(([session = '', data = '']) => [
        { status: 'ok', isProtocol: true, text: result(session, data) },
        [`out: ${ask(session)}\n`, `in: ${result(session, data)}`],
      ]),
    );
  });

  it('keeps what it writes besides messages, and says so', async () => {
    const agent = scriptAgent(`
      warn('ready\\n');
      // Nothing orders two pipes: the reply leaves when the other one has long been read.
      on(() => setTimeout(() => say('[INFO] thinking\\n[====>  \\n' + result('1', 'x') + '\\n'), 200));`);
    const sent = await sendTo(connectStdio(agent), ask('1'));
    assert.deepEqual(sent.reply, { status: 'ok', isProtocol: true, text: result('1', 'x') });
    assert.deepEqual(heardOf(sent).toSorted(), [
      `in: [INFO] thinking\n[====>  \n${result('1', 'x')}\n`,
      "note: The agent wrote text to its output that is not a valid AICL message, beginning '[INFO] thinking⏎[====>'; logs belong to its error output",
      `out: ${ask('1')}\n`,
      'stderr: ready\n',
    ]);
  });

  it('stops a call and continues: the late reply is recorded and answers nothing else', async () => {
    const agent = scriptAgent(`on((line, count) => {
      if (count === 0) warn('got it\\n');
      else say(result('a', 'late') + result('b', 'B'));
    });`);
    const connection = connectStdio(agent);
    const abort = new AbortController();
    const observed: string[] = [];
    const stopped = connection.send(
      { wireText: ask('a') },
      {
        head: () => undefined,
        progress: () => undefined,
        note: text => void observed.push(text),
        bytes: (direction, bytes) => {
          observed.push(`${direction}: ${Buffer.from(bytes).toString()}`);
          if (direction === 'stderr') abort.abort();
        },
      },
      abort.signal,
    );
    const { status, code, message } = await stopped;
    assert.deepEqual([status, code], ['cancelled', 'CANCELLED']);
    assert.match(message ?? '', /^The call to '.+' was cancelled before an answer began$/);
    assert.equal((await sendTo(connection, ask('b'))).reply.text, result('b', 'B'));
    assert.deepEqual(observed, [
      `out: ${ask('a')}\n`,
      'stderr: got it\n',
      `in: ${result('a', 'late')}`,
      'More of its session arrived after the call had ended; it was recorded with this call and not used as a reply to another request',
    ]);
  });

  it('is restarted if the reply to a stopped request could not be distinguished from the next', async () => {
    const agent = scriptAgent(`on((line, count) => {
      if (count === 1) say('thinking');
      else say(result('a', 'pid ' + process.pid) + '\\n');
    });`);
    const connection = connectStdio(agent);
    const before = pidOf(await sendTo(connection, ask('a')));
    const abort = new AbortController();
    const stopped = await sendTo(connection, ask('a'), {
      signal: abort.signal,
      onBody: () => abort.abort(),
    });
    assert.equal(stopped.reply.status, 'cancelled');
    const sent = await sendTo(connection, ask('a'));
    assert.notEqual(pidOf(sent), before);
    assert.deepEqual(
      heardOf(sent)[0],
      `note: The agent was restarted for this request: a late reply to an abandoned request could not be distinguished from the reply to this one`,
    );
    await until('the first process is gone', () => !isAlive(before));
  });

  it('gets its environment and its folder', async () => {
    const agent = scriptAgent(`on(() => say(result('1', process.env.GREETING + ' ' + process.cwd())));`, {
      env: new Map([['GREETING', 'hello']]),
      cwd: '/',
    });
    assert.equal((await sendTo(connectStdio(agent), ask('1'))).reply.text, result('1', 'hello /'));
  });

  it('runs in our own runtime where there is no node on the path', async () => {
    const agent = stdioAgent('node', [...scriptAgent(ECHO).args], { env: new Map([['PATH', '/nowhere']]) });
    const sent = await sendTo(connectStdio(agent), ask('1'));
    assert.equal(sent.reply.status, 'ok');
    assert.deepEqual(
      sent.observed[0],
      "note: There is no 'node' on the path; the agent runs in the runtime that Parley itself runs in",
    );
  });

  it('ends with the connection, which takes nothing more', async () => {
    const connection = connectStdio(scriptAgent(ECHO));
    const pid = pidOf(await sendTo(connection, ask('1')));
    await connection.close();
    assert.equal(isAlive(pid), false);
    assert.equal((await sendTo(connection, ask('1'))).reply.status, 'cancelled');
  });

  it('shows no secret of its command line, also where a sentence cuts it off', async () => {
    const secret = 's3cr3t'.repeat(40);
    const events: TraceEvent[] = [];
    const agent = stdioAgent(
      process.execPath,
      ['-e', 'console.error("Error: " + process.argv[1]); process.exit(1)', secret],
      {
        secrets: [secret],
      },
    );
    const connection = trackConnection(connectStdio(agent), {
      emit: event => events.push(event),
      now: () => 1,
      ids: { newTrace: () => 't', newCall: () => 'c' },
      redactor: new Redactor(agent.secrets),
    });
    const { reply } = await sendTo(connection, ask('1'));
    assert.equal(reply.code, 'EXIT 1');
    assert.equal(JSON.stringify([events, reply]).includes('s3cr3t'), false);
    assert.match(reply.message ?? '', /its error output says 'Error: \[redacted\]'$/);
    const [, head] = events;
    assert.ok(head?.type === 'head');
    assert.match(head.line, /^stdio .+ \[redacted\]$/);
    assert.deepEqual(
      head.headers.map(({ name }) => name),
      ['cwd', 'pid'],
    );
  });

  it('keeps running from one use to the next, until its entry changes or is removed', async () => {
    const stored = new ConnectionPool(connectAgent);
    try {
      const agent = scriptAgent(ECHO);
      const use = async (key: string, used: ResolvedStdioAgent): Promise<number> => {
        const { connection } = stored.connect(key, used);
        return pidOf(await sendTo(connection, ask('1')));
      };
      const first = await use('a', agent);
      assert.equal(await use('a', { ...agent }), first);
      assert.notEqual(await use('b', agent), first);
      const changed = await use('a', { ...agent, env: new Map([['X', '1']]) });
      assert.notEqual(changed, first);
      await until('the one before the change is gone', () => !isAlive(first));
      stored.retain(new Set(['b']));
      await until('the one that was removed is gone', () => !isAlive(changed));
    } finally {
      await stored.close();
    }
  });
});
