import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { startDemoAgents } from '../../../agents/demo/start.ts';
import { startOtlpReceiver } from '../../../agents/collector/otlp-receiver.ts';
import { readHostName, readOrigin, type RefusedRequest } from '../../../agents/http/local-access.ts';
import { closeRawAgents, reply, startRawAgent } from '../support/raw-agent.ts';
import { closeProxies, converse, record, Tape, type Seen } from './support.ts';

const ALLOWED = 'http://localhost:3000';
const EVIL = 'https://evil.example';
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';

/** Headers of a request, where `PORT` is the recording's port, and whether it passes. */
const CALLERS: readonly (readonly [name: string, headers: string, passes: boolean])[] = [
  ['a program', '', true],
  ['a program that says how it fetches', 'Sec-Fetch-Mode: cors\r\n', true],
  ['a page of another site', `Origin: ${EVIL}\r\n`, false],
  ['a WebSocket of another site', `${UPGRADE}Origin: ${EVIL}\r\n`, false],
  ['a page without an origin of its own', 'Origin: null\r\n', false],
  ['an empty origin', 'Origin:\r\n', false],
  ['a page of another port of this computer', 'Origin: http://localhost:1\r\n', false],
  ['a page of this computer without a port', 'Origin: http://localhost\r\n', false],
  ['a page of this port by TLS', 'Origin: https://localhost:PORT\r\n', false],
  ['a page whose host only begins like this one', 'Origin: http://localhost:PORT.evil.example\r\n', false],
  ['a page with a user in its origin', 'Origin: http://localhost:PORT@evil.example\r\n', false],
  ['two origins', `Origin: http://localhost:PORT\r\norigin: ${EVIL}\r\n`, false],
  ['two origins in one header', `Origin: http://localhost:PORT, ${EVIL}\r\n`, false],
  ['an allowed origin beside another one', `Origin: ${ALLOWED}\r\nOrigin: ${EVIL}\r\n`, false],
  ['a page of the recording', 'Origin: http://127.0.0.1:PORT\r\nSec-Fetch-Site: same-origin\r\n', true],
  ['a page of the recording by its other name', 'Origin: http://localhost:PORT\r\n', true],
  [
    'a page of the recording that another site opened',
    'Origin: http://localhost:PORT\r\nSec-Fetch-Site: cross-site\r\n',
    false,
  ],
  ['an address that a user types', 'Sec-Fetch-Site: none\r\n', true],
  ['a picture of another site', 'Sec-Fetch-Site: cross-site\r\n', false],
  ['a picture of another port', 'sec-fetch-site: Same-Site\r\n', false],
  ['a site of a kind that is not known', 'Sec-Fetch-Site: same-origin, cross-site\r\n', false],
  ['two sites', 'Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n', false],
  ['an allowed page', `Origin: ${ALLOWED}\r\nSec-Fetch-Site: same-site\r\n`, true],
  ['an allowed page in capitals', 'ORIGIN: HTTP://LOCALHOST:3000\r\n', true],
  ['a WebSocket of an allowed page', `${UPGRADE}Origin: ${ALLOWED}\r\n`, true],
  ['a page of an allowed host on another port', 'Origin: http://localhost:3001\r\n', false],
];

const statusOf = ({ bytes }: Seen): string => bytes.slice(9, 12);

describe('web pages and a recording', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  it('reach the agent only from the recording itself and from origins that were allowed', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('OK')));
    const tape = new Tape();
    const proxy = await record(agent.origin, tape, { access: { origins: new Set([ALLOWED]) } });
    for (const [name, headers, passes] of CALLERS) {
      const before = agent.requests.length;
      const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n${headers}`;
      const request = `${head}\r\nLIST`.replaceAll('PORT', String(proxy.port));
      const seen = await converse(proxy.port, [request]);
      assert.deepEqual(
        [name, statusOf(seen), seen.end, agent.requests.length - before],
        passes ? [name, '200', 'ended', 1] : [name, '403', 'ended', 0],
      );
    }
    await closeProxies();
    assert.equal(tape.calls().length, CALLERS.filter(([, , passes]) => passes).length);
  });

  it('that are allowed get the headers of the agent and no others', async () => {
    const text = 'HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n';
    const agent = await startRawAgent(socket => void socket.end(text));
    const proxy = await record(agent.origin, new Tape(), { access: { origins: new Set([ALLOWED]) } });
    const preflight = `OPTIONS / HTTP/1.1\r\nHost: localhost:${proxy.port}\r\nOrigin: ${ALLOWED}\r\nAccess-Control-Request-Method: POST\r\n\r\n`;
    assert.deepEqual(await converse(proxy.port, [preflight]), { bytes: text, end: 'ended' });
    assert.deepEqual(agent.requests, [
      preflight.replace(`localhost:${proxy.port}`, new URL(agent.origin).host),
    ]);
  });

  it('that are refused are reported once for each origin, and a few at most', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('OK')));
    const refused: RefusedRequest[] = [];
    const proxy = await record(agent.origin, new Tape(), {
      access: { onRefused: each => refused.push(each) },
    });
    const call = (origin: string): Promise<Seen> =>
      converse(proxy.port, [`GET / HTTP/1.1\r\nHost: localhost:${proxy.port}\r\nOrigin: ${origin}\r\n\r\n`]);
    for (const origin of [EVIL, 'null', EVIL]) await call(origin);
    assert.deepEqual(
      refused.map(({ kind, who }) => [kind, who]),
      [
        ['page', EVIL],
        ['page', 'null'],
      ],
    );
    for (let count = 0; count < 30; count++) await call(`https://${count}.example`);
    assert.equal(refused.length, 20);
    assert.match(refused.at(-1)?.message ?? '', /; from here on refused requests are not reported$/);
  });

  it('are admitted from when their origin is allowed while it runs', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('OK')));
    const origins = new Set<string>();
    const proxy = await record(agent.origin, new Tape(), { access: { origins } });
    const request = `GET / HTTP/1.1\r\nHost: localhost:${proxy.port}\r\nOrigin: ${ALLOWED}\r\n\r\n`;
    const before = statusOf(await converse(proxy.port, [request]));
    origins.add(ALLOWED);
    assert.deepEqual([before, statusOf(await converse(proxy.port, [request]))], ['403', '200']);
  });

  it('do not reach the agent by a name that they made point here, and an allowed name does', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('OK')));
    const proxy = await record(agent.origin, new Tape(), {
      access: { hosts: new Set(['host.docker.internal', 'tunnel.example:443']) },
    });
    const call = async (host: string): Promise<string> =>
      statusOf(await converse(proxy.port, [`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`]));
    const hosts = [
      `Host.Docker.Internal:${proxy.port}`,
      'tunnel.example:443',
      'tunnel.example',
      `evil.example:${proxy.port}`,
      `localhost.evil.example:${proxy.port}`,
      `127.0.0.1.evil.example:${proxy.port}`,
      `localhost:${proxy.port}x`,
      '',
    ];
    const statuses: string[] = [];
    for (const host of hosts) statuses.push(await call(host));
    assert.deepEqual(statuses, ['200', '200', '403', '403', '403', '403', '403', '403']);
  });
});

describe('what a user allows', () => {
  it('is an origin as browsers write it', () => {
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['http://LOCALHOST:3000', 'http://localhost:3000'],
      ['https://app.example:443', 'https://app.example'],
      ['chrome-extension://abc', 'chrome-extension://abc'],
      ['http://localhost:3000/', undefined],
      ['http://localhost:3000/path', undefined],
      ['localhost:3000', undefined],
      ['http://user@localhost', undefined],
      ['http://a b', undefined],
      ['null', undefined],
      ['*', undefined],
      ['', undefined],
    ];
    assert.deepEqual(
      rows.map(([text]) => [text, readOrigin(text)]),
      rows,
    );
  });

  it('is a host name with or without a port', () => {
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['Host.Docker.Internal', 'host.docker.internal'],
      ['172.17.0.1:8080', '172.17.0.1:8080'],
      ['[fe80::1]', '[fe80::1]'],
      ['http://a', undefined],
      ['a/b', undefined],
      ['*', undefined],
      ['', undefined],
    ];
    assert.deepEqual(
      rows.map(([text]) => [text, readHostName(text)]),
      rows,
    );
  });
});

describe('web pages and other servers of this computer', () => {
  const HEADERS = [
    `Origin: ${EVIL}`,
    'Origin: null',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-site',
  ];
  const HOSTS = ['evil.example', 'localhost:1'];

  /** The statuses of requests from pages, and under names that pages made point here. */
  async function call(address: URL): Promise<readonly string[]> {
    const statuses: string[] = [];
    const post = async (host: string, header: string): Promise<void> => {
      const head = `POST ${address.pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nConnection: close\r\n${header}`;
      const seen = await converse(Number(address.port), [`${head}Content-Length: 2\r\n\r\n{}`]);
      statuses.push(statusOf(seen));
    };
    for (const header of HEADERS) await post(address.host, `${header}\r\n`);
    for (const host of HOSTS) await post(host, '');
    await post(address.host, '');
    return statuses;
  }

  it('are refused by the receiver of telemetry', async () => {
    const started = await startOtlpReceiver(0, { emit: () => undefined });
    assert.ok(started.ok);
    const { receiver } = started;
    const statuses = await call(new URL('/v1/traces', receiver.address));
    await receiver.close();
    assert.deepEqual(statuses, ['403', '403', '403', '403', '403', '403', '200']);
  });

  it('are refused by demo agents', async () => {
    const demo = await startDemoAgents();
    const address = new URL(demo.addresses.get('oracle') ?? '');
    const statuses = await call(address);
    await demo.close();
    // Their addresses are given only to callers of this computer, which may reach them by a port of their own.
    assert.deepEqual(
      statuses.map(status => status === '403'),
      [true, true, true, true, true, false, false],
    );
  });
});
