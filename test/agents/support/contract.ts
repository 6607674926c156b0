import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Connection } from '../../../agents/connection.ts';
import { fetchTools } from '../../../agents/capabilities/fetch-tools.ts';
import { until } from './raw-agent.ts';
import { sendTo, type SendOptions, type Sent } from './send.ts';
import { isAlive } from './stdio-agent.ts';
import { shownPeer } from './shown-peer.ts';

/** A request, and what comes of it, with `ID` for the id of its message and `UUID` for what an agent makes up. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
  /** The bytes of the answer, where they are more than its text. */
  readonly bytes?: string;
  /** What of a long answer `answer` tells. */
  readonly read?: (text: string) => string;
}

/** A text with `ORIGIN` for the address of an agent on this computer. */
export function withoutOrigin(text: string): string {
  return text.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'ORIGIN');
}

/** A reply that comes piece by piece: each of `marks` in another piece. */
export interface StreamExchange extends Exchange {
  readonly marks: readonly string[];
  /** Where a user sees the pieces: in the progress, or in the bytes alone, as the progress of MCP. */
  readonly seen: 'reported' | 'bytes';
}

/** A request that is never answered. */
export interface Hang {
  readonly request: string;
  /** What comes of it all the same. */
  readonly begun?: string;
}

/** One kind of agent: how it is asked, and what it answers. Every kind is held to the same cases. */
export interface ContractRow {
  readonly name: string;
  /** What it is to us once it has answered; undefined of protocols in which agents say nothing of themselves. */
  readonly peer?: Connection['peer'];
  /** How it is asked for its tools, where its protocol has a word for that. */
  readonly list?: Exchange;
  readonly call: Exchange;
  readonly failure: Exchange & { readonly code?: string; readonly message: string };
  readonly stream?: StreamExchange;
  /** For agents that do not stream: a reply that the agent writes in two pieces, one after the other. */
  readonly slow?: Exchange;
  readonly hang: Hang;
  /** The note of the first call after the agent was gone and back, where there is one. */
  readonly reconnected?: string;
  /** It also speaks of itself, when it likes. */
  readonly speaksUnasked?: true;
  /** What all tests of it need, and its end. */
  readonly before?: () => Promise<void>;
  readonly after?: () => Promise<void>;
  readonly open: () => Promise<ContractAgent>;
}

/** An agent that runs, or will at the first request. */
export interface ContractAgent {
  readonly connection: Connection;
  /** A server is at its address; a process is ours to start. */
  readonly kind: 'server' | 'process';
  /** It ends without a word. A process is killed by the suite. */
  leave(): Promise<void>;
  /** It is there again. */
  comeBack(): Promise<void>;
  /** Frees what the agent holds; the connection is closed already. */
  end(): Promise<void>;
}

/** What of this process stays when something was left open. */
const HELD: ReadonlySet<string> = new Set([
  'Timeout',
  'TCPSocketWrap',
  'TLSWrap',
  'ProcessWrap',
  'PipeWrap',
  'ConnectWrap',
]);

function countHeld(): number {
  return process.getActiveResourcesInfo().filter(name => HELD.has(name)).length;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The id of a JSON-RPC message, on either side of its version. */
const RPC_ID = /(?<="jsonrpc":"2\.0",)"id":(?:"[^"]*"|\d+)|(?<=\{)"id":\d+(?=,"jsonrpc":"2\.0")/g;

/** A text in the terms of `answer`: nothing else of it changes. */
function inTermsOf(answer: string, text: string): string {
  const named = answer.includes('UUID') ? text.replaceAll(UUID, 'UUID') : text;
  return answer.includes('"id":ID') ? named.replaceAll(RPC_ID, '"id":ID') : named;
}

function readReply({ answer, read = text => text }: Exchange, text: string): string {
  return inTermsOf(answer, read(text));
}

/** The bytes that came, as text. */
function bytesOf({ pieces }: Sent): string {
  return Buffer.from(pieces.join(''), 'latin1').toString();
}

/** One agent of a test, and what was started for it. */
class Guest {
  readonly agent: ContractAgent;
  readonly #row: ContractRow;
  readonly #pids = new Set<number>();

  constructor(agent: ContractAgent, row: ContractRow) {
    this.agent = agent;
    this.#row = row;
  }

  /** The processes that are there. */
  get alive(): readonly number[] {
    return [...this.#pids].filter(isAlive);
  }

  async send(request: string, options: SendOptions = {}): Promise<Sent> {
    return sendTo(this.agent.connection, request, {
      ...options,
      onSent: pid => {
        if (pid !== undefined) this.#pids.add(pid);
        options.onSent?.(pid);
      },
    });
  }

  async works(): Promise<Sent> {
    return this.answers(this.#row.call);
  }

  /** Asks, and expects the answer to the letter. */
  async answers(exchange: Exchange): Promise<Sent> {
    const sent = await this.send(exchange.request);
    const text = readReply(exchange, sent.reply.text);
    assert.deepEqual({ ...sent.reply, text }, { status: 'ok', isProtocol: true, text: exchange.answer });
    return sent;
  }

  /** Ends the agent as a power cut does. */
  async cutOff(): Promise<void> {
    if (this.agent.kind === 'server') return this.agent.leave();
    for (const pid of this.alive) process.kill(pid, 'SIGKILL');
    await until('its process is gone', () => this.alive.length === 0);
  }

  /** Sends what is never answered, and waits until it is on its way and all that comes of it has come. */
  async hang(options: SendOptions = {}): Promise<{ readonly sending: Promise<Sent> }> {
    const { request, begun } = this.#row.hang;
    let came = '';
    let isSent = false;
    const sending = this.send(request, {
      ...options,
      onSent: () => void (isSent = true),
      onPiece: piece => void (came += piece),
    });
    await until('the request went out', () => isSent);
    if (begun !== undefined)
      await until('what comes of it came', () => inTermsOf(begun, came).includes(begun));
    // The agent reads what was sent.
    await new Promise(resolve => setTimeout(resolve, 100));
    return { sending };
  }
}

/** Holds one kind of agent to the contract of connections (agents/connection.ts). */
export function describeContract(row: ContractRow): void {
  describe(`the contract: ${row.name}`, () => {
    const guests = new Set<Guest>();
    before(() => row.before?.());
    after(() => row.after?.());
    afterEach(async () => {
      for (const { agent } of guests) {
        await agent.connection.close();
        await agent.end();
      }
      guests.clear();
    });
    const invite = async (): Promise<Guest> => {
      const guest = new Guest(await row.open(), row);
      guests.add(guest);
      return guest;
    };
    const begun = (text: string): string => inTermsOf(row.hang.begun ?? '', text);

    it('connects at the first request, and knows who answers', async () => {
      // The runner's own timer begins after the first turn.
      await new Promise(resolve => setImmediate(resolve));
      const held = countHeld();
      const guest = await invite();
      const { connection } = guest.agent;
      assert.deepEqual([connection.peer, countHeld()], [undefined, held]);
      await guest.works();
      assert.deepEqual(shownPeer(connection.peer), row.peer);
    });

    const { list } = row;
    if (list) it('lists', async () => void (await (await invite()).answers(list)));
    else
      it('does not list, and says so without asking', async () => {
        const { connection } = (await invite()).agent;
        const deaf = { head() {}, bytes: () => assert.fail('it asked'), note() {}, progress() {} };
        const fetched = await fetchTools(connection, {}, deaf, new AbortController().signal);
        const { title } = connection.protocol.facts;
        assert.deepEqual(fetched, { ok: false, reason: `Agents of ${title} do not list their tools` });
      });

    it('calls and fails', async () => {
      const guest = await invite();
      await guest.works();
      const { request, answer, code, message } = row.failure;
      const { reply: failed } = await guest.send(request);
      assert.deepEqual(
        { ...failed, text: readReply(row.failure, failed.text) },
        { status: 'error', ...(code === undefined ? {} : { code }), message, isProtocol: true, text: answer },
      );
    });

    it('reports every byte that was sent and received', async () => {
      const guest = await invite();
      await guest.works();
      const sent = await guest.works();
      const { answer, bytes = answer } = row.call;
      const came = inTermsOf(bytes, bytesOf(sent));
      if (row.speaksUnasked) {
        assert.ok(came.includes(bytes), came);
        return;
      }
      const words = sent.observed.filter(line => !line.startsWith('stderr')).map(line => line.split(':')[0]);
      assert.deepEqual(
        words.filter(word => !word?.includes('head')),
        ['out', 'in'],
      );
      const out = sent.observed.find(line => line.startsWith('out: '));
      assert.ok(out?.includes(partOf(row.call.request)), out);
      assert.equal(came.trimEnd(), bytes.trimEnd());
    });

    const { stream, slow } = row;
    if (stream)
      it('streams: each piece is there when it comes', async () => {
        const guest = await invite();
        const sent = await guest.answers(stream);
        const pieces = (stream.seen === 'reported' ? sent.progress : sent.pieces).map(piece =>
          inTermsOf(stream.answer, piece),
        );
        const places = stream.marks.map(mark => pieces.findIndex(piece => piece.includes(mark)));
        assert.deepEqual(
          places,
          [...places].filter(place => place >= 0).sort((one, other) => one - other),
          `${stream.marks.join(' ')} in this order: ${JSON.stringify(pieces)}`,
        );
        // A busy machine may deliver two chunks together.
        const least = Math.min(2, stream.marks.length);
        assert.ok(new Set(places).size >= least, `not all in one chunk: ${JSON.stringify(pieces)}`);
        if (stream.seen === 'reported') assert.equal(sent.progress.join(''), sent.reply.text);
        else assert.deepEqual(sent.progress, [sent.reply.text]);
      });
    else if (slow)
      it('does not stream: what comes in pieces is one reply, reported when it is complete', async () => {
        const { progress, reply: answer } = await (await invite()).answers(slow);
        const reported = progress.filter(piece => piece !== '');
        // Who does not hear it piece by piece has it from the reply.
        assert.deepEqual(reported, reported.length === 0 ? [] : [answer.text]);
      });

    it('is cancelled, and goes on', async () => {
      const guest = await invite();
      await guest.works();
      const stop = new AbortController();
      const { sending } = await guest.hang({ signal: stop.signal });
      stop.abort();
      const { status, code, text } = (await sending).reply;
      assert.deepEqual([status, code, begun(text)], ['cancelled', 'CANCELLED', row.hang.begun ?? '']);
      await guest.works();
    });

    it('times out, and goes on', async () => {
      const guest = await invite();
      await guest.works();
      const { reply: answer } = await guest.send(row.hang.request, { timeout: 300 });
      assert.deepEqual(
        [answer.status, answer.code, begun(answer.text)],
        [row.hang.begun === undefined ? 'error' : 'incomplete', 'TIMEOUT', row.hang.begun ?? ''],
      );
      assert.match(
        answer.message ?? '',
        /^Tried .* 300 ms; (?:the received part is stored, )?wait for the agent or raise its 'timeout'$/,
      );
      await guest.works();
    });

    it('closes: what is open ends, and no process, socket or timer is left', async () => {
      const guest = await invite();
      const held = countHeld();
      await guest.works();
      const { sending } = await guest.hang();
      await guest.agent.connection.close();
      assert.equal((await sending).reply.status, 'cancelled');
      await until('no process is left', () => guest.alive.length === 0);
      await until('no socket and no timer is left', () => countHeld() <= held);
      assert.equal((await guest.send(row.call.request)).reply.status, 'cancelled');
      await until('nothing was begun', () => countHeld() <= held && guest.alive.length === 0);
    });

    it('is gone between two calls: that is said, or it is started anew', async () => {
      const guest = await invite();
      await guest.works();
      await guest.cutOff();
      if (guest.agent.kind === 'server') {
        const { reply: answer } = await guest.send(row.call.request);
        // A reused connection may learn that its other end is gone only when it is used.
        const [code, message] = [answer.code ?? '', answer.message ?? ''];
        assert.equal(answer.status, 'error');
        assert.match(
          `${code}: ${message}`,
          /^(?:ECONNREFUSED: Tried .* nothing listens at .*; start the agent or correct its url|ECONNRESET: (?:Tried .*closed the connection without an answer|The agent closed the event stream that carries its answers); .*look at .*)$/,
        );
        await guest.agent.comeBack();
      }
      const { observed } = await guest.works();
      assert.deepEqual(
        // The reference server may ask for roots at any time.
        observed.filter(line => line.startsWith('note: ') && !line.includes('(roots)')),
        row.reconnected === undefined ? [] : [`note: ${row.reconnected}`],
      );
    });

    it('is gone in the middle of a call: that is said, and the next call works', async () => {
      const guest = await invite();
      await guest.works();
      const { sending } = await guest.hang();
      await guest.cutOff();
      const { reply: answer } = await sending;
      const isServer = guest.agent.kind === 'server';
      assert.deepEqual(
        [answer.status, answer.code, begun(answer.text)],
        [
          row.hang.begun === undefined ? 'error' : 'incomplete',
          isServer ? 'ECONNRESET' : 'SIGKILL',
          row.hang.begun ?? '',
        ],
      );
      assert.match(
        answer.message ?? '',
        isServer
          ? /(?:^Tried .*(?:closed the connection without an answer; look at|the connection was lost; the received part is stored)|^The agent closed the event stream that carries its answers; send again)/
          : /^Tried .*the process ended by the signal SIGKILL before it answered; /,
      );
      await guest.agent.comeBack();
      await guest.works();
    });
  });
}

/** What of a request an agent knows it by: ids and traces are the connection's. */
export function partOf(request: string): string {
  const said = /"(?:name|text|input|tool)":"[^"]*"/.exec(request)?.[0];
  return said ?? /"method":"(?:agent::)?([^"]*)"/.exec(request)?.[1] ?? request;
}
