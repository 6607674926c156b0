import type { HttpAgentConfig } from '../../../agents/config/agent-config.ts';
import { protocolRow } from '../../../core/catalog/protocols.ts';
import { REDACTED } from '../../../core/secrets/redact-stream.ts';
import { isSecretHeader, redactUrl } from '../../../core/secrets/redact.ts';

/**
 * The command line that sends a text to an agent from a POSIX shell. No secret is in it: values that the agents file does
 * not write, and credentials that it does, are variables of the shell.
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

/** A credential that stands in the file; one that a variable stands for is hidden already. */
function hideCredential(name: string, value: string): string {
  if (!isSecretHeader(name) || /\$\{/.test(value)) return value;
  return value.replace(/^([A-Za-z]+ +)?.*/s, `$1${TOKEN.replace('$', '$$$$')}`);
}

/** `${secret:figma-key}` as the variable `$FIGMA_KEY` of a shell; nothing else of the text means anything there. */
function quoteOpen(text: string): string {
  const pieces = text.split(/(\$\{[^}]*\})/).map(piece => {
    const name = /^\$\{(?:[A-Za-z]+:)?([^}]+)\}$/.exec(piece)?.[1];
    return name === undefined
      ? piece.replace(/[\\"$`!]/g, '\\$&')
      : `$${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`;
  });
  return `"${pieces.join('')}"`;
}

/** A text in which nothing means anything to a shell. */
function quoteClosed(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
