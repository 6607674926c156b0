import { hasSignIn } from '../../../core/catalog/protocols.ts';
import type { AgentConfig, TlsConfig } from '../../../agents/config/agent-config.ts';
import { resolveAgent, type ResolvedHttpAgent } from '../../../agents/config/resolve-agent.ts';
import type { Variables } from '../../../agents/config/variables.ts';
import type { SignInHost } from '../../../agents/sign-in-host.ts';
import { StoredSignIn, type SignInState, revokeTokens } from '../../../agents/mcp/auth/stored-sign-in.ts';
import { quote } from '../../../core/text/quote.ts';

/** True if a sign-in to an agent's server is stored. */
export async function isSignedIn(
  config: AgentConfig,
  variables: Variables,
  host: SignInHost,
): Promise<boolean> {
  const found = await findStored(config, variables, host);
  return typeof found !== 'string' && Object.keys(await found.stored.get()).length > 0;
}

/**
 * Deletes the stored sign-in to an agent's server, and asks that server to revoke its tokens. The deletion
 * does not depend on the answer. Returns a message: what was deleted and whether the tokens are still valid,
 * or why there is nothing to delete.
 */
export async function forgetSignIn(
  config: AgentConfig,
  variables: Variables,
  host: SignInHost,
): Promise<string> {
  const found = await findStored(config, variables, host);
  if (typeof found === 'string') return found;
  const { agent, stored } = found;
  const where = `${agent.url.origin}${agent.url.pathname}`;
  const known = await stored.forget();
  const forgotten = listForgotten(known);
  if (forgotten.length === 0) return `No sign-in is stored for ${where}.`;
  const verb = forgotten.length === 1 && !known.tokens ? 'is' : 'are';
  const summary = `Signed out of ${where}: ${listWords(forgotten)} ${verb} deleted`;
  if (!known.tokens) return `${summary}.`;
  const problem = await revokeTokens(known, agent);
  return problem === undefined
    ? `${summary}, and ${known.tokens.issuer ?? 'the server'} has revoked the tokens.`
    : `${summary}, but ${problem}. The tokens may stay valid until they expire.`;
}

/** The stored sign-in to an agent's server, or the sentence why the agent has none. */
async function findStored(
  config: AgentConfig,
  variables: Variables,
  host: SignInHost,
): Promise<{ readonly agent: ResolvedHttpAgent; readonly stored: StoredSignIn } | string> {
  if (config.type !== 'http' || !hasSignIn(config.protocol))
    return `The agent ${quote(config.name)} is not an MCP server with an address, and only those have a sign-in.`;
  const { clientId } = config.oauth ?? {};
  // Leaves out secrets, so that the user is not asked for one in order to delete it.
  const oauth = clientId === undefined ? {} : { clientId };
  const bare = { ...config, headers: new Map(), tls: trustOf(config.tls), oauth };
  const resolution = await resolveAgent(bare, variables);
  if (!resolution.ok) return `${resolution.message}.`;
  const { agent } = resolution;
  return agent.type === 'http' ? { agent, stored: new StoredSignIn(host, agent) } : '';
}

/** The trusted certificates are part of the storage key of a sign-in; client certificates are not. */
function trustOf({ ca, allowSelfSigned }: TlsConfig): TlsConfig {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(allowSelfSigned === undefined ? {} : { allowSelfSigned }),
  };
}

function listForgotten({ tokens, client, agreed }: SignInState): readonly string[] {
  return [
    ...(tokens ? ['the tokens'] : []),
    ...(client ? ['our registration'] : []),
    ...(agreed === undefined ? [] : ['your permission to send its client secret']),
  ];
}

function listWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
}
