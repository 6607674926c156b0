import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { TraceEvent } from '../../core/events/events.ts';
import { CliFolder } from './support/run-cli.ts';
import { CLI } from '../support/built-cli.ts';

/** The events of a trace file so far, each as a few words. */
async function readTape(path: string): Promise<readonly string[]> {
  const [, ...lines] = (await readFile(path, 'utf8')).split('\n').filter(line => line !== '');
  return lines.map(line => {
    const event = JSON.parse(line) as TraceEvent;
    if (event.type === 'call') return `call ${event.agent} ${event.protocol} ${event.title}`;
    if (event.type === 'wire')
      return `${event.direction} ${'text' in event.bytes ? event.bytes.text : event.bytes.base64}`;
    return event.type === 'end' ? `end ${event.status}` : event.type;
  });
}

describe('parley record', () => {
  let folder: CliFolder;
  let agent: Server;
  let url = '';
  before(async () => {
    folder = await CliFolder.create({});
    agent = createServer((request, response) => {
      request.resume().on('end', () => response.setHeader('content-type', 'text/plain').end('TOOLS|a'));
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  });
  after(async () => {
    agent.closeAllConnections();
    agent.close();
    await folder.remove();
  });

  it('runs in front of agents; the file can be read while it runs, and an interrupt ends it in order', async () => {
    const interrupt = new AbortController();
    const out = join(folder.path, 'run.agenttrace.jsonl');
    let whileRunning: readonly string[] = [];
    const words = ['--listen', '0', '--to', `${url}/aicf`, '--listen', '0', '--to', url, '--name', 'toolbox'];
    const run = await folder.run(['record', ...words, '--out', out, '--format', 'json'], {
      interrupt: interrupt.signal,
      onOut(text) {
        const { recordings } = JSON.parse(text) as { recordings: { address: string }[] };
        void (async () => {
          await (await fetch(recordings[0]?.address ?? '', { method: 'POST', body: 'LIST' })).text();
          while (!whileRunning.includes('end ok')) whileRunning = await readTape(out);
          interrupt.abort();
        })();
      },
    });
    const reported = JSON.parse(run.out) as {
      recordings: { name: string; address: string; to: string }[];
      out: string;
    };
    const expected = ['call toolbox aicf LIST', 'head', 'out LIST', 'head', 'in TOOLS|a', 'end ok'];
    assert.deepEqual(whileRunning, expected);
    assert.deepEqual(await readTape(out), expected);
    assert.deepEqual([run.exitCode, run.err, reported.out], [0, '', out]);
    assert.deepEqual(
      reported.recordings.map(({ name, to }) => [name, to]),
      [
        ['toolbox', `${url}/aicf`],
        [new URL(url).host, `${url}/`],
      ],
    );
    assert.match(reported.recordings[0]?.address ?? '', /^http:\/\/127\.0\.0\.1:\d+\/aicf$/);
  });

  for (const { limit, answers } of [
    { limit: [], answers: [200, 200, 508] },
    { limit: ['--depth-limit', '2'], answers: [200, 508, 508] },
  ])
    it(`refuses with --guard ${limit.join(' ') || 'alone'} calls deeper than the limit`, async () => {
      const interrupt = new AbortController();
      const statuses: number[] = [];
      const run = await folder.run(
        ['record', '--listen', '0', '--to', url, '--guard', ...limit, '--format', 'json'],
        {
          interrupt: interrupt.signal,
          onOut(text) {
            const { recordings } = JSON.parse(text) as { recordings: { address: string }[] };
            void (async () => {
              for (const depth of ['2', '3', '6']) {
                const headers = {
                  'x-openstarry-trace-id': `run-${depth}`,
                  'x-openstarry-trace-depth': depth,
                };
                const response = await fetch(`${recordings[0]?.address ?? ''}/page`, { headers });
                statuses.push(response.status);
                await response.arrayBuffer();
              }
              interrupt.abort();
            })();
          },
        },
      );
      assert.deepEqual([run.exitCode, run.err, statuses], [0, '', answers]);
    });

  it('admits the pages and the hosts that are named, and reports each other one once with the option', async () => {
    const interrupt = new AbortController();
    const statuses: (number | undefined)[] = [];
    let port = 0;
    const words = ['--allow-origin', 'http://localhost:3000', '--allow-host', 'host.docker.internal'];
    const run = await folder.run(
      ['record', '--listen', '0', '--to', url, '--name', 'toolbox', ...words, '--format', 'json'],
      {
        interrupt: interrupt.signal,
        onOut(text) {
          const { recordings } = JSON.parse(text) as { recordings: { address: string }[] };
          port = Number(new URL(recordings[0]?.address ?? '').port);
          void (async () => {
            const call = (headers: Record<string, string>): Promise<void> =>
              new Promise(resolve => {
                const sent = request({ port, host: '127.0.0.1', headers, agent: false }, reply => {
                  statuses.push(reply.statusCode);
                  reply.resume().on('end', resolve);
                });
                sent.end();
              });
            await call({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' });
            await call({ host: `host.docker.internal:${port}` });
            for (let again = 0; again < 2; again++) {
              await call({ origin: 'https://evil.example' });
              await call({ 'sec-fetch-site': 'cross-site' });
              await call({ host: 'evil.example' });
            }
            interrupt.abort();
          })();
        },
      },
    );
    const page = (whose: string): string =>
      `parley: toolbox: This recording accepts no requests from web pages, and a page of ${whose} sent this one; the origin can be allowed where the recording is started`;
    assert.deepEqual(
      [statuses, run.err.split('\n')],
      [
        [200, 200, 403, 403, 403, 403, 403, 403],
        [
          `${page("'https://evil.example'")}. To admit it, record with --allow-origin https://evil.example`,
          `${page('another site')}. --allow-origin ORIGIN admits pages that name their origin`,
          `parley: toolbox: This recording accepts requests for 127.0.0.1:${port} and localhost:${port} and host.docker.internal only, and the request names the host 'evil.example'. To admit it, record with --allow-host evil.example`,
          '',
        ],
      ],
    );
  });

  it('names the file by the time where none is named', async () => {
    const interrupt = new AbortController();
    const run = await folder.run(['record', '--listen', '0', '--to', url], {
      interrupt: interrupt.signal,
      onOut: () => interrupt.abort(),
    });
    const [name = ''] = (await readdir(folder.path)).filter(each => each.startsWith('recording-'));
    assert.match(name, /^recording-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.agenttrace\.jsonl$/);
    assert.match(
      run.out,
      /^127\.0\.0\.1:\d+: http:\/\/127\.0\.0\.1:\d+ forwards to http:\/\/127\.0\.0\.1:\d+\/\nRecording to .*; Ctrl-C ends it\n$/,
    );
  });

  it('starts a process in the place of an agent: its output, its exit code, and signals to it', async () => {
    const out = join(folder.path, 'process.agenttrace.jsonl');
    const script = `process.on('SIGTERM', () => process.exit(5)); process.stderr.write('up'); process.stdin.on('data', line => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n'));`;
    const words = ['record', '--name', 'coder', '--out', out, '--', process.execPath, '-e', script];
    const child = spawn(process.execPath, [CLI, ...words], { cwd: folder.path, stdio: 'pipe' });
    const observed = { out: '', err: '' };
    child.stdout.on('data', piece => (observed.out += String(piece)));
    child.stderr.on('data', piece => (observed.err += String(piece)));
    const request = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
    child.stdin.write(request);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [exitCode] = (await once(child, 'close')) as [number];
    assert.deepEqual([exitCode, observed], [5, { out: '{"jsonrpc":"2.0","id":1,"result":{}}\n', err: 'up' }]);
    assert.deepEqual(
      (await readTape(out)).filter(each => each !== 'stderr up'),
      [
        'call coder mcp tools/list',
        'head',
        `out ${request}`,
        'in {"jsonrpc":"2.0","id":1,"result":{}}\n',
        'end ok',
      ],
    );
  });

  it('trusts an agent over https by the configured CA', async () => {
    const [cert, key] = ['cert', 'key'].map(name =>
      readFileSync(new URL(`../agents/fixtures/tls/${name}.pem`, import.meta.url)),
    );
    const secure = createSecureServer({ cert, key }, (_, response) => response.end('TOOLS|a'));
    await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve));
    const to = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
    await writeFile(join(folder.path, 'authority.pem'), cert ?? '');
    const interrupt = new AbortController();
    let answered = '';
    try {
      await folder.run(
        ['record', '--listen', '0', '--to', to, '--tls-ca', 'authority.pem', '--format', 'json'],
        {
          interrupt: interrupt.signal,
          onOut(text) {
            const { recordings } = JSON.parse(text) as { recordings: { address: string }[] };
            void fetch(recordings[0]?.address ?? '', { method: 'POST', body: 'LIST' })
              .then(async response => (answered = `${response.status} ${await response.text()}`))
              .finally(() => interrupt.abort());
          },
        },
      );
    } finally {
      secure.close();
    }
    assert.equal(answered, '200 TOOLS|a');
  });

  it('has no list of addresses to print for a command', async () => {
    const message = '--format is for addresses (--listen with --to); a command after -- has none';
    assert.deepEqual(await folder.run(['record', '--format', 'json', '--', 'node']), {
      exitCode: 2,
      out: '',
      err: `${JSON.stringify({ error: { exitCode: 2, message } })}\n`,
    });
  });

  const faults: readonly (readonly [name: string, words: readonly string[], message: string])[] = [
    [
      'neither an address nor a command',
      [],
      "'parley record' needs --listen PORT --to URL, or a command after --",
    ],
    [
      'both',
      ['--listen', '0', '--to', 'http://localhost:1', '--', 'node'],
      "'parley record' takes --listen with --to, or a command after --, not both",
    ],
    ['a port without an address', ['--listen', '0'], 'Each --listen needs one --to; there are 1 and 0'],
    [
      'a port that is none',
      ['--listen', '70000', '--to', 'http://localhost:1'],
      "--listen takes a port, a number from 0 to 65535; it got '70000'",
    ],
    [
      'a limit without a guard',
      ['--listen', '0', '--to', 'http://127.0.0.1:1', '--depth-limit', '3'],
      '--depth-limit is the limit of --guard, which is missing',
    ],
    [
      'a limit that is none',
      ['--listen', '0', '--to', 'http://127.0.0.1:1', '--guard', '--depth-limit', '0'],
      "--depth-limit takes a whole number from 1 on; it got '0'",
    ],
    [
      'every origin at once',
      ['--listen', '0', '--to', 'http://127.0.0.1:1', '--allow-origin', '*', '--out', 'x.agenttrace.jsonl'],
      "--allow-origin takes one origin, http://HOST:PORT or https://HOST without a path; it got '*'",
    ],
    [
      'a host that is none',
      ['--listen', '0', '--to', 'http://127.0.0.1:1', '--allow-host', 'a/b', '--out', 'x.agenttrace.jsonl'],
      "--allow-host takes a host name, with or without a port; it got 'a/b'",
    ],
    [
      'an origin in front of a command',
      ['--allow-origin', 'http://localhost:3000', '--', 'node'],
      '--allow-origin is for addresses (--listen with --to); a command after -- has none',
    ],
    [
      'an address that is none',
      ['--listen', '0', '--to', 'ftp://localhost'],
      "--to takes an address that begins with http:// or https://; it got 'ftp://localhost'",
    ],
    [
      'an address with a credential, which callers send themselves',
      ['--listen', '0', '--to', 'http://me:secret@127.0.0.1:1'],
      "--to takes an address without user, password and query, because callers send these themselves; it got 'http://[redacted]@127.0.0.1:1'",
    ],
    [
      'an address with a query',
      ['--listen', '0', '--to', 'http://127.0.0.1:1/a?b=1'],
      "--to takes an address without user, password and query, because callers send these themselves; it got 'http://127.0.0.1:1/a?b=1'",
    ],
    [
      'a guard in front of a command',
      ['--guard', '--', 'node'],
      '--guard is for addresses (--listen with --to); a command after -- has none',
    ],
    [
      'a window in front of an address',
      ['--live', 'x.sock', '--listen', '0', '--to', 'http://127.0.0.1:1'],
      '--live is for a command after --; recordings of addresses are written to --out',
    ],
    [
      'a window and a file at once',
      ['--live', 'x.sock', '--out', 'x.agenttrace.jsonl', '--', 'node'],
      '--live sends the recording to a window, and --out writes it to a file; use one of them',
    ],
    [
      'a certificate that cannot be read',
      ['--listen', '0', '--to', 'https://127.0.0.1:1', '--tls-ca', 'gone.pem', '--out', 'x.agenttrace.jsonl'],
      "Cannot open 'gone.pem': ENOENT",
    ],
    [
      'a command that is not there',
      ['--out', 'gone.agenttrace.jsonl', '--', 'no-such-agent'],
      "Tried to start 'no-such-agent', but there is no command 'no-such-agent'; install it or correct the agent's 'command'",
    ],
  ];
  for (const [name, words, message] of faults) {
    it(`refuses ${name}`, async () => {
      assert.deepEqual(await folder.run(['record', ...words]), {
        exitCode: 2,
        out: '',
        err: `parley: ${message}\n`,
      });
    });
  }
});
