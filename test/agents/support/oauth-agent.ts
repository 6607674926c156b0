import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An MCP server that is its own authorization server; what it does can be changed while it runs. */
export interface OAuthAgent {
  readonly origin: string;
  /** What it was asked, in order: `POST /token refresh_token`; of MCP the methods, with ` (no token)` where none came. */
  readonly seen: string[];
  /** All secrets that it issued, and those that it received. */
  readonly secrets: string[];
  /** Access tokens that it takes now. */
  readonly valid: Map<string, readonly string[]>;
  readonly settings: OAuthSettings;
  close(): Promise<void>;
}

export interface OAuthSettings {
  /** The scope that `tools/call` wants besides `read`. */
  callScope?: string;
  /** What of the metadata is other than usual; undefined leaves a member out. */
  metadata: Record<string, unknown>;
  /** The error with which it answers a request to `/token`, by the kind of grant; `silent` has `revoke` answer nothing. */
  refused: Record<string, string>;
  /** What it says of that. */
  refusal?: string;
  /** True where a new token is not taken. */
  takesNothing?: boolean;
}

interface Grant {
  readonly challenge: string;
  readonly redirect: string;
  readonly scope: string;
}

/** Starts one; it answers with bytes written by hand. */
export async function openOAuthAgent(): Promise<OAuthAgent> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent: OAuthAgent = {
    origin,
    seen: [],
    secrets: [],
    valid: new Map(),
    settings: { metadata: {}, refused: {} },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const grants = new Map<string, Grant>();
  const refreshable = new Map<string, string>();

  const secret = (): string => {
    const value = randomBytes(18).toString('hex');
    agent.secrets.push(value);
    return value;
  };

  const giveTokens = (scope: string): object => {
    const [access, refresh] = [secret(), secret()];
    if (!agent.settings.takesNothing) agent.valid.set(access, scope.split(' '));
    refreshable.set(refresh, scope);
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600, scope };
  };

  const answerToken = (form: URLSearchParams, authorization: string | undefined): [number, object] => {
    const kind = form.get('grant_type') ?? '';
    agent.seen.push(`POST /token ${kind}`);
    const refused = agent.settings.refused[kind];
    if (refused) return [400, { error: refused, error_description: agent.settings.refusal }];
    if (kind === 'refresh_token') {
      const given = form.get('refresh_token') ?? '';
      const scope = refreshable.get(given);
      // One that was used is used no more.
      refreshable.delete(given);
      return scope === undefined ? [400, { error: 'invalid_grant' }] : [200, giveTokens(scope)];
    }
    if (kind === 'client_credentials') {
      const expected = `Basic ${Buffer.from('robot:robot-secret').toString('base64')}`;
      return authorization === expected ? [200, giveTokens('read')] : [401, { error: 'invalid_client' }];
    }
    const grant = grants.get(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    agent.secrets.push(verifier);
    const fits =
      grant?.redirect === form.get('redirect_uri') &&
      grant?.challenge === createHash('sha256').update(verifier).digest('base64url');
    return grant && fits ? [200, giveTokens(grant.scope)] : [400, { error: 'invalid_grant' }];
  };

  const answerRevocation = (
    form: URLSearchParams,
    authorization: string | undefined,
  ): [number, undefined] | undefined => {
    const [hint, token] = [form.get('token_type_hint') ?? '', form.get('token') ?? ''];
    const secret = form.has('client_secret') ? ' with a secret' : '';
    const client = authorization?.split(' ')[0] ?? form.get('client_id') ?? '';
    agent.seen.push(`POST /revoke ${hint} ${client}${secret}`);
    if (agent.settings.refused['revoke'] === 'silent') return undefined;
    if (agent.settings.refused['revoke'] !== undefined) return [503, undefined];
    agent.valid.delete(token);
    refreshable.delete(token);
    return [200, undefined];
  };

  const answerMcp = (text: string, token: string | undefined, response: ServerResponse): void => {
    const { id, method, params } = JSON.parse(text) as {
      id?: number;
      method: string;
      params?: { name?: string };
    };
    agent.seen.push(`${method}${token === undefined ? ' (no token)' : ''}`);
    const scopes = agent.valid.get(token ?? '');
    const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
    const { callScope } = agent.settings;
    if (!scopes)
      return send(
        response,
        401,
        { error: 'invalid_token' },
        { 'www-authenticate': `${challenge}, scope="read"` },
      );
    if (method === 'tools/call' && callScope !== undefined && !scopes.includes(callScope)) {
      const wanted = `${challenge}, error="insufficient_scope", scope="${callScope}"`;
      return send(response, 403, { error: 'insufficient_scope' }, { 'www-authenticate': wanted });
    }
    if (id === undefined) return send(response, 202, undefined);
    if (method === 'initialize')
      return send(response, 200, {
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'locked', version: '1' },
        },
      });
    // It tells what it should not: the token, as it came and in base64.
    const said = `${params?.name ?? method} with ${token} or ${Buffer.from(`token:${token}`).toString('base64')}`;
    if (method === 'tools/call')
      return send(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said }] } });
    return send(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', origin);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const { authorization } = request.headers;
    if (pathname === '/mcp' && request.method === 'POST')
      return answerMcp(body, authorization?.replace(/^Bearer /, ''), response);
    if (pathname === '/token')
      return send(response, ...answerToken(new URLSearchParams(body), authorization));
    if (pathname === '/revoke') {
      const answered = answerRevocation(new URLSearchParams(body), authorization);
      return answered && send(response, ...answered);
    }
    // A token that comes to any other page is one too many.
    agent.seen.push(
      `${request.method} ${pathname}${authorization === undefined ? '' : ' (with credentials)'}`,
    );
    if (pathname === '/register' && request.method === 'POST') {
      const client_secret = secret();
      return send(response, 201, { ...(JSON.parse(body) as object), client_id: 'registered', client_secret });
    }
    if (pathname === '/authorize') {
      const code = secret();
      const redirect = searchParams.get('redirect_uri') ?? '';
      const scope = searchParams.get('scope') ?? '';
      grants.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirect, scope });
      const back = new URL(redirect);
      // The existing query is preserved (RFC 6749, section 3.1.2).
      back.searchParams.append('code', code);
      back.searchParams.append('state', searchParams.get('state') ?? '');
      return send(response, 302, undefined, { location: back.href });
    }
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return send(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname === '/.well-known/oauth-authorization-server')
      return send(response, 200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        ...agent.settings.metadata,
      });
    return send(response, pathname === '/mcp' ? 405 : 404, undefined);
  }

  return agent;
}

function send(
  response: ServerResponse,
  status: number,
  value: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, ...(value ? { 'content-type': 'application/json' } : {}) });
  response.end(value && JSON.stringify(value));
}
