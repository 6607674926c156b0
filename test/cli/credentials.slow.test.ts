import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, request as ask, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

/** A value that nothing else has: wherever it is found, a credential was stored. */
const planted = (name: string): string => `planted${name}7Qx9`;

const JWT = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"planted"}').toString('base64url')}.c2lnbmF0dXJl`;
const TOKENS = [JWT, `ghp_${'Ab3'.repeat(12)}`, `sk-proj-${'xY4'.repeat(12)}`, `AIza${'Sy9'.repeat(12)}`];

const REQUEST_HEADERS = {
  'x-goog-api-key': planted('Google'),
  authorization: `Bearer ${planted('Bearer')}`,
  'ocp-apim-subscription-key': planted('Azure'),
  'private-token': planted('GitLab'),
  'x-other': `Basic ${planted('Basic')}`,
  referer: `http://me:${planted('User')}@127.0.0.1/cb?code=${planted('Code')}&page=2#id_token=${planted('Fragment')}`,
  'x-next-page-token': 'visible-page',
  'idempotency-key': 'visible-idempotency',
};

const QUERY = `?sig=${planted('Sig')}&se=visible-se&X-Amz-Credential=${planted('Amz')}&pageToken=visible-token&key=${planted('Key')}`;

const REPLY_HEADERS = {
  'set-cookie': `session=${planted('Cookie')}`,
  'x-amz-security-token': planted('Security'),
  link: `</next?access_token=${planted('Link')}>; rel="next"`,
  'x-ratelimit-remaining-tokens': 'visible-remaining',
  'www-authenticate': 'Bearer realm="visible-realm", error="visible-error"',
};

/** What an agent answers that tells all it knows. */
const REPLY = JSON.stringify({
  result: {
    next_page_token: 'visible-next',
    password: planted('Password'),
    inner: JSON.stringify({ api_key: `${planted('Inner')}"\\`, cursor: 'visible-cursor' }),
    see: `https://x:${planted('Address')}@host/a?token=${planted('Address2')}&limit=5`,
    said: `use ${TOKENS.join(' or ')} as "Bearer ${planted('Said')}"`,
  },
  usage: { total_tokens: 42 },
});

const AICF_REPLY = `OK|{"password":"${planted('InField')}","said":"${TOKENS.join(' ')}","cursor":"visible-cursor"}\n`;

const VISIBLE = [
  'visible-page',
  'visible-idempotency',
  'visible-se',
  'visible-token',
  'visible-remaining',
  'visible-realm',
  'visible-error',
  'visible-next',
  'visible-cursor',
  'total_tokens',
];

/** No byte of a text is a credential, and all that is none is there. */
function assertClean(text: string, visible: readonly string[] = VISIBLE): void {
  assert.deepEqual(text.match(/planted[A-Z]\w*7Qx9/g), null);
  for (const token of TOKENS) assert.ok(!text.includes(token.slice(8)), token);
  assert.deepEqual(
    visible.filter(each => !text.includes(each)),
    [],
  );
}

function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method: 'POST', headers }, (response: IncomingMessage) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve(Buffer.concat(pieces).toString('latin1')));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('credentials of agents', () => {
  let folder: CliFolder;
  let agent: Server;
  let url = '';
  before(async () => {
    agent = createServer((request, response) => {
      request.resume().on('end', () => {
        const path = request.url ?? '';
        const isPacked = path.includes('packed');
        if (path.startsWith('/.well-known')) {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ issuer: url, device_authorization_endpoint: `${url}/device` }));
          return;
        }
        const reply = path.startsWith('/device')
          ? JSON.stringify({
              device_code: planted('Device'),
              user_code: 'visible-user',
              secret: planted('DeviceSecret'),
            })
          : path.startsWith('/register')
            ? JSON.stringify({
                token: planted('Before'),
                client_id: 'visible-client',
                client_secret: planted('Client'),
              })
            : path.startsWith('/aicf')
              ? AICF_REPLY
              : REPLY;
        const bytes = isPacked ? gzipSync(reply) : Buffer.from(reply);
        response.writeHead(200, {
          ...REPLY_HEADERS,
          'content-type': 'application/json',
          ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        });
        // In pieces that cut names and values.
        for (let at = 0; at < bytes.length; at += 37) response.write(bytes.subarray(at, at + 37));
        response.end();
      });
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
    folder = await CliFolder.create({
      '.vscode/agents.json': JSON.stringify({
        agents: {
          store: { protocol: 'aicf', type: 'http', url: `${url}/aicf${QUERY}`, headers: REQUEST_HEADERS },
        },
      }),
    });
  });
  after(async () => {
    agent.closeAllConnections();
    agent.close();
    await folder.remove();
  });

  /** Records what an act does with an address that leads to the agent. */
  async function record(
    act: (address: string) => Promise<void>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const interrupt = new AbortController();
    const out = join(folder.path, 'recorded.agenttrace.jsonl');
    let failed: unknown;
    const run = await folder.run(['record', '--listen', '0', '--to', url, '--out', out, '--format', 'json'], {
      interrupt: interrupt.signal,
      env,
      onOut(text) {
        const { recordings } = JSON.parse(text) as { recordings: { address: string }[] };
        act(recordings[0]?.address.replace(/\/$/, '') ?? '')
          .catch((error: unknown) => (failed = error))
          .finally(() => interrupt.abort());
      },
    });
    assert.deepEqual([failed, run.exitCode, run.err], [undefined, 0, '']);
    return readFile(out, 'utf8');
  }

  it('are in no recording, and in no export of one', async () => {
    let passed = '';
    const recorded = await record(async address => {
      passed = await post(
        `${address}/rpc${QUERY}`,
        REQUEST_HEADERS,
        '{"password":"' + planted('Asked') + '"}',
      );
    });
    assert.equal(passed, REPLY);
    assertClean(recorded);
    assert.match(recorded, /"redacted":\[\{"at":\d+,"length":\d+/);
    for (const format of ['har', 'otlp', 'markdown', 'csv', 'aio', 'agenttrace']) {
      const { out } = await folder.run(['trace', 'export', 'recorded.agenttrace.jsonl', '--to', format]);
      assert.ok(out.length > 0);
      assertClean(out, []);
    }
  });

  it('are those of the names that the user adds, also in the thread that records', async () => {
    const headers = { 'x-tenant-pin': planted('Tenant'), 'x-tenant': 'visible-tenant' };
    const recorded = await record(
      async address => void (await post(`${address}/rpc`, headers, `{"tenantPin":"${planted('Member')}"}`)),
      { PARLEY_SECRET_NAMES: 'X-Tenant-Pin, tenantPin' },
    );
    assertClean(recorded, ['visible-tenant']);
  });

  it('are in no recording of compressed replies: only the decompressed content is recorded', async () => {
    const recorded = await record(async address => {
      await post(`${address}/packed${QUERY}`, {}, '{}');
    });
    assertClean(recorded, ['visible-next', 'visible-cursor']);
    const packed = [...recorded.matchAll(/"base64":"([^"]+)"/g)].map(([, base64 = '']) => base64);
    assert.deepEqual(packed, []);
  });

  it('are in no recording of a form, or of a sign-in', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const recorded = await record(async address => {
      await (await fetch(`${address}/.well-known/oauth-authorization-server`)).text();
      await post(`${address}/device`, form, 'client_id=visible-id');
      await post(`${address}/register`, { 'content-type': 'application/json' }, '{"redirect_uris":[]}');
      await post(
        `${address}/rpc`,
        form,
        `password=${planted('Form')}&user=visible-name&client_secret_expires_at=visible-at`,
      );
    });
    assertClean(recorded, [
      'visible-user',
      'visible-client',
      'visible-id',
      'visible-name',
      'visible-at',
      'visible-next',
    ]);
  });

  it('are in no trace of what was sent, and not on the terminal', async () => {
    const { out, err } = await folder.run(
      ['send', '-', '--agent', 'store', '--trace', 'sent.agenttrace.jsonl'],
      {
        input: `CALL|read|visible-field|{"api_key":"${planted('Sent')}"}|AUTH:${planted('Auth')}\n`,
      },
    );
    assertClean(await readFile(join(folder.path, 'sent.agenttrace.jsonl'), 'utf8'), [
      'visible-idempotency',
      'visible-field',
      'visible-cursor',
    ]);
    assertClean(`${out}${err}`, ['visible-cursor']);
  });
});
