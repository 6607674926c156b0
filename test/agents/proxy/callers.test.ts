import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import { Callers } from '../../../agents/proxy/callers.ts';
import { SocketOwners } from '../../../agents/proxy/socket-owners.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { closeProxies, closeServers, record, serve, Tape } from './support.ts';

const ASK = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}';

/** An agent that says where it listens. It calls the next one first, or ends its reply on request. */
const AGENT = `
  const { createServer } = require('node:http');
  const [next] = process.argv.slice(1);
  let release = () => {};
  createServer((request, response) => {
    if (request.url === '/release') return void (release(), response.end());
    request.resume().on('end', async () => {
      response.setHeader('content-type', 'application/json');
      response.flushHeaders();
      if (next === 'waits') await new Promise(done => (release = done));
      else if (next) await (await fetch(next, { method: 'POST', body: '${ASK}' })).text();
      response.end('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    });
  }).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); });
`;

/** Asks the second agent while the first one has yet to answer, and keeps its connections until it is ended. */
const CLIENT = `
  const [first, second, origin] = process.argv.slice(1);
  const ask = url => fetch(url, { method: 'POST', body: '${ASK}' });
  (async () => {
    const open = await ask(first);
    if (second) await (await ask(second)).text();
    if (origin) await fetch(origin + '/release');
    await open.text();
    setInterval(() => {}, 1_000);
  })();
`;

const children = new Set<ChildProcess>();

function run(script: string, ...given: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ['-e', script, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  return child;
}

async function startAgent(...given: readonly string[]): Promise<string> {
  const { stdout } = run(AGENT, ...given);
  assert.ok(stdout);
  const [said] = (await once(stdout, 'data')) as [Buffer];
  return said.toString().trim();
}

const FIRST_PORT = 40_000;

/** A folder like the kernel's, in which one process has so many connections to a port, from ports in a row. */
function kernelWith(reported: {
  readonly program: string;
  readonly connections: number;
  readonly to: number;
}): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-kernel-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const hexOf = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  const lines = Array.from({ length: reported.connections }, (_, nth) => {
    const ends = `0100007F:${hexOf(FIRST_PORT + nth)} 0100007F:${hexOf(reported.to)}`;
    return `  ${nth}: ${ends} 01 00000000:00000000 00:00000000 00000000  1000        0 ${nth + 1} 1\n`;
  });
  write('net/tcp', lines.join(''));
  write('77/stat', '77 (a) S 1');
  write('77/cmdline', `${reported.program}\0`);
  mkdirSync(join(folder, '77/fd'));
  for (const nth of lines.keys()) symlinkSync(`socket:[${nth + 1}]`, join(folder, '77/fd', String(nth)));
  return folder;
}

/** Resolves once so many calls are over. */
async function observe(tape: Tape, count: number): Promise<void> {
  while (tape.events.filter(({ type }) => type === 'end').length < count)
    await new Promise(resolve => setTimeout(resolve, 5));
}

/** `A by node (process) > B inferred by A`. */
function draw({ call, parentage, children: below }: CallNode): string {
  const by = call.from === undefined ? '' : ` by ${call.from}`;
  const words = `${call.agent}${parentage === 'root' ? '' : ` ${parentage}`}${by}`;
  return [words, ...below.map(draw)].join(' > ');
}

function drawAll(tape: Tape): readonly string[] {
  return tape.trees().flatMap(({ roots }) => roots.map(draw));
}

describe('who calls, by the process that does', function () {
  before(function () {
    // No other system tells whose a socket is without starting a program.
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(async () => {
    await closeProxies();
    await closeServers();
    for (const child of children) child.kill();
    children.clear();
  });

  it('is the client that asks two agents at the same time: neither is below the other', async () => {
    const [first, second] = [await startAgent('waits'), await startAgent()];
    const tape = new Tape();
    const a = await record(first, tape, { agent: 'A' });
    const b = await record(second, tape, { agent: 'B' });
    run(CLIENT, a.address, b.address, first);
    await observe(tape, 2);
    assert.deepEqual(drawAll(tape), ['A by node (process)', 'B by node (process)']);
  });

  it('is the agent that asks another one while it is asked', async () => {
    const tape = new Tape();
    const b = await record(await startAgent(), tape, { agent: 'B' });
    const a = await record(await startAgent(b.address), tape, { agent: 'A' });
    run(CLIENT, a.address);
    await observe(tape, 2);
    assert.deepEqual(drawAll(tape), ['A by node (process) > B inferred by A']);
  });

  it('is unknown if one process is several of them', async () => {
    const tape = new Tape();
    const answer = await serve((request, response) => {
      request.resume().on('end', () => response.end('{"jsonrpc":"2.0","id":1,"result":{}}'));
    });
    const b = await record(answer, tape, { agent: 'B' });
    const a = await record(answer, tape, { agent: 'A' });
    for (const { address } of [a, b]) await (await fetch(address, { method: 'POST', body: ASK })).text();
    await closeProxies();
    assert.deepEqual(drawAll(tape), ['A', 'B']);
  });

  it('is unknown if the system does not report it', () => {
    const callers = new Callers(new SocketOwners('/nowhere'));
    const request = { line: 'POST http://127.0.0.1:1/', caller: { connection: 1, from: 2, to: 3 } };
    assert.equal(callers.find(1, 'A', request, 0), undefined);
  });

  it('is looked for eight times in a row for each recording, and once more each tenth of a second', () => {
    const folder = kernelWith({ program: 'client', connections: 40, to: 9_000 });
    const callers = new Callers(new SocketOwners(folder));
    let connection = 0;
    const isReported = (recording: number, at: number): boolean => {
      const caller = { connection, from: FIRST_PORT + connection++, to: 9_000 };
      return callers.find(recording, 'A', { line: 'POST http://elsewhere.test/', caller }, at) !== undefined;
    };
    const count = (recording: number, at: number): number =>
      Array.from({ length: 12 }, () => isReported(recording, at)).filter(Boolean).length;
    try {
      assert.deepEqual([count(1, 0), count(1, 250), count(2, 250)], [8, 2, 8]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
