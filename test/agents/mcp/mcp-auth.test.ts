import assert from 'node:assert/strict';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ResolvedHttpAgent } from '../../../agents/config/resolve-agent.ts';
import type { Connection } from '../../../agents/connection.ts';
import type { SignInHost, SignInQuestion } from '../../../agents/sign-in-host.ts';
import { openLoopback } from '../../../client/src/agents/sign-in-loopback.ts';
import { connectMcp } from '../../../agents/mcp/connection.ts';
import { readBytes } from '../../../core/events/bytes.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { openHeadlessHost } from '../mcp-conformance/headless-host.ts';
import { openOAuthAgent, type OAuthAgent } from '../support/oauth-agent.ts';
import { agentAt, sendTo, trackConnection } from '../support/send.ts';

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'say', arguments: {} },
});
const NEVER = new AbortController().signal;

/** What a server sees of the first sign-in: the way to its metadata, our registration, the page, the code. */
const DISCOVERY = [
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-authorization-server',
];
const SIGN_IN = [...DISCOVERY, 'POST /register', 'GET /authorize', 'POST /token authorization_code'];
const CONNECT = ['server/discover', 'initialize', 'notifications/initialized', 'GET /mcp (with credentials)'];

describe('Signing in to an MCP server', () => {
  let server: OAuthAgent;
  const open: Connection[] = [];

  beforeEach(async () => void (server = await openOAuthAgent()));
  afterEach(async () => {
    await Promise.all(open.splice(0).map(connection => connection.close()));
    await server.close();
  });

  function connect(signIn: SignInHost | undefined, more: Partial<ResolvedHttpAgent> = {}): Connection {
    const connection = connectMcp(agentAt('mcp', `${server.origin}/mcp`, more), signIn ? { signIn } : {});
    open.push(connection);
    return connection;
  }

  /** What came to the server since the last time; the stream that is opened beside the calls comes at any time. */
  function takeSeen(): readonly string[] {
    return server.seen.splice(0).filter(each => !each.startsWith('GET /mcp'));
  }

  it('registers, shows the page, takes the code with its verifier, and sends the request again', async () => {
    const host = openHeadlessHost();
    const { reply } = await sendTo(connect(host), CALL);
    assert.deepEqual(
      { status: reply.status, seen: takeSeen(), asked: host.asked },
      {
        status: 'ok',
        seen: [
          'server/discover (no token)',
          ...SIGN_IN,
          ...CONNECT.filter(each => !each.startsWith('GET')),
          'tools/call',
        ],
        asked: [{ agent: 'tester', resource: server.origin, server: server.origin, how: 'browser' }],
      },
    );
    const [page] = host.opened;
    assert.deepEqual([...(page?.searchParams.keys() ?? [])].sort(), [
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'redirect_uri',
      'resource',
      'response_type',
      'scope',
      'state',
    ]);
    // Nothing listens any more where the answer came to.
    await assert.rejects(fetch(page?.searchParams.get('redirect_uri') ?? ''));
  });

  it('is remembered from one connection to the next', async () => {
    const host = openHeadlessHost();
    await sendTo(connect(host), CALL);
    takeSeen();
    const { reply } = await sendTo(connect(host), CALL);
    assert.deepEqual(
      { status: reply.status, seen: takeSeen(), opened: host.opened.length },
      {
        status: 'ok',
        seen: ['server/discover', 'initialize', 'notifications/initialized', 'tools/call'],
        opened: 1,
      },
    );
  });

  it('renews a token that has run out without asking, also twice', async () => {
    const host = openHeadlessHost();
    const connection = connect(host);
    await sendTo(connection, CALL);
    takeSeen();
    for (const round of ['first', 'second']) {
      server.valid.clear();
      const { reply } = await sendTo(connection, CALL);
      assert.deepEqual(
        { round, status: reply.status, seen: takeSeen(), opened: host.opened.length },
        {
          round,
          status: 'ok',
          seen: ['tools/call', ...DISCOVERY, 'POST /token refresh_token', 'tools/call'],
          opened: 1,
        },
      );
    }
  });

  it('signs in anew where a token cannot be renewed, with the registration that there is', async () => {
    const host = openHeadlessHost();
    const connection = connect(host);
    await sendTo(connection, CALL);
    takeSeen();
    server.valid.clear();
    server.settings.refused['refresh_token'] = 'invalid_grant';
    const { reply } = await sendTo(connection, CALL);
    const [first, second] = host.opened.map(page => page.searchParams.get('redirect_uri'));
    assert.deepEqual(
      { status: reply.status, seen: takeSeen(), hasMoved: first !== second },
      {
        status: 'ok',
        seen: [
          'tools/call',
          ...DISCOVERY,
          'POST /token refresh_token',
          'GET /authorize',
          'POST /token authorization_code',
          'tools/call',
        ],
        hasMoved: false,
      },
    );
  });

  it('asks for more scopes where a call wants them, and keeps those that there are', async () => {
    const host = openHeadlessHost();
    server.settings.callScope = 'write';
    const { reply } = await sendTo(connect(host), CALL);
    const scopes = host.opened.map(page => page.searchParams.get('scope'));
    assert.deepEqual({ status: reply.status, scopes }, { status: 'ok', scopes: ['read', 'read write'] });
  });

  it('signs in once for calls that come at once', async () => {
    const host = openHeadlessHost();
    const connection = connect(host);
    const sent = await Promise.all([CALL, CALL, CALL].map(call => sendTo(connection, call)));
    server.valid.clear();
    sent.push(...(await Promise.all([CALL, CALL, CALL].map(call => sendTo(connection, call)))));
    assert.deepEqual(
      {
        statuses: sent.map(({ reply }) => reply.status),
        opened: host.opened.length,
        tokens: server.seen.filter(each => each.startsWith('POST /token')),
      },
      {
        statuses: Array(6).fill('ok'),
        opened: 1,
        tokens: ['POST /token authorization_code', 'POST /token refresh_token'],
      },
    );
  });

  it('tries once where a new token is not taken either', async () => {
    const host = openHeadlessHost();
    server.settings.takesNothing = true;
    const { reply } = await sendTo(connect(host), CALL);
    assert.deepEqual(
      { status: reply.status, code: reply.code, opened: host.opened.length },
      { status: 'error', code: 'HTTP 401', opened: 1 },
    );
  });

  it('ends the call where the user does not want to, and opens nothing', async () => {
    const host = openHeadlessHost();
    const unwilling = { ...host, browser: { ...host.browser, askLeave: () => Promise.resolve(false) } };
    const { reply } = await sendTo(connect(unwilling), CALL);
    assert.deepEqual(
      { status: reply.status, message: reply.message, opened: host.opened, pages: takeSeen().slice(-2) },
      {
        status: 'cancelled',
        message: 'Signing in was cancelled',
        opened: [],
        pages: ['GET /.well-known/oauth-authorization-server', 'POST /register'],
      },
    );
  });

  it('ends with the call that is stopped while the user is at the page, and listens no more', async () => {
    const host = openHeadlessHost();
    const stop = new AbortController();
    const slow: SignInHost = {
      ...host,
      browser: {
        ...host.browser,
        open: url => {
          host.opened.push(url);
          stop.abort();
          return Promise.resolve();
        },
      },
    };
    const { reply } = await sendTo(connect(slow), CALL, { signal: stop.signal });
    assert.equal(reply.status, 'cancelled');
    // The call does not wait for it.
    await new Promise(resolve => setImmediate(resolve));
    await assert.rejects(fetch(host.opened[0]?.searchParams.get('redirect_uri') ?? ''));
  });

  it('turns away an answer with another state, a request by another name, and a second answer', async () => {
    const way = await openLoopback(undefined);
    const coming = way.wait('right', NEVER);
    const { host } = new URL(way.address);
    const ask = (query: string, name = host, path = '/signed-in'): Promise<number> =>
      new Promise((resolve, reject) => {
        const asked = request(`http://${host}${path}${query}`, { headers: { host: name } }, response => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        asked.on('error', reject).end();
      });
    const statuses = [
      await ask('?state=wrong&code=evil'),
      await ask('?code=evil'),
      await ask('?state=right&state=right&code=evil'),
      await ask('?state=right&code=evil', 'evil.example'),
      await ask('?state=right&code=evil', host, '/'),
      await ask('?state=right&code=good'),
      await ask('?state=right&code=late'),
    ];
    const answer = await coming;
    way.close();
    assert.deepEqual(
      { statuses, answer: [...answer] },
      {
        statuses: [404, 404, 404, 404, 404, 200, 404],
        answer: [
          ['state', 'right'],
          ['code', 'good'],
        ],
      },
    );
  });

  it('listens where it did before, or elsewhere where somebody else does', async () => {
    const first = await openLoopback(undefined);
    const second = await openLoopback(first.address);
    first.close();
    const third = await openLoopback(first.address);
    second.close();
    third.close();
    assert.notEqual(second.address, first.address);
    assert.equal(third.address, first.address);
  });

  it('says what the page answered where the user was not signed in', async () => {
    const host = openHeadlessHost();
    const refused: SignInHost = {
      ...host,
      browser: {
        ...host.browser,
        open: async page => {
          const back = new URL(page.searchParams.get('redirect_uri') ?? '');
          const state = page.searchParams.get('state') ?? '';
          back.search = String(
            new URLSearchParams({ error: 'server_error', error_description: 'Try later', state }),
          );
          await (await fetch(back)).text();
        },
      },
    };
    const { reply } = await sendTo(connect(refused), CALL);
    assert.deepEqual(
      { status: reply.status, message: reply.message },
      {
        status: 'error',
        message: `${server.origin} did not sign you in: 'server_error Try later'; send again to retry the sign-in`,
      },
    );
  });

  it('opens no page that is not of https', async () => {
    const host = openHeadlessHost();
    server.settings.metadata = { authorization_endpoint: 'http://accounts.example/authorize' };
    const { reply } = await sendTo(connect(host), CALL);
    assert.equal(reply.status, 'error');
    assert.match(
      reply.message ?? '',
      /^The agent names 'http:\/\/accounts\.example\/authorize\?.*' as the page to sign in at, which is not of https; it was not opened$/,
    );
    assert.deepEqual({ asked: host.asked, opened: host.opened }, { asked: [], opened: [] });
  });

  it('says so where only clients are signed in that were registered by hand', async () => {
    server.settings.metadata = { registration_endpoint: undefined };
    const { reply } = await sendTo(connect(openHeadlessHost()), CALL);
    assert.deepEqual(
      { status: reply.status, message: reply.message },
      {
        status: 'error',
        message: `'${server.origin}' accepts only registered clients; register one there and set its name as 'oauth.clientId' of the agent`,
      },
    );
  });

  it('opens nothing without a browser, and says what to do', async () => {
    const { reply } = await sendTo(connect(undefined), CALL);
    assert.deepEqual(
      { status: reply.status, message: reply.message },
      {
        status: 'error',
        message: `The agent at ${server.origin} requires a sign-in, and there is no browser here; set its 'headers', such as Authorization, or 'oauth.clientId' and 'oauth.clientSecret' of a client that may sign in by itself`,
      },
    );
  });

  it('signs in by itself with a name and a secret where there is no browser', async () => {
    const oauth = { clientId: 'robot', clientSecret: 'robot-secret' };
    const { reply } = await sendTo(connect(undefined, { oauth }), CALL);
    assert.deepEqual(
      { status: reply.status, seen: takeSeen().slice(1, 4) },
      { status: 'ok', seen: [...DISCOVERY, 'POST /token client_credentials'] },
    );
  });

  it('asks once where the secret of a client that signs in by itself may be sent', async () => {
    const host = openHeadlessHost();
    const oauth = { clientId: 'robot', clientSecret: 'robot-secret' };
    server.settings.metadata = { grant_types_supported: ['client_credentials'] };
    const first = await sendTo(connect(host, { oauth }), CALL);
    server.valid.clear();
    const second = await sendTo(connect(host, { oauth }), CALL);
    assert.deepEqual(
      { statuses: [first.reply.status, second.reply.status], asked: host.asked, opened: host.opened },
      {
        statuses: ['ok', 'ok'],
        asked: [{ agent: 'tester', resource: server.origin, server: server.origin, how: 'secret' }],
        opened: [],
      },
    );
  });

  it('names the host of the token endpoint before the secret goes there, however a client signs in', async () => {
    const elsewhere = await openOAuthAgent();
    const oauth = { clientId: 'robot', clientSecret: 'robot-secret' };
    for (const grant of ['client_credentials', 'authorization_code']) {
      const host = openHeadlessHost();
      const unwilling = {
        ...host,
        browser: {
          ...host.browser,
          askLeave: (question: SignInQuestion) =>
            host.browser.askLeave(question, NEVER).then(() => question.how !== 'secret'),
        },
      };
      server.settings.metadata = {
        grant_types_supported: [grant],
        token_endpoint: `${elsewhere.origin}/token`,
      };
      const { reply } = await sendTo(connect(unwilling, { oauth }), CALL);
      assert.deepEqual(
        { status: reply.status, asked: host.asked, opened: host.opened, seen: elsewhere.seen },
        {
          status: 'cancelled',
          asked: [{ agent: 'tester', resource: server.origin, server: elsewhere.origin, how: 'secret' }],
          opened: [],
          seen: [],
        },
        grant,
      );
    }
    await elsewhere.close();
  });

  it('asks anew where the token endpoint has moved, also to renew a token', async () => {
    const host = openHeadlessHost();
    const oauth = { clientId: 'robot', clientSecret: 'robot-secret' };
    await sendTo(connect(host, { oauth }), CALL);
    server.valid.clear();
    const elsewhere = await openOAuthAgent();
    server.settings.metadata = { token_endpoint: `${elsewhere.origin}/token` };
    await sendTo(connect(host, { oauth }), CALL);
    assert.deepEqual(
      host.asked.filter(({ how }) => how === 'secret').map(asked => asked.server),
      [server.origin, elsewhere.origin],
    );
    await elsewhere.close();
  });

  it('leaves an agent alone that has a credential of its own', async () => {
    const host = openHeadlessHost();
    const headers = new Map([['Authorization', 'Bearer mine']]);
    const { reply } = await sendTo(connect(host, { headers }), CALL);
    assert.deepEqual(
      { status: reply.status, code: reply.code, asked: host.asked, seen: takeSeen() },
      { status: 'error', code: 'HTTP 401', asked: [], seen: ['server/discover'] },
    );
  });

  it('ignores stored data that cannot be read', async () => {
    const host = openHeadlessHost();
    const broken = { ...host, read: () => Promise.resolve('{"tokens":{"access_token":7},"client":[]') };
    const { reply } = await sendTo(connect(broken), CALL);
    assert.deepEqual({ status: reply.status, opened: host.opened.length }, { status: 'ok', opened: 1 });
  });

  it('keeps every secret of it out of the trace and of what is shown', async () => {
    const host = openHeadlessHost();
    const events: TraceEvent[] = [];
    const connection = trackConnection(connect(host), {
      emit: event => void events.push(event),
      now: () => 1,
      ids: { newTrace: () => 'a'.repeat(32), newCall: () => 'b'.repeat(16) },
      redactor: new Redactor([]),
    });
    const sent = [await sendTo(connection, CALL)];
    server.valid.clear();
    sent.push(await sendTo(connection, CALL));
    const wire = events
      .flatMap(event =>
        event.type === 'wire' ? [Buffer.from(readBytes(event.bytes)).toString('latin1')] : [],
      )
      .join('\n');
    const shown = [JSON.stringify(events), wire, JSON.stringify(sent)].join('\n');
    const forms = server.secrets.flatMap(secret => [
      secret,
      Buffer.from(`token:${secret}`).toString('base64').slice(8, -4),
    ]);
    assert.deepEqual(
      {
        statuses: sent.map(({ reply }) => reply.status),
        found: forms.filter(form => shown.includes(form)),
        // The text that the tool repeated is there, redacted.
        says: /say with \[redacted\] or [A-Za-z0-9+/=]*\[redacted\]/.test(shown),
        secrets: server.secrets.length,
      },
      { statuses: ['ok', 'ok'], found: [], says: true, secrets: 7 },
    );
  });

  it('stores its state in one text, and deletes nothing without a request', async () => {
    const texts = new Map<string, string>();
    const host = {
      ...openHeadlessHost(),
      keep: (key: string, text: string) => Promise.resolve(void texts.set(key, text)),
    };
    await sendTo(connect(host), CALL);
    const [[key, text = ''] = ['', '']] = [...texts];
    const stored = JSON.parse(text) as { client: object; redirect: string; tokens: object };
    assert.deepEqual(
      {
        key,
        client: Object.keys(stored.client).sort(),
        redirect: stored.redirect,
        tokens: Object.keys(stored.tokens).sort(),
      },
      {
        key: `oauth:${JSON.stringify([`${server.origin}/mcp`, null])}`,
        client: ['client_id', 'client_secret', 'issuer'],
        redirect: host.opened[0]?.searchParams.get('redirect_uri'),
        tokens: ['access_token', 'expires_in', 'issuer', 'refresh_token', 'scope', 'token_type'],
      },
    );
  });
});
