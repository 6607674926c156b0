import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { HttpError, makeFetch, type FetchOptions } from '../../../agents/http/fetch.ts';
import { DEFAULT_HTTP_LIMITS } from '../../../agents/http/http-connection.ts';
import { closeRawAgents, reply, startRawAgent, until, type RawAgent } from '../support/raw-agent.ts';

/** `fetch` for an agent, and what it reports. */
function fetchFor(
  agent: RawAgent,
  options: Partial<FetchOptions> = {},
): { readonly fetch: typeof fetch; readonly observed: string[] } {
  const observed: string[] = [];
  const fetchIt = makeFetch({
    agent: { url: new URL(agent.origin), headers: new Map([['Authorization', 'Bearer abc']]), tls: {} },
    limits: DEFAULT_HTTP_LIMITS,
    listener: () => ({
      head: (direction, line) => void observed.push(`${direction} head: ${line}`),
      bytes: (direction, bytes) => void observed.push(`${direction}: ${Buffer.from(bytes).toString()}`),
      note: text => void observed.push(`note: ${text}`),
      progress: () => undefined,
    }),
    total: () => undefined,
    ...options,
  });
  return { fetch: fetchIt, observed };
}

/** The failure that a promise is rejected with. */
async function failureOf(
  promise: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string }> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof HttpError, String(error));
  const { code, message } = error.failure;
  assert.equal(error.message, message);
  return { code, message };
}

describe("fetch for protocols' libraries", () => {
  afterEach(closeRawAgents);

  it('reports no compressed data, and only the head of a request for a sign-in', async () => {
    const packed = (status: string): string =>
      `HTTP/1.1 ${status}\r\nWWW-Authenticate: Bearer realm="x"\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`;
    const agent = await startRawAgent(
      (socket, index) => void socket.end(packed(index === 0 ? '200 OK' : '401 Unauthorized')),
    );
    const failures: string[] = [];
    const { fetch: fetchIt, observed } = fetchFor(agent, {
      onFailure: ({ code }) => void failures.push(code),
    });
    const { code, message } = await failureOf(fetchIt(agent.origin));
    assert.deepEqual(
      [code, message],
      [
        'COMPRESSED',
        `Tried GET ${agent.origin}/: 200 OK came with a compressed body ('gzip', 3 bytes) although Parley asked for an uncompressed one, and it was not decompressed; turn compression off in the agent or in the proxy before it`,
      ],
    );
    const { status, headers, body } = await fetchIt(agent.origin);
    assert.deepEqual([status, headers.get('www-authenticate'), body], [401, 'Bearer realm="x"', null]);
    await until('the other ended too', () => failures.length === 2);
    assert.deepEqual(
      [failures, observed.filter(each => each === 'in: abc').length],
      [['COMPRESSED', 'COMPRESSED'], 2],
    );
  });

  it('sends, answers and tells every byte', async () => {
    const agent = await startRawAgent(
      socket => void socket.end(reply('{"a":1}', '200 OK', 'application/json')),
    );
    const { fetch: fetchIt, observed } = fetchFor(agent);
    const response = await fetchIt(`${agent.origin}/x`, { method: 'POST', body: 'hi' });
    assert.deepEqual([response.status, response.statusText, await response.json()], [200, 'OK', { a: 1 }]);
    assert.deepEqual(observed, [
      `out head: POST ${agent.origin}/x`,
      'out: hi',
      'in head: 200 OK',
      'in: {"a":1}',
    ]);
    assert.match(agent.requests[0] ?? '', /\r\naccept-encoding: identity\r\nuser-agent: parley\r\n/);
  });

  it('reads JSON to 200 levels, and none with open brackets', async () => {
    const deep = '['.repeat(1_000) + ']'.repeat(1_000);
    const agent = await startRawAgent(
      (socket, index) => void socket.end(reply(index === 0 ? deep : '['.repeat(1_000))),
    );
    const { fetch: fetchIt } = fetchFor(agent);
    let value: unknown = await (await fetchIt(agent.origin)).json();
    for (let level = 0; level < 200; level++) value = Array.isArray(value) ? value[0] : undefined;
    assert.equal(value, '['.repeat(800) + ']'.repeat(800));
    await assert.rejects((await fetchIt(agent.origin)).json(), SyntaxError);
  });

  it("gives the agent's headers to its own origin alone", async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('')));
    const other = await startRawAgent(socket => void socket.end(reply('')));
    const { fetch: fetchIt } = fetchFor(agent, { headers: () => new Map([['x-trace', '1']]) });
    await (await fetchIt(agent.origin)).text();
    await (await fetchIt(other.origin)).text();
    assert.match(agent.requests[0] ?? '', /x-trace: 1\r\n[^]*authorization: Bearer abc/);
    assert.doesNotMatch(other.requests[0] ?? '', /x-trace|authorization/i);
  });

  it('follows no redirect: one is an error that says where it points, without credentials', async () => {
    const agent = await startRawAgent(
      socket =>
        void socket.end('HTTP/1.1 302 Found\r\nLocation: /login?token=secret\r\nContent-Length: 0\r\n\r\n'),
    );
    const failure = await failureOf(fetchFor(agent).fetch(`${agent.origin}/x`));
    assert.equal(failure.code, 'HTTP 302');
    assert.match(
      failure.message,
      /which redirects to '.*\/login\?token=\[redacted\]', and redirects are not followed/,
    );
    assert.equal(agent.requests.length, 1);
  });

  it('takes a status without a body, and none that HTTP does not have', async () => {
    const statuses = ['204 No Content', '304 Not Modified', '700 Strange'];
    const agent = await startRawAgent(
      (socket, index) => void socket.end(`HTTP/1.1 ${statuses[index] ?? ''}\r\nContent-Length: 0\r\n\r\n`),
    );
    const { fetch: fetchIt } = fetchFor(agent);
    assert.equal((await fetchIt(agent.origin)).status, 204);
    assert.equal((await fetchIt(agent.origin)).status, 304);
    const failure = await failureOf(fetchIt(agent.origin));
    assert.equal(
      failure.message,
      `Tried GET ${agent.origin}/: '700 Strange' came, which is not an HTTP response; check that the agent's url and port are those of an HTTP server`,
    );
  });

  it('gives a reply to its reader when it is observed, without a time limit', async () => {
    const agent = await startRawAgent(socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = setInterval(() => socket.write('x'), 1);
      socket.on('close', () => clearInterval(more));
    });
    let ends = 0;
    const reader = {
      get isOver(): boolean {
        return observed.filter(each => each.startsWith('in:')).length > 2;
      },
    };
    const { fetch: fetchIt, observed } = fetchFor(agent, {
      reader: () => reader,
      onEnd: () => void ends++,
    });
    const response = await fetchIt(agent.origin, { method: 'POST', body: '' });
    assert.deepEqual([response.status, response.body], [200, null]);
    await until('the exchange has ended', () => ends === 1);
    await until('its socket is closed', () => agent.countSockets() === 0);
    assert.equal(observed.filter(each => each.startsWith('in:')).length, 3);
  });

  it('gives up what is silent, but no stream of events that is read by GET', async () => {
    const agent = await startRawAgent(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
      setTimeout(() => socket.end(': alive\n\n'), 300);
    });
    const { fetch: fetchIt } = fetchFor(agent, { idle: () => 100 });
    const post = await fetchIt(agent.origin, { method: 'POST', body: '' });
    assert.equal((await failureOf(post.text())).code, 'TIMEOUT');
    const stream = await fetchIt(agent.origin, { headers: { accept: 'text/event-stream' } });
    assert.equal(await stream.text(), ': alive\n\n');
  });

  it('ends the exchange when its reader has enough, when it is aborted, and past its limit', async () => {
    const agent = await startRawAgent(socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = setInterval(() => socket.write('x'.repeat(1_000)), 1);
      socket.on('close', () => clearInterval(more));
    });
    const closed = (): Promise<void> => until('the socket is closed', () => agent.countSockets() === 0);
    const { fetch: fetchIt } = fetchFor(agent);
    await (await fetchIt(agent.origin)).body?.cancel();
    await closed();
    const abort = new AbortController();
    const aborted = await fetchIt(agent.origin, { signal: abort.signal });
    abort.abort();
    assert.equal((await failureOf(aborted.text())).code, 'CANCELLED');
    await closed();
    const short = fetchFor(agent, { limits: { ...DEFAULT_HTTP_LIMITS, maxBytes: 5_000 } });
    assert.equal((await failureOf((await short.fetch(agent.origin)).text())).code, 'TOO_LONG');
    await closed();
  });

  it('tells of failures and ends besides its reader', async () => {
    const agent = await startRawAgent((socket, index) => {
      if (index === 0) socket.end(reply('ok'));
      else socket.destroy();
    });
    const reported: string[] = [];
    const { fetch: fetchIt } = fetchFor(agent, {
      onEnd: ({ url }) => void reported.push(`end ${url.pathname}`),
      onFailure: ({ code }, { url }) => void reported.push(`${code} ${url.pathname}`),
    });
    await (await fetchIt(`${agent.origin}/a`)).text();
    assert.equal((await failureOf(fetchIt(`${agent.origin}/b`))).code, 'ECONNRESET');
    assert.deepEqual(reported, ['end /a', 'ECONNRESET /b']);
  });
});
