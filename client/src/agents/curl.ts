import type { HttpAgentConfig } from '../../../agents/config/agent-config.ts';
import { protocolRow } from '../../../core/catalog/protocols.ts';
import { REDACTED } from '../../../core/secrets/redact-stream.ts';
import { isSecretHeader, redactUrl } from '../../../core/secrets/redact.ts';

/**
 * The curl command that sends a text to an agent from a POSIX shell. It contains no secrets: values from
 * variables and credentials of the agents file become shell variables.
 */
export function writeCurl(agent: HttpAgentConfig, body: string): string {
  const row = protocolRow(agent.protocol);
  const own = new Map([
    ['Content-Type', agent.contentType ?? row.contentType],
    ['Accept', row.accept],
  ]);
  const given = [...agent.headers].map(([name, value]) => [name, hideCredential(name, value)] as const);
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const headers = [...[...own].filter(([name]) => !named.has(name.toLowerCase())), ...given];
  const lines = [
    `curl ${quoteOpen(redactUrl(agent.url).replaceAll(REDACTED, TOKEN))}`,
    ...headers.map(([name, value]) => `-H ${quoteOpen(`${name}: ${value}`)}`),
    `--data-raw ${quoteClosed(body)}`,
  ];
  return lines.join(' \\\n  ');
}

const TOKEN = '${TOKEN}';

/** Replaces a credential that the file contains literally. One in a variable is already hidden. */
function hideCredential(name: string, value: string): string {
  if (!isSecretHeader(name) || /\$\{/.test(value)) return value;
  return value.replace(/^([A-Za-z]+ +)?.*/s, `$1${TOKEN.replace('$', '$$$$')}`);
}

/**
 * Quotes a text for a shell. `${secret:figma-key}` becomes the shell variable `$FIGMA_KEY`; everything else
 * is escaped.
 */
function quoteOpen(text: string): string {
  const pieces = text.split(/(\$\{[^}]*\})/).map(piece => {
    const name = /^\$\{(?:[A-Za-z]+:)?([^}]+)\}$/.exec(piece)?.[1];
    return name === undefined
      ? piece.replace(/[\\"$`!]/g, '\\$&')
      : `$${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;
  });
  return `"${pieces.join('')}"`;
}

/** Quotes a text so that the shell interprets nothing in it. */
function quoteClosed(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
