import { Readable } from 'node:stream';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { safeTerminal, type Terminal } from '../../cli/src/terminal.ts';
import { CliFolder } from './support/run-cli.ts';
import { CLI } from '../support/built-cli.ts';

/** Escape sequences, C1 controls, bidirectional marks and characters without a glyph, and how they are shown. */
const HOSTILE = 'a\u001b]0;x\u0007b\u009b2Jc\u202ed\u200ee\u2066f\u061cg\u{e0041}\u007fh';
const SHOWN = 'aU+001B]0;xU+0007bU+009B2JcU+202EdU+200EeU+2066fU+061CgU+E0041U+007Fh';

const AGENT = 'r\u001b[31m\u202e';

/** Runs the command line on a terminal: what it writes there, with the line ends that a terminal gets. */
async function runOnTerminal(cwd: string, words: readonly string[]): Promise<string> {
  const line = [process.execPath, '--disable-warning=ExperimentalWarning', CLI, ...words];
  const quoted = line.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const script = spawn('script', ['--quiet', '--command', quoted, '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  script.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(script, 'close');
  return Buffer.concat(chunks).toString().replaceAll('\r\n', '\n');
}

describe('on a terminal', () => {
  let folder: CliFolder;
  let port: number;
  const agent = createServer(socket => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      const bytes = Buffer.from(`OK|${HOSTILE}`);
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n');
      // Each byte is a chunk of its own, so that characters are split.
      for (const byte of bytes) socket.write(Buffer.from([byte]));
      socket.end();
    });
  });

  before(async () => {
    agent.listen(0, '127.0.0.1');
    await once(agent, 'listening');
    port = (agent.address() as AddressInfo).port;
    const url = `http://127.0.0.1:${port}/\u202e`;
    const agents = { [AGENT]: { protocol: 'aicf', type: 'http', url, quirks: 'off' } };
    folder = await CliFolder.create({
      'agents.json': JSON.stringify({ agents }),
      'list.aicf': 'LIST\n',
      'f\u001b[2J\u202e.aicf': 'call|x\n',
    });
  });
  after(async () => {
    agent.close();
    await folder.remove();
  });

  it('a reply is shown and not obeyed', async () => {
    const text = await runOnTerminal(folder.path, [
      ...['send', 'list.aicf', '--agents', 'agents.json', '--agent', AGENT],
    ]);
    assert.equal(text, `OK|${SHOWN}\n`);
  });

  it('what a recorded process writes is shown', async () => {
    const script = `process.stdout.write(${JSON.stringify(`${HOSTILE}\n`)}); process.stderr.write(${JSON.stringify(`${HOSTILE}\n`)})`;
    const text = await runOnTerminal(folder.path, [
      ...['record', '--out', 't.agenttrace.jsonl', '--', process.execPath, '-e', script],
    ]);
    assert.deepEqual(text.split('\n').sort(), ['', SHOWN, SHOWN]);
  });

  it('names of files are shown', async () => {
    assert.equal(
      await runOnTerminal(folder.path, ['check', 'f\u001b[2J\u202e.aicf']),
      "fU+001B[2JU+202E.aicf:1:1: error: 'call' is not a command; write 'CALL' (error 400) [aicf/wrong-case]\n1 error in 1 file\n",
    );
  });

  it('names of agents and words of the command line are shown', async () => {
    assert.deepEqual(await folder.run(['agents', '--agents', 'agents.json'], { isScreen: true }), {
      exitCode: 0,
      out: `rU+001B[31mU+202E\taicf\thttp\thttp://127.0.0.1:${port}/U+202E\n`,
      err: '',
    });
    assert.deepEqual(await folder.run(['x\u001b[2J\u202e'], { isScreen: true }), {
      exitCode: 2,
      out: '',
      err: "parley: There is no command 'xU+001B[2JU+202E'; see 'parley --help'\n",
    });
  });

  it('JSON has escapes and the same value', async () => {
    const words = ['send', 'list.aicf', '--agents', 'agents.json', '--agent', AGENT, '--format', 'json'];
    const { out } = await folder.run(words, { isScreen: true });
    assert.match(
      out,
      /"text": "OK\|a\\u001b\]0;x\\u0007b\\u009b2Jc\\u202ed\\u200ee\\u2066f\\u061cg\\udb40\\udc41\\u007fh"/,
    );
    const [reply] = JSON.parse(out) as [{ text: string }];
    assert.equal(reply.text, `OK|${HOSTILE}`);
  });

  it('the colour of a severity is the only escape', async () => {
    const { out } = await folder.run(['check', 'f\u001b[2J\u202e.aicf'], { colour: true });
    assert.equal(
      out,
      "fU+001B[2JU+202E.aicf:1:1: \u001b[31merror\u001b[0m: 'call' is not a command; write 'CALL' (error 400) [aicf/wrong-case]\n",
    );
  });

  it('a file or a pipe gets the bytes as they are', async () => {
    const { out } = await folder.run([...['send', 'list.aicf', '--agents', 'agents.json', '--agent', AGENT]]);
    assert.equal(out, `OK|${HOSTILE}\n`);
  });
});

describe('results on a terminal', () => {
  /** What a terminal gets of results that are written in these chunks. */
  function show(chunks: readonly string[], isScreen = true): string {
    let shown = '';
    const host = { ...HOST, isScreen, out: (text: string) => void (shown += text) };
    const terminal = safeTerminal(host);
    for (const chunk of chunks) terminal.out(chunk);
    terminal.flush();
    return shown;
  }

  it('are the same, however they are cut into chunks', () => {
    const text = `${HOSTILE}\r\n\ttab 😀\u{e0001}x\r\ry\r`;
    const shown = `${SHOWN}\r\n\ttab 😀U+E0001xU+000DU+000DyU+000D`;
    assert.equal(show([text]), shown);
    for (let at = 0; at <= text.length; at++) assert.equal(show([text.slice(0, at), text.slice(at)]), shown);
    assert.equal(show(text.split('')), shown);
  });

  it('are as they are in a file or a pipe', () => {
    assert.equal(show([HOSTILE, '\r'], false), `${HOSTILE}\r`);
  });
});

const HOST: Terminal = {
  cwd: '/',
  env: {},
  isScreen: true,
  colour: false,
  catchInterrupts: () => new AbortController().signal,
  input: () => Readable.from([]),
  out: () => undefined,
  settle: () => Promise.resolve(),
  err: () => undefined,
};
