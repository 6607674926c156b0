import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { PackedReply, type PackedPiece } from '../../../agents/proxy/recording/packed-reply.ts';
import { joinBytes, decodeUtf8, readBytes } from '../../../core/events/bytes.ts';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import { printTraceEvent } from '../../../trace/file.ts';
import { openTraceFile } from '../../../agents/store/trace-file.ts';
import { TraceIndex } from '../../../agents/store/trace-index.ts';
import { readUnpacked, unpackAll } from '../../../agents/store/unpacked-payload.ts';
import { payloadOf } from '../../../core/events/payload.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import { until } from '../support/raw-agent.ts';
import { closeProxies, lineOf, record, Tape } from './support.ts';
import { sized } from '../../support/size.ts';

const REQUEST =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}}';
const DEEP =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"X-OpenStarry-Trace-ID":"run","X-OpenStarry-Trace-Depth":9}}}';
const FAILED = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"naïve numbers only"}}';

/** More than is reported at once of a reply. */
const SIZE = sized(40 * 2 ** 20, 3 * 2 ** 20);

const TOO_LONG =
  'The reply decompresses to more than 64 MiB, or to more than 200 times the bytes received: decompression stopped here';

const FAST = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Each way to compress a whole body, by how a head calls it. */
const WAYS: readonly (readonly [name: string, pack: (text: string) => Buffer])[] = [
  ['gzip', text => zlib.gzipSync(text)],
  ['X-GZip', text => zlib.gzipSync(text)],
  ['deflate', text => zlib.deflateSync(text)],
  ['deflate', text => zlib.deflateRawSync(text)],
  ['br', text => zlib.brotliCompressSync(text, FAST)],
  ['zstd', text => zlib.zstdCompressSync(text)],
  ['gzip, br', text => zlib.brotliCompressSync(zlib.gzipSync(text), FAST)],
];

const STREAMS: readonly (readonly [name: string, open: () => Transform & zlib.Zlib])[] = [
  ['gzip', () => zlib.createGzip()],
  ['deflate', () => zlib.createDeflate()],
  ['br', () => zlib.createBrotliCompress()],
  ['zstd', () => zlib.createZstdCompress()],
];

const servers = new Set<Server>();

async function startAgent(answer: (asked: IncomingMessage, reply: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  servers.add(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An agent that answers every request with these bytes. */
function startPacked(encoding: string, body: Buffer, type = 'application/json'): Promise<string> {
  return startAgent((asked, reply) => {
    // An agent that answers earlier may have the rest of the request cut off.
    asked.resume().on('end', () => {
      reply.writeHead(200, { 'content-type': type, 'content-encoding': encoding }).end(body);
    });
  });
}

/** Posts to a recording, and answers the bytes of the reply as they came. */
function post(
  port: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', ...headers };
    const asking = request({ host: '127.0.0.1', port, path, method: 'POST', headers: all }, reply => {
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.on('end', () => resolve(Buffer.concat(pieces)));
      reply.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

function piecesOf(node: CallNode, direction: 'out' | 'in'): readonly WireEvent[] {
  return node.wire.filter(event => event.direction === direction);
}

function textsIn(node: CallNode, direction: 'out' | 'in'): string | undefined {
  return decodeUtf8(joinBytes(piecesOf(node, direction).map(event => readBytes(payloadOf(event)))));
}

function bytesIn(node: CallNode, direction: 'out' | 'in'): Buffer {
  return Buffer.from(joinBytes(piecesOf(node, direction).map(({ bytes }) => readBytes(bytes))));
}

/** Ends the recordings and returns the one recorded call. */
async function finish(tape: Tape): Promise<CallNode> {
  const [call, ...others] = await readCalls(tape);
  assert.ok(call && others.length === 0);
  return call;
}

/** Ends the recordings and returns their calls, with the content of compressed bodies as a reader of the trace gets it. */
async function readCalls(tape: Tape): Promise<readonly CallNode[]> {
  await closeProxies();
  const read = new Tape();
  for (const { call, payload } of tape.calls()) {
    const others = tape.events.filter(
      event => event.call === call.call && event.type !== 'head' && event.type !== 'wire',
    );
    // Content that continues has the number of the event that it belongs to, so the numbers are left out.
    for (const { seq, ...event } of await readUnpacked(payload)) if (seq !== undefined) read.take(event);
    for (const event of others) read.take(event);
  }
  return read.calls();
}

/** All content of a trace, however it is decompressed. */
function unpackEach(tape: Tape): string {
  const found = tape.events.map(event => printTraceEvent(event));
  for (const event of tape.events) {
    if (event.type !== 'wire') continue;
    for (const stored of [event.bytes, event.unpacked ?? { text: '' }]) {
      const bytes = Buffer.from(readBytes(stored));
      found.push(bytes.toString('latin1'));
      for (const unpack of [
        zlib.gunzipSync,
        zlib.inflateSync,
        zlib.inflateRawSync,
        zlib.brotliDecompressSync,
      ])
        try {
          found.push(unpack(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString('latin1'));
        } catch {
          // It is not packed so.
        }
    }
  }
  return found.join('\n');
}

/** A byte that depends on its place and that no compression foresees, the same in each run. */
function noise(place: number): number {
  return Math.imul(place, 0x9e3779b1) >>> 24;
}

describe('a compressed exchange that passes a recording', () => {
  afterEach(async () => {
    await closeProxies();
    for (const server of servers) await new Promise(resolve => server.close(resolve));
    servers.clear();
  });

  for (const guard of [undefined, new RecursionGuard(5)])
    for (const [name, pack] of WAYS)
      it(`is read and recorded unchanged: ${name}${guard ? ', guarded' : ''}`, async () => {
        const [asked, answered] = [pack(REQUEST), pack(FAILED)];
        const tape = new Tape();
        const proxy = await record(await startPacked(name, answered), tape, guard ? { guard } : {});
        const came = await post(proxy.port, asked, { 'content-encoding': name });
        const call = await finish(tape);
        assert.ok(came.equals(answered), 'the caller gets what the agent sent');
        assert.deepEqual([lineOf(call), call.message], ['mcp · add · error · -32602', 'naïve numbers only']);
        assert.equal(call.call.trace, '4bf92f3577b34da6a3ce929d0e0e4736');
        assert.deepEqual([textsIn(call, 'out'), textsIn(call, 'in')], [REQUEST, FAILED]);
        assert.deepEqual([bytesIn(call, 'out'), bytesIn(call, 'in')], [asked, answered]);
        assert.deepEqual([call.traffic.bytesOut, call.traffic.bytesIn], [asked.length, answered.length]);
        assert.deepEqual(call.notes, []);
      });

  for (const guard of [undefined, new RecursionGuard(5)])
    for (const [name, open] of STREAMS)
      it(`tells what a stream says while it comes: ${name}${guard ? ', guarded' : ''}`, async () => {
        const asks =
          'data: {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Which day?"}}\n\n';
        const answers =
          'data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Monday"}]}}\n\n';
        let goOn = (): void => undefined;
        const agent = await startAgent((asked, reply) => {
          asked.resume();
          reply.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': name });
          const stream = open();
          stream.pipe(reply);
          stream.write(asks);
          stream.flush();
          goOn = () => stream.end(answers);
        });
        const tape = new Tape();
        const proxy = await record(agent, tape, guard ? { guard } : {});
        const over = post(proxy.port, REQUEST);
        await until('what the agent asks is told', () =>
          tape.events.some(({ type, ...event }) => type === 'call' && 'back' in event),
        );
        assert.equal(
          tape.events.some(({ type }) => type === 'end'),
          false,
        );
        goOn();
        const came = await over;
        const [call, back] = await readCalls(tape);
        assert.ok(call && back);
        assert.deepEqual(
          [lineOf(call), lineOf(back)],
          ['mcp · add · ok', 'mcp · elicitation/create · incomplete'],
        );
        assert.equal(textsIn(call, 'in'), asks + answers);
        assert.ok(bytesIn(call, 'in').equals(came));
        const { parts, notes } = readParts(ALL_PROTOCOLS.find('mcp'), [...call.heads, ...call.wire], 'ended');
        assert.deepEqual(
          [parts.map(({ kind, text }) => [kind, text]).at(-1), notes],
          [['result', 'Monday'], []],
        );
      });

  it('is refused by the guard by what a compressed request says', async () => {
    const tape = new Tape();
    const agent = await startPacked('gzip', zlib.gzipSync(FAILED));
    const proxy = await record(agent, tape, { guard: new RecursionGuard(5) });
    const came = await post(proxy.port, zlib.brotliCompressSync(DEEP), { 'content-encoding': 'br' });
    const call = await finish(tape);
    assert.equal(lineOf(call), 'mcp · add · error · -33007');
    assert.match(came.toString(), /"code":-33007/);
  });

  it('keeps a long request whole, with what it says', async () => {
    const noise = Buffer.from(
      Array.from({ length: 300_000 }, (_, at) => (at * at * at * 31) % 65_521),
    ).toString('base64');
    const text = REQUEST.replace('"add"', `"add","arguments":{"noise":${JSON.stringify(noise)}}`);
    const packed = zlib.gzipSync(text, { level: 1 });
    assert.ok(packed.length > 64 * 1024);
    const tape = new Tape();
    const proxy = await record(await startPacked('identity', Buffer.from(FAILED)), tape);
    await post(proxy.port, packed, { 'content-encoding': 'gzip' });
    const call = await finish(tape);
    assert.deepEqual([textsIn(call, 'out') === text, bytesIn(call, 'out').equals(packed)], [true, true]);
    assert.equal(lineOf(call), 'mcp · add · error · -32602');
  });

  it('says what cannot be read, and that the status alone tells the outcome', async () => {
    const packed = Buffer.from([0x1f, 0x9d, 0x90, 0xff, 0x80]);
    const tape = new Tape();
    const proxy = await record(await startPacked('compress', packed), tape);
    await post(proxy.port, packed, { 'content-encoding': 'compress' });
    const call = await finish(tape);
    assert.deepEqual(call.notes, [
      "The request is compressed as 'compress' and cannot be read: its content is unknown, and its names are taken from its headers",
      "The reply is compressed as 'compress' and cannot be read: the outcome of the call is taken from the HTTP status alone",
    ]);
    assert.deepEqual(
      [lineOf(call), bytesIn(call, 'in'), bytesIn(call, 'out')],
      ['other · POST /mcp · ok', packed, packed],
    );
    assert.equal(
      piecesOf(call, 'in').some(({ unpacked }) => unpacked),
      false,
    );
  });

  it('reads what is plain although its head says otherwise', async () => {
    const tape = new Tape();
    const proxy = await record(await startPacked('gzip', Buffer.from(FAILED)), tape);
    await post(proxy.port, REQUEST, { 'content-encoding': 'utf-8' });
    const call = await finish(tape);
    assert.deepEqual(
      [lineOf(call), textsIn(call, 'out'), textsIn(call, 'in')],
      ['mcp · add · error · -32602', REQUEST, FAILED],
    );
    assert.deepEqual(call.notes, [
      "The request is declared as compressed with 'utf-8', and is not",
      "The reply is declared as compressed with 'gzip', and is not",
    ]);
  });

  it('keeps what follows a break, and says that it is not read', async () => {
    const begun = zlib.gzipSync(FAILED.slice(0, 50), { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    let goOn = (): void => undefined;
    const agent = await startAgent((asked, reply) => {
      asked.resume();
      reply.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).write(begun);
      goOn = () => reply.end(Buffer.alloc(200, 0xff));
    });
    const tape = new Tape();
    const proxy = await record(agent, tape);
    const over = post(proxy.port, REQUEST);
    await until('its beginning is told', () =>
      tape.events.some(event => event.type === 'wire' && event.direction === 'in'),
    );
    goOn();
    const came = await over;
    const call = await finish(tape);
    assert.ok(bytesIn(call, 'in').equals(came));
    assert.deepEqual(
      [lineOf(call), call.message, textsIn(call, 'in')],
      [
        'mcp · add · error · -32602',
        'The agent answered with an error and did not say why; look at its reply',
        FAILED.slice(0, 50),
      ],
    );
    assert.equal(call.notes[0], "Decompression of the reply failed here ('gzip'): the rest cannot be read");
  });

  it('stops to unpack what is made to fill memory', async () => {
    const most = sized(2 ** 26, 2 ** 22);
    // Every hundred bytes are one that cannot be compressed.
    const body = Buffer.alloc(2 * most);
    for (let at = 0; at < body.length; at += 100) body[at] = noise(at);
    const bomb = zlib.gzipSync(body);
    assert.ok(bomb.length * 200 > most);
    const reply = PackedReply.of([{ name: 'content-encoding', value: 'gzip' }], most);
    assert.ok(reply);
    const pieces: PackedPiece[] = [];
    for await (const piece of reply.read(bomb)) pieces.push(piece);
    const said = pieces.map(piece => piece.content?.length ?? 0);
    assert.ok(Math.max(...said) <= 2 ** 20, 'no piece is longer than the limit of one report');
    assert.equal(
      said.reduce((sum, length) => sum + length, 0),
      most,
    );
    assert.ok(bomb.equals(joinBytes(pieces.map(({ bytes }) => bytes))));
    assert.deepEqual(
      pieces.flatMap(({ note }) => note ?? []),
      [TOO_LONG],
    );
    reply.close();
  });

  it('stores no more than a short body can have, and all bytes that came', async () => {
    const bomb = zlib.brotliCompressSync(Buffer.alloc(2 ** 27, 0x20), FAST);
    const tape = new Tape();
    const proxy = await record(await startPacked('br', bomb), tape);
    const came = await post(proxy.port, REQUEST);
    const call = await finish(tape);
    assert.ok(came.equals(bomb) && bytesIn(call, 'in').equals(bomb));
    const said = piecesOf(call, 'in').map(event => readBytes(payloadOf(event)).length);
    assert.ok(Math.max(...said) <= 2 ** 20, 'no event holds more than a line of a file may');
    assert.equal(
      said.reduce((sum, length) => sum + length, 0),
      2 ** 16,
    );
    assert.deepEqual(call.notes.slice(0, 1), [TOO_LONG]);
  });

  it('takes at most half as much again in a file as on the wire, and is read from there by what it says', async () => {
    const items = Array.from({ length: sized(30_000, 6_000) }, (_, at) => ({
      at,
      name: `item ${(at * at) % 65_521}`,
    }));
    const said = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { items, text: 'naïve' } });
    const folder = await mkdtemp(join(tmpdir(), 'parley-packed-'));
    for (const [name, pack] of WAYS) {
      const packed = pack(said);
      assert.ok(packed.length > 16_384 && packed.length * 3 < said.length, name);
      const tape = new Tape();
      const proxy = await record(await startPacked(name, packed), tape);
      await post(proxy.port, REQUEST);
      await closeProxies();
      const path = join(folder, `${name}.agenttrace.jsonl`);
      const opened = await openTraceFile(path, 'test');
      assert.ok(opened.ok);
      for (const event of tape.events) opened.file.write(event);
      await opened.file.close();
      const { size } = await stat(path);
      assert.ok(size <= 1.5 * packed.length, `${name}: ${size} bytes of ${packed.length}`);
      const index = new TraceIndex(path);
      await index.readOn();
      const { call = '' } = tape.events[0] ?? {};
      const pieces: (HeadEvent | WireEvent)[] = [];
      for await (const { events } of index.payloads([call])) pieces.push(...events);
      for (const payload of [await index.payload(call), pieces]) {
        const wire = payload.filter(event => event.type === 'wire' && event.direction === 'in');
        const text = decodeUtf8(joinBytes(wire.map(event => readBytes(payloadOf(event as WireEvent)))));
        assert.ok(text === said, name);
      }
      await rm(path);
    }
    await rm(folder, { recursive: true });
  });

  it('lets others have their turn while much is unpacked where the recording is guarded', async () => {
    const text = Buffer.alloc(SIZE, 'text ');
    for (let at = 0; at < SIZE; at += 100) text[at] = 0x20 + (noise(at) % 64);
    const body = zlib.gzipSync(text);
    const tape = new Tape();
    let turn = 0;
    let timer = setImmediate(function next() {
      turn++;
      timer = setImmediate(next);
    });
    const proxy = await record(await startPacked('gzip', body), tape, { guard: new RecursionGuard() });
    const before = turn;
    const reply = await post(proxy.port, REQUEST);
    await closeProxies();
    const whileRecorded = turn - before;
    const [{ payload = [] } = {}] = tape.calls();
    /** How much is read in each turn. */
    const read = new Map<number, number>();
    for await (const event of unpackAll(payload)) {
      const { length } = event.type === 'wire' && event.unpacked ? readBytes(event.unpacked) : '';
      read.set(turn, (read.get(turn) ?? 0) + length);
    }
    clearImmediate(timer);
    const call = await finish(tape);
    assert.ok(reply.equals(body) && bytesIn(call, 'in').equals(body));
    const all = [...read.values()].reduce((sum, count) => sum + count, 0);
    assert.equal(all, SIZE);
    const most = Math.max(...read.values());
    assert.ok(most <= 2 * 2 ** 20, `${most} bytes were read in one turn`);
    assert.ok(whileRecorded >= SIZE / 2 ** 21, `${whileRecorded} turns while it was recorded`);
  });

  it('leaves no secret in the trace, however it is unpacked', async () => {
    const tokens =
      '{"access_token":"SECRETTOKEN-0123456789","refresh_token":"REFRESH-9876543210","token_type":"Bearer"}';
    const form = 'grant_type=client_credentials&client_id=x&client_secret=CLIENTSECRET-123';
    for (const [name, pack] of WAYS) {
      const agent = await startAgent((asked, reply) => {
        const said =
          asked.url === '/token'
            ? tokens
            : JSON.stringify({ jsonrpc: '2.0', id: 1, result: { echo: asked.headers.authorization } });
        asked.resume();
        reply
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': name })
          .end(pack(said));
      });
      const tape = new Tape();
      const proxy = await record(agent, tape);
      const type = 'application/x-www-form-urlencoded';
      await post(proxy.port, pack(form), { 'content-type': type, 'content-encoding': name }, '/token');
      await post(proxy.port, REQUEST, { authorization: 'Bearer BEARER-abcdefghijkl' });
      const [token, call] = await readCalls(tape);
      const stored = unpackEach(tape);
      for (const secret of ['SECRETTOKEN-', 'REFRESH-', 'CLIENTSECRET-', 'BEARER-'])
        assert.equal(stored.includes(secret), false, `${secret} of ${name}`);
      assert.ok(token && call);
      assert.equal(textsIn(token, 'in'), tokens.replace(/"[A-Z]+-\d+"/g, '"[redacted]"'));
      assert.equal(textsIn(token, 'out'), form.replace('CLIENTSECRET-123', '[redacted]'));
      assert.equal(textsIn(call, 'in'), '{"jsonrpc":"2.0","id":1,"result":{"echo":"[redacted]"}}');
      const sizes = [pack(tokens).length, pack(form).length];
      assert.deepEqual([token.traffic.bytesIn, token.traffic.bytesOut], sizes);
      const why =
        'not recorded: the call contains a secret, which cannot be replaced in compressed data; the decompressed content is recorded without the secret where it can be read';
      assert.deepEqual(token.notes, [
        `The compressed bytes of the request are ${why}`,
        `The compressed bytes of the reply are ${why}`,
      ]);
    }
  });

  it('keeps no compressed bytes of a reply with tokens that it cannot read', async () => {
    const packed = Buffer.from([0x1f, 0x9d, 0x90, 0xff, 0x80]);
    const tape = new Tape();
    const proxy = await record(await startPacked('compress', packed), tape);
    const form = 'grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=x';
    await post(proxy.port, form, { 'content-type': 'application/x-www-form-urlencoded' }, '/token');
    const call = await finish(tape);
    assert.deepEqual([bytesIn(call, 'in').toString(), call.traffic.bytesIn], ['[redacted]', packed.length]);
  });
});
