import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { CliFolder, type CliOptions, type CliRun } from './support/run-cli.ts';

/** An agent of the test's own, with what came to it. */
interface Listener {
  readonly url: string;
  connections: number;
  bodies: string[];
  close(): Promise<void>;
}

async function listen(): Promise<Listener> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      listener.bodies.push(body);
      response.setHeader('content-type', 'text/plain').end('OK|1');
    });
  });
  server.on('connection', () => listener.connections++);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const listener: Listener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: 0,
    bodies: [],
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
  return listener;
}

/** A process that leaves a file behind as soon as it runs. */
const STARTED = 'started.txt';
const PROCESS = `require('node:fs').writeFileSync(${JSON.stringify(STARTED)}, '')`;

const trace = (agent: string): string =>
  [
    '{"format":"agenttrace","version":1}',
    `{"type":"call","call":"c1","trace":"t1","at":1000,"agent":"${agent}","protocol":"aicf","title":"f"}`,
    '{"type":"wire","call":"c1","at":1001,"direction":"out","bytes":{"text":"CALL|f|1"}}',
    '{"type":"wire","call":"c1","at":1002,"direction":"in","bytes":{"text":"OK|1"}}',
    '{"type":"end","call":"c1","at":1003,"status":"ok"}',
    '',
  ].join('\n');

describe('consent on the command line', () => {
  let one: Listener;
  let other: Listener;
  let folder: CliFolder;

  before(async () => {
    [one, other] = [await listen(), await listen()];
    const http = (url: string, more = {}): object => ({
      protocol: 'aicf',
      type: 'http',
      url,
      quirks: 'off',
      ...more,
    });
    const agents = {
      one: http(one.url),
      other: http(other.url),
      toolbox: http('${demo:toolbox}'),
      userinfo: http(`\${demo:toolbox}@${new URL(other.url).host}/`),
      process: { protocol: 'aicl', type: 'stdio', command: 'node', args: ['-e', PROCESS] },
      clerk: {
        protocol: 'aio',
        type: 'stdio',
        mode: 'one-shot',
        command: 'node',
        args: ['${demo:clerk}', 'demo', '--stdio'],
      },
      preloaded: {
        protocol: 'aio',
        type: 'stdio',
        mode: 'one-shot',
        command: 'node',
        args: ['${demo:clerk}', 'demo', '--stdio'],
        env: { NODE_OPTIONS: `--require ./${STARTED}` },
      },
    };
    folder = await CliFolder.create({
      '.vscode/agents.json': JSON.stringify({ agents }),
      '.vscode/parley.env.json': JSON.stringify({ dev: { key: '{{$env API_KEY}}' } }),
      'one.aicf': '# @agent one\nCALL|f|1\n',
      'two.aicf': '# @agent toolbox\nCALL|math.add|1|2\n# @agent one\nCALL|f|1\n# @agent other\nCALL|f|2\n',
      'default.aicf': '# @default other\n\nCALL|f|1\n',
      'demo.aicf': '# @agent toolbox\nCALL|math.add|1|2\n',
      'process.aicl':
        '# @agent process\n[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:data_query],[s:query]:[s:x]]\n',
      'env.aicf': 'CALL|f|1\n# @key = a{{none.data}}{{$env API_KEY}}\nCALL|f|{{key}}\n',
      'one.agenttrace.jsonl': trace('one'),
      'other.agenttrace.jsonl': trace('other'),
      'toolbox.agenttrace.jsonl': trace('toolbox'),
      'below/deep/one.aicf': '# @agent one\nCALL|f|1\n',
    });
  });
  after(async () => {
    await Promise.all([one.close(), other.close()]);
    await folder.remove();
  });
  afterEach(async () => {
    for (const listener of [one, other]) Object.assign(listener, { connections: 0, bodies: [] });
    await rm(join(folder.path, STARTED), { force: true });
  });

  /** A run that must neither connect nor start anything; the agents that it lists, and the commands that it suggests. */
  async function refused(
    words: readonly string[],
    options?: CliOptions,
  ): Promise<CliRun & { listed: string[]; commands: string[] }> {
    const run = await folder.run(words, options);
    assert.deepEqual(
      [run.exitCode, run.out, one.connections, other.connections, existsSync(join(folder.path, STARTED))],
      [2, '', 0, 0, false],
      run.err,
    );
    const lines = run.err.split('\n').filter(line => line.startsWith('  '));
    return {
      ...run,
      listed: lines.filter(line => line.startsWith("  '")).map(line => line.trim()),
      commands: lines.filter(line => line.startsWith('  parley ')).map(line => line.trim()),
    };
  }

  it('is not given by the agents file that is found: nothing is sent, and the command that allows it works', async () => {
    const { err, listed, commands } = await refused(['send', 'one.aicf']);
    const file = join(folder.path, '.vscode/agents.json');
    assert.deepEqual(
      [err.split('\n')[0], listed, commands],
      [
        `parley: Nothing was started or sent: you have not allowed these agents of '${file}':`,
        [`'one'  ${one.url}`],
        ['parley send --agent=one one.aicf', `parley send --agents=${file} one.aicf`],
      ],
    );
    for (const command of commands) {
      assert.equal((await folder.run(command.split(' ').slice(1))).exitCode, 0);
      assert.deepEqual(one.bodies.splice(0), ['CALL|f|1']);
    }
  });

  it('is wanted for all agents of a file before the first request is sent, but for demo agents', async () => {
    const { listed, commands } = await refused(['send', 'two.aicf']);
    assert.deepEqual(listed, [`'one'  ${one.url}`, `'other'  ${other.url}`]);
    assert.equal(commands[0], 'parley send --agent=toolbox --agent=one --agent=other two.aicf');
    const run = await folder.run(commands[0].split(' ').slice(1));
    assert.deepEqual(
      [run.exitCode, run.out, one.bodies, other.bodies],
      [0, 'OK|{"sum":3}\nOK|1\nOK|1\n', ['CALL|f|1'], ['CALL|f|2']],
    );
    assert.deepEqual(await folder.run(['send', 'demo.aicf']), {
      exitCode: 0,
      out: 'OK|{"sum":3}\n',
      err: '',
    });
  });

  it('is wanted of standard input, a default of the file, a file below, and a process', async () => {
    const input = '# @agent one\nCALL|f|1\n';
    assert.deepEqual((await refused(['send', '-'], { input })).listed, [`'one'  ${one.url}`]);
    assert.deepEqual((await refused(['send', 'default.aicf'])).listed, [`'other'  ${other.url}`]);
    assert.deepEqual((await refused(['send', 'below/deep/one.aicf'])).listed, [`'one'  ${one.url}`]);
    assert.match((await refused(['send', 'process.aicl'])).listed.join(), /^'process' {2}node -e "require\(/);
    const below = new CliFolder(join(folder.path, 'below/deep'));
    assert.equal((await below.run(['send', 'one.aicf'])).exitCode, 2);
    assert.equal(one.connections, 0);
    const { exitCode } = await folder.run(['send', 'process.aicl', '--agent', 'process']);
    assert.deepEqual([exitCode, existsSync(join(folder.path, STARTED))], [1, true]);
  });

  it('holds for the agents that are named and no other one', async () => {
    const some = await refused(['send', 'two.aicf', '--agent', 'one', '--agent', 'toolbox']);
    assert.deepEqual(some.listed, [`'other'  ${other.url}`]);
    const file = ['--agents', '.vscode/agents.json'];
    assert.deepEqual(
      (await refused(['send', 'two.aicf', ...file, '--agent', 'one', '--agent', 'toolbox'])).listed,
      [`'other'  ${other.url}`],
    );
    // A misspelt name is an error, also where no request names it.
    assert.match(
      (await refused(['send', 'one.aicf', '--agent', 'one', '--agent', 'othr'])).err,
      /did you mean 'other'/,
    );
    assert.equal((await folder.run(['send', 'two.aicf', ...file])).exitCode, 0);
    assert.deepEqual([one.bodies.splice(0), other.bodies.splice(0)], [['CALL|f|1'], ['CALL|f|2']]);
    // One agent gets all requests.
    assert.equal((await folder.run(['send', 'two.aicf', '--agent', 'one'])).exitCode, 0);
    assert.deepEqual([one.bodies, other.bodies], [['CALL|math.add|1|2', 'CALL|f|1', 'CALL|f|2'], []]);
  });

  it('is wanted for what only looks like a demo agent', async () => {
    for (const agent of ['userinfo', 'preloaded']) {
      const { listed } = await refused(['send', '-'], { input: `# @agent ${agent}\nCALL|math.add|1|2\n` });
      assert.equal(listed.length, 1, agent);
    }
    const run = await folder.run(['send', '-'], { input: '# @agent clerk\nCALL|math.add|1|2\n' });
    assert.doesNotMatch(run.err, /not allowed/);
  });

  it('suggests a command in which a name is one word of the shell', async () => {
    const agents = { "it's $(touch x)": { protocol: 'aicf', type: 'http', url: other.url } };
    await folder.write('named/.vscode/agents.json', JSON.stringify({ agents }));
    await folder.write('named/one.aicf', 'CALL|f|1\n');
    const run = await new CliFolder(join(folder.path, 'named')).run(['send', 'one.aicf']);
    assert.equal(run.exitCode, 2);
    assert.ok(
      run.err.includes(String.raw`  parley send '--agent=it'\''s $(touch x)' one.aicf` + '\n'),
      run.err,
    );
  });

  it('is one JSON line with --format json', async () => {
    const { err } = await refused(['send', 'one.aicf', '--format', 'json']);
    const { error } = JSON.parse(err) as { error: { exitCode: number; message: string } };
    assert.equal(error.exitCode, 2);
    assert.match(error.message, /parley send --agent=one one\.aicf --format json\n/);
  });

  it('is required for a replay, whatever agent was recorded', async () => {
    const { listed, commands } = await refused(['trace', 'replay', 'other.agenttrace.jsonl']);
    const file = join(folder.path, '.vscode/agents.json');
    assert.deepEqual(
      [listed, commands],
      [[`'other'  ${other.url}`], [`parley trace replay --agents=${file} other.agenttrace.jsonl`]],
    );
    const named = await folder.run(['trace', 'replay', 'other.agenttrace.jsonl', '--agent', 'one']);
    assert.deepEqual([named.exitCode, one.bodies.splice(0), other.bodies], [0, ['CALL|f|1'], []]);
    assert.equal((await folder.run(commands[0]?.split(' ').slice(1) ?? [])).exitCode, 0);
    assert.deepEqual(other.bodies, ['CALL|f|1']);
    assert.equal((await folder.run(['trace', 'replay', 'toolbox.agenttrace.jsonl'])).exitCode, 1);
  });

  it('is wanted for each variable of the environment that requests send, before the first one is sent', async () => {
    const env = { API_KEY: 'k-123456', HOME: '/root' };
    const words = ['send', '-', '--agent', 'one'];
    for (const input of [
      'CALL|f|1\nCALL|f|{{$env API_KEY}}\n',
      'CALL|f|1\n# @a = x{{missing.data}}{{$env API_KEY}}\n# @name missing\nCALL|f|{{a}}\n',
      '# @a = {{$env API_KEY}}\n# @b = {{a}}\nCALL|f|1\nCALL|f|{"k":"{{b}}"}\n',
    ]) {
      const { err, commands } = await refused(words, { input, env });
      assert.equal(
        err.split('\n')[0],
        "parley: Nothing was sent: you have not allowed these variables of your environment, which the requests send: 'API_KEY'",
      );
      assert.deepEqual(commands, ['parley send --allow-env=API_KEY - --agent one']);
    }
    const environment = { input: 'CALL|f|{{key}}\n', env };
    await refused([...words, '--environment', 'dev'], environment);
    await refused([...words, '--environment', 'dev', '--allow-env', 'HOME'], environment);
    // A demo agent gets none either, and a variable that is not used, or not replaced, needs no consent.
    await refused(['send', '-'], { input: '# @agent toolbox\nCALL|f|{{$env HOME}}\n', env });
    const unused = { input: '# @a = {{$env HOME}}\n# @literal\nCALL|f|{{a}}{{$env HOME}}\n', env };
    assert.equal((await folder.run(words, unused)).exitCode, 0);
    const allowed = ['--allow-env', 'API_KEY', '--allow-env', 'HOME', '--environment', 'dev'];
    const run = await folder.run([...words, ...allowed], { input: 'CALL|f|{{key}}|{{$env HOME}}\n', env });
    assert.deepEqual([run.exitCode, one.bodies], [0, ['CALL|f|{{a}}{{$env HOME}}', 'CALL|f|k-123456|/root']]);
  });

  it('is given by naming an agent to parley tools, and listing agents needs none', async () => {
    assert.equal((await folder.run(['agents'])).exitCode, 0);
    assert.deepEqual(
      [one.connections, other.connections, existsSync(join(folder.path, STARTED))],
      [0, 0, false],
    );
    await folder.run(['tools', 'one']);
    assert.deepEqual([one.connections > 0, other.connections], [true, 0]);
  });
});
