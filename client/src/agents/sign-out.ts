import type { AgentConfig, TlsConfig } from '../../../agents/config/agent-config.ts';
import { resolveAgent } from '../../../agents/config/resolve-agent.ts';
import type { Variables } from '../../../agents/config/variables.ts';
import type { SignInHost } from '../../../agents/mcp/auth/host.ts';
import { KeptSignIn, type Kept } from '../../../agents/mcp/auth/kept.ts';
import { revokeTokens } from '../../../agents/mcp/auth/revoke.ts';
import { quote } from '../../../core/text/quote.ts';

/**
 * Forgets what is remembered of the sign-in to an agent's server, and asks the server that gave tokens to take them back.
 * They are forgotten whatever it answers. Answers what came of it for a person: what was forgotten and whether the tokens are
 * still good, or why there is nothing.
 */
export async function forgetSignIn(
  config: AgentConfig,
  variables: Variables,
  host: SignInHost,
): Promise<string> {
  if (config.type !== 'http' || config.protocol !== 'mcp')
    return `The agent ${quote(config.name)} is no MCP server with an address, and only those are signed in to.`;
  const { clientId } = config.oauth ?? {};
  // Nobody is asked for a secret in order to forget one.
  const oauth = clientId === undefined ? {} : { clientId };
  const bare = { ...config, headers: new Map(), tls: trustOf(config.tls), oauth };
  const resolution = await resolveAgent(bare, variables);
  if (!resolution.ok) return `${resolution.message}.`;
  const { agent } = resolution;
  if (agent.type !== 'http') return '';
  const where = `${agent.url.origin}${agent.url.pathname}`;
  const known = await new KeptSignIn(host, agent).forget();
  const forgotten = listForgotten(known);
  if (forgotten.length === 0) return `Nothing is kept of a sign-in to ${where}.`;
  const verb = forgotten.length === 1 && !known.tokens ? 'is' : 'are';
  const said = `Signed out of ${where}: ${listWords(forgotten)} ${verb} forgotten`;
  if (!known.tokens) return `${said}.`;
  const problem = await revokeTokens(known, agent);
  return problem === undefined
    ? `${said}, and ${known.tokens.issuer ?? 'the server'} has taken the tokens back.`
    : `${said}, but ${problem}. The tokens may be good until they expire.`;
}

/** Whom an agent trusts is part of what its sign-in is kept under; a certificate of ours is not. */
function trustOf({ ca, allowSelfSigned }: TlsConfig): TlsConfig {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(allowSelfSigned === undefined ? {} : { allowSelfSigned }),
  };
}

function listForgotten({ tokens, client, agreed }: Kept): readonly string[] {
  return [
    ...(tokens ? ['the tokens'] : []),
    ...(client ? ['our registration'] : []),
    ...(agreed === undefined ? [] : ['your leave to send its client secret']),
  ];
}

function listWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
}
