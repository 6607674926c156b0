import type { AgentConfig } from '../../../agents/src/config/agent-config.ts';
import { resolveAgent } from '../../../agents/src/config/resolve-agent.ts';
import type { Variables } from '../../../agents/src/config/variables.ts';
import type { SignInHost } from '../../../agents/src/mcp/auth/host.ts';
import { KeptSignIn } from '../../../agents/src/mcp/auth/kept.ts';
import { quote } from '../../../protocol/src/text/quote.ts';

/**
 * Forgets what is remembered of the sign-in to an agent's server. Answers a sentence for a person: what was forgotten, or
 * why there is nothing. The server is told nothing.
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
  const bare = { ...config, headers: new Map(), tls: {}, oauth: clientId === undefined ? {} : { clientId } };
  const resolution = await resolveAgent(bare, variables);
  if (!resolution.ok) return `${resolution.message}.`;
  const { agent } = resolution;
  if (agent.type !== 'http') return '';
  const where = `${agent.url.origin}${agent.url.pathname}`;
  const known = await new KeptSignIn(host, agent).forget();
  const forgotten = [
    ...(known.tokens ? ['the tokens'] : []),
    ...(known.client ? ['our registration'] : []),
    ...(known.agreed === undefined ? [] : ['your leave to send its client secret']),
  ];
  return forgotten.length === 0
    ? `Nothing is kept of a sign-in to ${where}.`
    : `Signed out of ${where}: ${listWords(forgotten)} ${forgotten.length === 1 && !known.tokens ? 'is' : 'are'} forgotten.`;
}

function listWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');
}
