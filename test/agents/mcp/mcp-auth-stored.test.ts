import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ResolvedHttpAgent } from '../../../agents/config/resolve-agent.ts';
import type { SignInHost } from '../../../agents/sign-in-host.ts';
import { StoredSignIn, type SignInState, revokeTokens } from '../../../agents/mcp/auth/stored-sign-in.ts';
import { openMemoryHost } from '../../../agents/mcp/auth/memory-host.ts';
import { connectMcp } from '../../../agents/mcp/connection.ts';
import { openHeadlessHost } from '../mcp-conformance/headless-host.ts';
import { openOAuthAgent, type OAuthAgent } from '../support/oauth-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'say', arguments: {} },
});

describe('The stored sign-in to an MCP server', () => {
  let server: OAuthAgent;
  beforeEach(async () => (server = await openOAuthAgent()));
  afterEach(() => server.close());

  const agent = (oauth?: ResolvedHttpAgent['oauth']): ResolvedHttpAgent =>
    agentAt('mcp', `${server.origin}/mcp`, oauth ? { oauth } : {});

  it('is read anew where it is asked for that, and forgotten as it is then: another window may have signed in', async () => {
    const host = openMemoryHost();
    const [mine, other] = [new StoredSignIn(host, agent()), new StoredSignIn(host, agent())];
    const tokens = { access_token: 'a', token_type: 'Bearer' };
    const before = [await mine.get(), await other.put({ tokens, agreed: 'x' }), await mine.get()];
    assert.deepEqual([before, await mine.reload()], [[{}, undefined, {}], { tokens, agreed: 'x' }]);
    const later = { ...tokens, access_token: 'b' };
    await other.put({ tokens: later });
    assert.deepEqual(
      [await mine.forget(), await mine.get(), await other.reload()],
      [{ tokens: later, agreed: 'x' }, {}, {}],
    );
  });

  it('is what another window renewed, so that nothing is renewed twice', async () => {
    const host = openHeadlessHost();
    const windows = [1, 2].map(() => connectMcp(agent(), { signIn: host }));
    const send = async (): Promise<readonly string[]> => {
      const statuses: string[] = [];
      for (const window of windows) statuses.push((await sendTo(window, CALL)).reply.status);
      return statuses;
    };
    const before = await send();
    server.valid.clear();
    server.seen.length = 0;
    const after = await send();
    for (const window of windows) await window.close();
    assert.deepEqual(
      [before, after, server.seen.filter(each => each.startsWith('POST /token')), host.opened.length],
      [['ok', 'ok'], ['ok', 'ok'], ['POST /token refresh_token'], 1],
    );
  });

  const pages: readonly (readonly [string, 'opened' | 'refused'])[] = [
    ['https://accounts.example/', 'opened'],
    ['http://localhost:1/', 'opened'],
    ['http://127.0.0.1:1/', 'opened'],
    ['http://[::1]:1/', 'opened'],
    ['http://localhost.example/', 'refused'],
    ['ftp://localhost/', 'refused'],
  ];
  for (const [page, what] of pages) {
    it(`begins at the page ${page} where that is ${what}`, async () => {
      server.settings.metadata = { authorization_endpoint: page };
      const asked: string[] = [];
      const headless = openHeadlessHost();
      const host: SignInHost = {
        ...headless,
        browser: {
          ...headless.browser,
          askLeave: question => {
            asked.push(question.server);
            return Promise.resolve(false);
          },
        },
      };
      const connection = connectMcp(agent(), { signIn: host });
      const { reply } = await sendTo(connection, CALL);
      await connection.close();
      assert.deepEqual(
        [reply.status, asked],
        what === 'opened' ? ['cancelled', [new URL(page).origin]] : ['error', []],
      );
    });
  }

  describe('and is taken back', () => {
    const tokens = (): NonNullable<SignInState['tokens']> => ({
      access_token: 'accessible',
      refresh_token: 'refreshing',
      token_type: 'Bearer',
      issuer: server.origin,
    });
    beforeEach(() => {
      server.settings.metadata = { revocation_endpoint: `${server.origin}/revoke` };
    });

    const clients: readonly (readonly [string, SignInState['client'], string])[] = [
      [
        'with its secret in the form',
        { client_id: 'ours', client_secret: 's', token_endpoint_auth_method: 'client_secret_post' },
        'ours with a secret',
      ],
      ['with its secret in the header', { client_id: 'ours', client_secret: 's' }, 'Basic'],
      ['by its name alone', { client_id: 'ours' }, 'ours'],
      ['by the name of the agents file', undefined, 'configured'],
    ];
    for (const [how, client, who] of clients) {
      it(`by a client that says who it is ${how}`, async () => {
        const stored: SignInState = { tokens: tokens(), ...(client ? { client } : {}) };
        const why = await revokeTokens(stored, agent({ clientId: 'configured' }));
        assert.deepEqual(
          [why, server.seen.slice(1)],
          [undefined, [`POST /revoke refresh_token ${who}`, `POST /revoke access_token ${who}`]],
        );
      });
    }

    it('where there is none that renews, the other one alone; of none, nothing', async () => {
      const { access_token, token_type, issuer } = tokens();
      const only = await revokeTokens(
        { tokens: { access_token, token_type, ...(issuer === undefined ? {} : { issuer }) } },
        agent(),
      );
      const none = await revokeTokens({ client: { client_id: 'ours' } }, agent());
      assert.deepEqual(
        [only, none, server.seen.slice(1)],
        [undefined, undefined, ['POST /revoke access_token ']],
      );
    });

    it('where a server does not answer, for as long as it may take and no longer', async () => {
      server.settings.refused['revoke'] = 'silent';
      const why = await revokeTokens({ tokens: tokens() }, agent(), 200);
      assert.match(why ?? '', /^http:.* could not be asked to revoke them: '.*no answer began within 200 ms/);
    });

    it('so that no report on it contains a token', async () => {
      server.settings.metadata = {
        token_endpoint: 'http://127.0.0.1:9/token',
        revocation_endpoint: 'http://127.0.0.1:9/accessible',
      };
      const why = await revokeTokens({ tokens: tokens() }, agent());
      assert.match(why ?? '', /'.*http:\/\/127\.0\.0\.1:9\/\[redacted\].*'$/);
    });
  });
});
