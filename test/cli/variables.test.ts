import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

const SECRET = 's3c"r|et]\\k';

const REQUESTS = `# @host = {{base}}/v1
# @name login
CALL|login|{{user}}|{{secret api-key}}

# @to = {{login.data.token}}
CALL|echo|{{to}}|{{host}}|{"note":"{{login.data.note}}","count":{{login.data.count}}}

# @literal
CALL|echo|{{user}} and {{host}}
`;

/** Gives back what it was sent, in pieces that cut the secret, and in the other forms in which it may travel. */
async function startEcho(seen: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push(body);
      response.setHeader('content-type', 'text/plain');
      if (!body.startsWith('CALL|login')) {
        response.end(`OK|${body.replaceAll('|', '\\|')}`);
        return;
      }
      const forms = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64')];
      const data = JSON.stringify({ token: 'a|b', note: 'says "hi"', count: 3, forms });
      const bytes = Buffer.from(`OK|${data.replaceAll('\\', '\\\\').replaceAll('|', '\\|')}`);
      const cut = bytes.indexOf('s3c') + 4;
      response.write(bytes.subarray(0, cut));
      setTimeout(() => response.end(bytes.subarray(cut)), 50);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('variables on the command line', () => {
  const seen: string[] = [];
  let server: Server;
  let folder: CliFolder;

  before(async () => {
    server = await startEcho(seen);
    const { port } = server.address() as AddressInfo;
    const agents = {
      echo: { protocol: 'aicf', type: 'http', url: `http://127.0.0.1:${port}/`, quirks: 'off' },
    };
    folder = await CliFolder.create({
      '.vscode/agents.json': JSON.stringify({ agents }),
      '.vscode/parley.env.json': `{
        // What all have, and what each has.
        "$shared": { "base": "http://x" },
        "dev": { "user": "ada" },
        "live": { "user": "grace", "base": "https://y" },
      }`,
      'requests.aicf': REQUESTS,
      'wrong.aicf': 'CALL|echo|{{secret other-key}}|{{$gid}}\nCALL|echo|{{usr}}\nCALL|echo|fine\n',
      'check.aicf': '# @count = 3\nCALL|echo|{{user}}|{{coumt}}|{{greeting}}\n',
    });
  });
  after(async () => {
    await folder.remove();
    await new Promise(resolve => server.close(resolve));
  });

  it('are replaced, also by the reply to a named request, and a secret is masked wherever it shows', async () => {
    const run = await folder.run(
      [
        'send',
        'requests.aicf',
        '--agent',
        'echo',
        '--environment',
        'live',
        '--trace',
        'run.agenttrace.jsonl',
      ],
      { env: { PARLEY_SECRET_API_KEY: SECRET } },
    );
    const sent = [
      'CALL|login|grace|s3c"r\\|et]\\\\k',
      'CALL|echo|a\\|b|https://y/v1|{"note":"says \\u0022hi\\u0022","count":3}',
      'CALL|echo|{{user}} and {{host}}',
    ];
    assert.deepEqual(seen.splice(0), sent);
    const [, second = '', third = ''] = sent.map(text => text.replaceAll('|', '\\|'));
    const masked =
      '{"token":"a\\|b","note":"says \\\\"hi\\\\"","count":3,"forms":["[redacted]","[redacted]","[redacted]"]}';
    assert.deepEqual(run, { exitCode: 0, out: `OK|${masked}\nOK|${second}\nOK|${third}\n`, err: '' });
    const trace = await readFile(join(folder.path, 'run.agenttrace.jsonl'), 'utf8');
    const wire = trace
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as { type?: string; direction?: string; bytes?: { text?: string } });
    const texts = JSON.stringify(wire);
    const base64 = Buffer.from(SECRET).toString('base64');
    for (const form of ['s3c', 'et]', encodeURIComponent(SECRET), base64, base64.slice(0, 8)])
      assert.equal(texts.includes(form), false, `the trace holds ${form}`);
    assert.match(texts, /CALL\|login\|grace\|\[redacted\]/);
  });

  it('stop a request by name where they have no value, and the others go out', async () => {
    const run = await folder.run(['send', 'wrong.aicf', '--agent', 'echo', '--environment', 'dev']);
    assert.deepEqual(seen.splice(0), ['CALL|echo|fine']);
    assert.deepEqual(run, {
      exitCode: 1,
      out: 'OK|CALL\\|echo\\|fine\n',
      err:
        "echo echo: not sent. The secret 'other-key' has no value: on the command line set the environment variable PARLEY_SECRET_OTHER_KEY. There is no variable '$gid': known are $uuid, $timestamp and $env\n" +
        "echo echo: not sent. There is no variable 'usr': did you mean 'user'?\n",
    });
  });

  it('go out as they are where nothing defines them, with a note', async () => {
    const run = await folder.run(['send', '-', '--agent', 'echo'], { input: 'CALL|echo|{{anything}}\n' });
    assert.deepEqual(seen.splice(0), ['CALL|echo|{{anything}}']);
    assert.equal(run.err, "echo echo: note: Nothing defines 'anything': it is sent unchanged\n");
  });

  it('have no value where the environment has none, whatever objects of JavaScript have', async () => {
    const allowed = ['--allow-env=__proto__', '--allow-env=toString'];
    const run = await folder.run(['send', '-', '--agent', 'echo', ...allowed], {
      input: 'CALL|echo|{{$env __proto__}}|{{$env toString}}\n',
    });
    assert.deepEqual(seen.splice(0), []);
    assert.equal(run.exitCode, 1);
    assert.match(run.err, /^echo echo: not sent\. .*'__proto__'.*'toString'/);
  });

  it('name an environment that is not there', async () => {
    const run = await folder.run(['send', 'wrong.aicf', '--agent', 'echo', '--environment', 'test']);
    assert.equal(run.exitCode, 2);
    assert.match(run.err, /There is no environment 'test' in '.*parley\.env\.json'; it has: dev, live/);
  });

  it('are checked, whatever environment they are sent with', async () => {
    const run = await folder.run(['check', 'check.aicf', '--format', 'json']);
    const findings = JSON.parse(run.out) as { code: string; message: string }[];
    assert.deepEqual(
      findings.map(({ code, message }) => [code, message]),
      [
        ['variable/unresolved', "There is no variable 'coumt': did you mean 'count'?"],
        ['variable/unknown', "Nothing defines 'greeting': it is sent unchanged"],
      ],
    );
    assert.equal(run.exitCode, 1);
  });
});
