import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Connection } from '../../../agents/connection.ts';
import type { AgentQuestions } from '../../../core/message/message.ts';
import { RANDOM_IDS } from '../../../agents/runtime.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import { trackConnection } from '../support/send.ts';
import { isAlive } from '../support/stdio-agent.ts';
import { until } from '../support/raw-agent.ts';
import {
  EVERYTHING,
  ask,
  call,
  closeAll,
  connect,
  findPort,
  mcpAt,
  mcpProgram,
  rpc,
  said,
  startEverything,
  type Asked,
} from './support.ts';
import { shownPeer } from '../support/shown-peer.ts';

/** What answers the questions of a server here, and what it was asked. */
function answering(asked: unknown[]): AgentQuestions {
  return {
    fillForm: question => {
      asked.push(question);
      return Promise.resolve({ action: 'accept', content: { name: 'Ada', check: true } });
    },
    openAddress: question => {
      asked.push(question);
      return Promise.resolve('accept');
    },
    writeText: question => {
      asked.push(question);
      return Promise.resolve('Written by a person');
    },
    approve: () => Promise.resolve(false),
    listRoots: () => Promise.resolve([{ uri: 'file:///work', name: 'work' }]),
  };
}

const PEER = {
  version: '2025-11-25',
  name: 'mcp-servers/everything 2.0.0',
  capabilities: ['logging', 'completions', 'prompts', 'resources', 'tasks'],
};

/** The answer as it came over the wire: of a stream of events the data of the one that answers. */
function findAnswer({ came, reply }: Asked): string | undefined {
  return came
    .split('\n')
    .map(line => line.replace(/^data: /, ''))
    .findLast(line => line === reply.text);
}

const WAYS = [
  { way: 'as a process', how: undefined },
  { way: 'over Streamable HTTP', how: 'streamableHttp' },
  { way: 'over HTTP with a stream of events', how: 'sse' },
] as const;

for (const { way, how } of WAYS) {
  describe(`the reference server of MCP 2025-11-25 ${way}`, () => {
    let server: Awaited<ReturnType<typeof startEverything>> | undefined;
    before(async () => {
      if (how) server = await startEverything(how, await findPort());
    });
    after(() => server?.stop());
    afterEach(closeAll);
    const open = (): Connection => connect(server ? mcpAt(server.url) : mcpProgram([EVERYTHING]));

    it('lists its tools, answers calls to the letter and tells what it is', async () => {
      const connection = open();
      assert.equal(connection.peer, undefined);
      const listed = await ask(connection, rpc('tools/list'));
      assert.equal(listed.reply.status, 'ok');
      assert.equal(findAnswer(listed), listed.reply.text);
      assert.deepEqual(listed.progress, [listed.reply.text]);
      assert.deepEqual(shownPeer(connection.peer), PEER);
      const echoed = await ask(connection, call('echo', { message: 'hé' }));
      assert.equal(said(echoed), 'Echo: hé');
      assert.deepEqual(echoed.reply, { status: 'ok', isProtocol: true, text: findAnswer(echoed) });
    });

    it('tells errors: of a tool, of arguments, of a method', async () => {
      const connection = open();
      const wrong = await ask(connection, call('get-sum', { a: 'x', b: 1 }));
      assert.equal(wrong.reply.status, 'error');
      assert.match(wrong.reply.message ?? '', /Input validation error/);
      assert.equal(wrong.reply.isProtocol, true);
      const missing = await ask(connection, rpc('no/such'));
      const { status, code, message } = missing.reply;
      assert.deepEqual(
        { status, code, message },
        { status: 'error', code: '-32601', message: 'Method not found' },
      );
    });

    it('tells its progress, which keeps a call from being idle', async () => {
      const connection = open();
      const slow = await ask(connection, call('trigger-long-running-operation', { duration: 0.4, steps: 4 }));
      assert.equal(said(slow), 'Long running operation completed. Duration: 0.4 seconds, Steps: 4.');
      assert.equal(slow.came.match(/"method":"notifications\/progress"/g)?.length, 4);
      assert.deepEqual(slow.progress, [slow.reply.text]);
    });

    it('is stopped, is notified, and continues with the next call', async () => {
      const connection = open();
      await ask(connection, call('echo', { message: 'a' }));
      const stop = new AbortController();
      const stopped = await ask(
        connection,
        call('trigger-long-running-operation', { duration: 20, steps: 200 }),
        { signal: stop.signal, onBytes: piece => piece.startsWith('in: ') && stop.abort() },
      );
      assert.deepEqual([stopped.reply.status, stopped.reply.code], ['cancelled', 'CANCELLED']);
      await until('the server was told', () => stopped.sent.includes('"method":"notifications/cancelled"'));
      assert.equal(said(await ask(connection, call('echo', { message: 'b' }))), 'Echo: b');
    });

    it('is given up after its time, and goes on with the next call', async () => {
      const connection = open();
      await ask(connection, call('echo', { message: 'a' }));
      const late = await ask(connection, call('trigger-long-running-operation', { duration: 20, steps: 1 }), {
        timeout: 200,
      });
      assert.equal(late.reply.code, 'TIMEOUT');
      assert.match(
        late.reply.message ?? '',
        /200 ms; (?:the received part is stored, )?wait for the agent or raise its 'timeout'$/,
      );
      assert.equal(said(await ask(connection, call('echo', { message: 'b' }))), 'Echo: b');
    });

    it('asks for a text of a model, for values, for a visit and for folders', async () => {
      const connection = open();
      const asked: unknown[] = [];
      const questions = answering(asked);
      const sampled = await ask(
        connection,
        call('trigger-sampling-request', { prompt: 'Hi', maxTokens: 7 }),
        {
          questions,
        },
      );
      assert.match(String(said(sampled)), /Written by a person/);
      const elicited = await ask(connection, call('trigger-elicitation-request'), { questions });
      assert.match(elicited.reply.text, /Ada/);
      await ask(connection, call('trigger-url-elicitation', { url: 'https://example.org/x' }), { questions });
      assert.match(
        String(said(await ask(connection, call('get-roots-list'), { questions }))),
        /file:\/\/\/work/,
      );
      assert.deepEqual(asked[0], {
        agent: 'tester',
        systemPrompt: 'You are a helpful test server.',
        messages: [{ role: 'user', text: 'Resource trigger-sampling-request context: Hi' }],
        maxTokens: 7,
      });
      assert.deepEqual(asked[2], {
        agent: 'tester',
        message: 'Please open the link to complete this action.',
        url: 'https://example.org/x',
      });
    });

    it('is declined what no user answers, with a note', async () => {
      const connection = open();
      const sampled = await ask(connection, call('trigger-sampling-request', { prompt: 'Hi', maxTokens: 7 }));
      assert.equal(sampled.reply.status, 'error');
      assert.ok(
        sampled.notes.includes(
          'The agent requested sampling (the answer of a model); no user is present to answer, so it was declined',
        ),
      );
      assert.match(sampled.reply.message ?? '', /User rejected sampling request/);
    });

    it('shows in its parts what came after the question of the server', async () => {
      const events: TraceEvent[] = [];
      const tracking = {
        emit: (event: TraceEvent) => void events.push(event),
        now: () => events.length,
        ids: RANDOM_IDS,
        redactor: new Redactor([]),
      };
      const connection = trackConnection(open(), tracking);
      await ask(connection, call('trigger-elicitation-request'), { questions: answering([]) });
      const payload = events.filter(event => event.type === 'head' || event.type === 'wire');
      const { parts } = readParts(ALL_PROTOCOLS.find('mcp'), payload, 'ended');
      const question = parts.findIndex(
        ({ kind, title }) => kind === 'request' && title === 'elicitation/create',
      );
      const result = parts.findIndex(part => part.kind === 'result' && JSON.stringify(part).includes('Ada'));
      assert.ok(question !== -1 && result > question, JSON.stringify(parts, undefined, 1));
    });

    it('carries 40 calls at once, each answer to its own', async () => {
      const connection = open();
      const texts = Array.from({ length: 40 }, (_, index) => `n${index}`);
      const replies = await Promise.all(texts.map(message => ask(connection, call('echo', { message }))));
      assert.deepEqual(
        replies.map(said),
        texts.map(text => `Echo: ${text}`),
      );
      assert.deepEqual(
        replies.map(findAnswer),
        replies.map(({ reply }) => reply.text),
      );
    });
  });
}

/** The notes on a connection; the reference server may ask for roots at any time, which is another note. */
function connectionNotes({ notes }: Asked): readonly string[] {
  return notes.filter(note => !note.includes('(roots)'));
}

describe('the life of a connection to an MCP server', () => {
  afterEach(closeAll);

  it('a process is started at the first request, reused, and ends with the connection', async () => {
    const connection = connect(mcpProgram([EVERYTHING]));
    const heads: number[] = [];
    for (const message of ['a', 'b'])
      await connection.send(
        { wireText: call('echo', { message }) },
        {
          head: (_, __, facts) => void heads.push(Number(facts.find(({ name }) => name === 'pid')?.value)),
          bytes: () => undefined,
          note: () => undefined,
          progress: () => undefined,
        },
        new AbortController().signal,
      );
    const [pid = 0, again] = heads;
    assert.equal(again, pid);
    assert.ok(isAlive(pid));
    await connection.close();
    assert.ok(!isAlive(pid));
    const closed = await ask(connection, call('echo', { message: 'c' }));
    assert.equal(closed.reply.status, 'cancelled');
  });

  it('a process that has ended is started anew, with a note', async () => {
    const connection = connect(mcpProgram([EVERYTHING]));
    const first = await ask(connection, call('echo', { message: 'a' }));
    assert.equal(said(first), 'Echo: a');
    const env = await ask(connection, rpc('tools/list'));
    assert.equal(env.reply.status, 'ok');
    let pid = 0;
    await connection.send(
      { wireText: rpc('ping') },
      {
        head: (_, __, facts) => void (pid = Number(facts.find(({ name }) => name === 'pid')?.value)),
        bytes: () => undefined,
        note: () => undefined,
        progress: () => undefined,
      },
      new AbortController().signal,
    );
    process.kill(pid, 'SIGKILL');
    await until('it is gone', () => !isAlive(pid));
    const next = await ask(connection, call('echo', { message: 'b' }));
    assert.equal(said(next), 'Echo: b');
    assert.deepEqual(connectionNotes(next), ['The connection to the agent had ended, so Parley reconnected']);
  });

  it('a session over HTTP ends with the connection; a server that has forgotten it gets a new one', async () => {
    const port = await findPort();
    const server = await startEverything('streamableHttp', port);
    const connection = connect(mcpAt(server.url));
    assert.equal(said(await ask(connection, call('echo', { message: 'a' }))), 'Echo: a');
    await server.stop();
    const refused = await ask(connection, call('echo', { message: 'b' }));
    assert.deepEqual([refused.reply.status, refused.reply.code], ['error', 'ECONNREFUSED']);
    const other = await startEverything('streamableHttp', port);
    const again = await ask(connection, call('echo', { message: 'c' }));
    assert.equal(said(again), 'Echo: c');
    assert.deepEqual(connectionNotes(again), [
      'The connection to the agent had ended, so Parley reconnected',
    ]);
    await connection.close();
    await other.stop();
  });

  it('a session that the server has lost in between is begun anew, and the request sent again', async () => {
    const port = await findPort();
    const server = await startEverything('streamableHttp', port);
    const connection = connect(mcpAt(server.url));
    assert.equal(said(await ask(connection, call('echo', { message: 'a' }))), 'Echo: a');
    await server.stop();
    const other = await startEverything('streamableHttp', port);
    const again = await ask(connection, call('echo', { message: 'c' }));
    assert.equal(said(again), 'Echo: c');
    assert.deepEqual(connectionNotes(again), [
      'The agent no longer knows the session; a new one was started, and the request was sent again',
    ]);
    await connection.close();
    await other.stop();
  });

  it('a stream of events that broke off in between is begun anew, with its session', async () => {
    const port = await findPort();
    const server = await startEverything('sse', port);
    const connection = connect(mcpAt(server.url));
    let gone = 0;
    connection.onGone?.(() => gone++);
    assert.equal(said(await ask(connection, call('echo', { message: 'a' }))), 'Echo: a');
    await server.stop();
    const other = await startEverything('sse', port);
    const again = await ask(connection, call('echo', { message: 'c' }));
    assert.equal(said(again), 'Echo: c');
    assert.deepEqual(connectionNotes(again), [
      'The connection to the agent had ended, so Parley reconnected',
    ]);
    assert.equal(gone, 1);
    await connection.close();
    await other.stop();
  });

  it('tells when what the agent offers has changed', async () => {
    const connection = connect(mcpProgram([EVERYTHING]));
    let changes = 0;
    const forget = connection.onCapabilitiesChanged?.(() => changes++);
    await ask(connection, rpc('tools/list'));
    // The reference server adds tools once it knows what its client can do.
    await until('a change is told', () => changes > 0);
    forget?.();
  });
});
