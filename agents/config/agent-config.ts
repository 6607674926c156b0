import type { ProtocolName, StdioProtocolName } from '../../core/catalog/protocols.ts';
import type { Span } from '../../core/text/span.ts';
import { quote } from '../../core/text/quote.ts';

/** An agent as it is in the file; texts still contain their `${…}` variables. */
export type AgentConfig<Name extends string = ProtocolName> =
  | HttpAgentConfig<Name>
  | StdioAgentConfig<Name extends ProtocolName ? StdioProtocolName : Name>;

interface CommonConfig {
  readonly name: string;
  /** Seconds until a call times out. */
  readonly timeout?: number;
  /** The inputs of its file, by id. */
  readonly inputs: ReadonlyMap<string, InputConfig>;
  /** The position of the agent in the file. */
  readonly span: Span;
}

/** An agent that listens at an address. */
export interface HttpAgentConfig<Name extends string = ProtocolName> extends CommonConfig {
  readonly type: 'http';
  readonly protocol: Name;
  readonly url: string;
  /** By name as written. */
  readonly headers: ReadonlyMap<string, string>;
  readonly contentType?: string;
  readonly tls: TlsConfig;
  /** Whether requests are written for the running AICF server, which unescapes twice. `auto` detects it. */
  readonly quirks?: QuirksOption;
  /** The model for OpenAI Responses requests that name none. */
  readonly model?: string;
  /** How we sign in to an MCP server, as far as the server does not describe it. */
  readonly oauth?: OAuthConfig;
}

/**
 * `on` means the running AIP server (`aip-2`), whatever it reports; `off` a server that reads AICF as it is
 * written.
 */
export const QUIRKS_OPTIONS = ['auto', 'on', 'off'] as const;
export type QuirksOption = (typeof QUIRKS_OPTIONS)[number];

/** How a process takes requests: a process for each request, or one request per line while it runs. */
export const STDIO_MODES = ['one-shot', 'lines'] as const;
export type StdioMode = (typeof STDIO_MODES)[number];

/** The name of an OAuth client and what it requests; texts may contain variables. */
export interface OAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Several are separated by blanks. */
  readonly scope?: string;
}

/** An agent that is a process on this computer and is called over its standard input and output. */
export interface StdioAgentConfig<Name extends string = StdioProtocolName> extends CommonConfig {
  readonly type: 'stdio';
  readonly protocol: Name;
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables in addition to ours, by name. */
  readonly env: ReadonlyMap<string, string>;
  /** Its working folder, relative to the workspace folder; by default the workspace folder. */
  readonly cwd?: string;
  /** For AIO agents; `lines` by default. */
  readonly mode?: StdioMode;
}

/** Paths of PEM files. */
export interface TlsConfig {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly allowSelfSigned?: boolean;
}

/** A value that is requested from the user when `${input:ID}` is first needed. */
export interface InputConfig {
  readonly id: string;
  readonly description: string;
  /** True if the typed text should be hidden: a secret. */
  readonly isPassword: boolean;
}

/** A fault in the file, with its position. */
export interface ConfigIssue {
  readonly span: Span;
  readonly message: string;
  /** The agent whose entry has the fault; absent for the rest of the file. */
  readonly agent?: string;
}

export interface AgentsFile {
  /** The agents with a protocol and an address, by name. */
  readonly agents: ReadonlyMap<string, AgentConfig>;
  readonly inputs: ReadonlyMap<string, InputConfig>;
  readonly issues: readonly ConfigIssue[];
}

/** Why an address cannot be an agent's; undefined if it can. The message shows it as written, with its variables. */
export function checkUrl(url: string, written = url): string | undefined {
  if (!URL.canParse(url))
    return `${quote(written)} is not an address; write one such as http://localhost:65001/aip/v1/aicf`;
  if (/^https?:$/.test(new URL(url).protocol)) return undefined;
  return `The address ${quote(written)} should begin with http:// or https://`;
}

/**
 * Headers that frame a request or decide which server handles it (RFC 9110 section 7, RFC 9112 section 6):
 * with other values, two servers on the way could read different requests. The client sets them itself.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Why configuration cannot set a header of this name; undefined if it can. */
export function findHeaderNameFault(name: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return `${quote(name)} cannot be a header's name; use letters, digits and hyphens`;
  // Servers of the CGI kind treat an underscore as a hyphen.
  return OWN_HEADERS.has(name.toLowerCase().replaceAll('_', '-'))
    ? `The header ${quote(name)} cannot be set, because Parley sets it from the address and the request; remove it`
    : undefined;
}

/** True for a value that HTTP can carry: Latin-1 without control characters except TAB (RFC 9110 section 5.5). */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
