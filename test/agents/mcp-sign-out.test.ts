import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HttpAgentConfig } from '../../agents/src/config/agent-config.ts';
import { connectMcp } from '../../agents/src/mcp/connection.ts';
import { forgetSignIn } from '../../client/src/agents/sign-out.ts';
import { openHeadlessHost, type HeadlessHost } from './mcp-conformance/headless-host.ts';
import { openOAuthAgent, type OAuthAgent } from './support/oauth-agent.ts';
import { agentAt, sendTo } from './support/send.ts';

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
    const said = await forgetSignIn(config, VARIABLES, host);
    server.seen.length = 0;
    const after = [await send(), host.opened.length, server.seen.includes('POST /register')];
    assert.deepEqual(
      { before, said, after, asked: ASKED },
      {
        before: ['ok', 'ok', 1],
        said: `Signed out of ${server.origin}/mcp: the tokens and our registration are forgotten.`,
        after: ['ok', 2, true],
        asked: [],
      },
    );
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
      [['other', 'mcp'].map(path => `Nothing is kept of a sign-in to ${server.origin}/${path}.`), 'ok', 1],
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
    const none = "The agent 'tester' is no MCP server with an address, and only those are signed in to.";
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
