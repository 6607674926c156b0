import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HttpAgentConfig } from '../../../agents/config/agent-config.ts';
import { connectMcp } from '../../../agents/mcp/connection.ts';
import { forgetSignIn, isSignedIn } from '../../../client/src/agents/sign-out.ts';
import { openHeadlessHost, type HeadlessHost } from '../mcp-conformance/headless-host.ts';
import { openOAuthAgent, type OAuthAgent } from '../support/oauth-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'say', arguments: {} },
});

/** Who is asked for any of these has been asked too much. */
const ASKED: string[] = [];
const VARIABLES = {
  env: (name: string) => (name === 'WHERE' ? '/mcp' : undefined),
  workspaceFolder: () => undefined,
  demo: () => Promise.resolve(undefined),
  input: () => Promise.resolve(undefined),
  secret: (name: string) => {
    ASKED.push(name);
    return Promise.resolve(undefined);
  },
};

describe('Signing out of an MCP server', () => {
  let server: OAuthAgent;
  let host: HeadlessHost;

  beforeEach(async () => {
    ASKED.length = 0;
    host = openHeadlessHost();
    server = await openOAuthAgent();
  });
  afterEach(() => server.close());

  function configAt(url: string, more: Partial<HttpAgentConfig> = {}): HttpAgentConfig {
    const span = { start: 0, end: 0 };
    const common = { name: 'tester', inputs: new Map(), headers: new Map(), tls: {}, span };
    return { ...common, type: 'http', protocol: 'mcp', url, ...more };
  }

  async function send(): Promise<string> {
    const connection = connectMcp(agentAt('mcp', `${server.origin}/mcp`), { signIn: host });
    const { reply } = await sendTo(connection, CALL);
    await connection.close();
    return reply.status;
  }

  it('forgets the tokens and the registration, so that the next call signs in anew', async () => {
    const before = [await send(), await send(), host.opened.length];
    const config = configAt(`${server.origin}\${env:WHERE}`, {
      headers: new Map([['X-Key', '${secret:KEY}']]),
      oauth: { clientSecret: '${secret:CLIENT}' },
    });
    const isKnown = [await isSignedIn(config, VARIABLES, host)];
    const said = await forgetSignIn(config, VARIABLES, host);
    isKnown.push(await isSignedIn(config, VARIABLES, host));
    server.seen.length = 0;
    const after = [await send(), host.opened.length, server.seen.includes('POST /register')];
    assert.deepEqual(
      { before, isKnown, said, after, asked: ASKED },
      {
        before: ['ok', 'ok', 1],
        isKnown: [true, false],
        said: `Signed out of ${server.origin}/mcp: the tokens and our registration are deleted, but ${server.origin} names no revocation endpoint. The tokens may stay valid until they expire.`,
        after: ['ok', 2, true],
        asked: [],
      },
    );
  });

  it('has the server take both tokens back, and says so', async () => {
    server.settings.metadata['revocation_endpoint'] = `${server.origin}/revoke`;
    await send();
    const before = [...server.valid.keys()].length;
    server.seen.length = 0;
    const said = await forgetSignIn(configAt(`${server.origin}/mcp`), VARIABLES, host);
    assert.deepEqual(
      { before, after: server.valid.size, said, seen: server.seen },
      {
        before: 1,
        after: 0,
        said: `Signed out of ${server.origin}/mcp: the tokens and our registration are deleted, and ${server.origin} has revoked the tokens.`,
        seen: [
          'GET /.well-known/oauth-authorization-server',
          'POST /revoke refresh_token Basic',
          'POST /revoke access_token Basic',
        ],
      },
    );
  });

  it('says why tokens may still be good, and sends none of them to another server', async () => {
    const other = await openOAuthAgent();
    try {
      const said: string[] = [];
      const ends = [
        () => {
          server.settings.metadata['revocation_endpoint'] = `${other.origin}/revoke`;
        },
        () => {
          server.settings.metadata['revocation_endpoint'] = `${server.origin}/revoke`;
          server.settings.refused['revoke'] = 'busy';
        },
      ];
      for (const end of ends) {
        await send();
        end();
        said.push(await forgetSignIn(configAt(`${server.origin}/mcp`), VARIABLES, host));
      }
      await send();
      await server.close();
      said.push(await forgetSignIn(configAt(`${server.origin}/mcp`), VARIABLES, host));
      const start = `Signed out of ${server.origin}/mcp: the tokens and our registration are deleted, but `;
      const [elsewhere = '', refused = '', gone = ''] = said.map(each =>
        each.replace(start, '').replace(' The tokens may stay valid until they expire.', ''),
      );
      assert.deepEqual(
        [elsewhere, refused, other.seen],
        [
          `${server.origin} names '${other.origin}/revoke' as its revocation endpoint, which is on another server; the tokens were not sent there.`,
          `${server.origin} did not revoke the refresh token: it answered 503 Service Unavailable.`,
          [],
        ],
      );
      assert.match(gone, /could not be asked to revoke them: '.*ECONNREFUSED|connection refused.*'\.$/);
    } finally {
      await other.close();
    }
  });

  it('sends tokens of an unknown issuer nowhere', async () => {
    const tokens = { access_token: 'old', token_type: 'Bearer' };
    await host.keep(`oauth:["${server.origin}/mcp",null]`, JSON.stringify({ tokens }));
    assert.deepEqual(
      [await forgetSignIn(configAt(`${server.origin}/mcp`), VARIABLES, host), server.seen],
      [
        `Signed out of ${server.origin}/mcp: the tokens are deleted, but it is not known which server issued them. The tokens may stay valid until they expire.`,
        [],
      ],
    );
  });

  it('finds the sign-in to a server whose certificate the agents file trusts', async () => {
    const url = `${server.origin}/mcp`;
    const tls = { allowSelfSigned: true };
    const connection = connectMcp(agentAt('mcp', url, { tls }), { signIn: host });
    await sendTo(connection, CALL);
    await connection.close();
    const said = await forgetSignIn(configAt(url, { tls }), VARIABLES, host);
    assert.match(said, /^Signed out of /);
  });

  it('leaves the sign-in under another name, and at another path, alone', async () => {
    await send();
    const others = [
      configAt(`${server.origin}/other`),
      configAt(`${server.origin}/mcp`, { oauth: { clientId: 'another' } }),
    ];
    const said = await Promise.all(others.map(config => forgetSignIn(config, VARIABLES, host)));
    assert.deepEqual(
      [said, await send(), host.opened.length],
      [['other', 'mcp'].map(path => `No sign-in is stored for ${server.origin}/${path}.`), 'ok', 1],
    );
  });

  it('says of an agent that is none why there is nothing to sign out of', async () => {
    const { name, inputs, span } = configAt('');
    const process = {
      name,
      inputs,
      span,
      type: 'stdio',
      protocol: 'mcp',
      command: 'node',
      args: [],
      env: new Map(),
    } as const;
    const configs = [process, configAt('http://127.0.0.1:9/', { protocol: 'aicf' })];
    const none = "The agent 'tester' is not an MCP server with an address, and only those have a sign-in.";
    assert.deepEqual(await Promise.all(configs.map(config => forgetSignIn(config, VARIABLES, host))), [
      none,
      none,
    ]);
    assert.equal(
      await forgetSignIn(configAt('${env:NOWHERE}'), VARIABLES, host),
      "The agent 'tester': The variable '${env:NOWHERE}' has no value; set the environment variable 'NOWHERE' and start again.",
    );
  });
});
