import type { ProtocolName, StdioProtocolName } from '../../core/catalog/protocols.ts';
import type { Span } from '../../core/text/span.ts';

/** An agent as the file names it; texts still hold their `${…}` variables. */
export type AgentConfig = HttpAgentConfig | StdioAgentConfig;

interface CommonConfig {
  readonly name: string;
  /** Seconds until a call is given up. */
  readonly timeout?: number;
  /** The inputs of its file, by id. */
  readonly inputs: ReadonlyMap<string, InputConfig>;
  /** Where the agent stands in the file. */
  readonly span: Span;
}

/** An agent that listens at an address. */
export interface HttpAgentConfig extends CommonConfig {
  readonly type: 'http';
  readonly protocol: ProtocolName;
  readonly url: string;
  /** By name as written. */
  readonly headers: ReadonlyMap<string, string>;
  readonly contentType?: string;
  readonly tls: TlsConfig;
  /** Whether requests are written for the running AICF server, which unescapes twice. `auto` finds out. */
  readonly quirks?: QuirksOption;
  /** The model that OpenAI's Responses are asked of, where a request names none. */
  readonly model?: string;
  /** How we sign in to an MCP server, where it does not tell all of it itself. */
  readonly oauth?: OAuthConfig;
}

/** `on` is the running AIP server (`aip-2`), whatever it says; `off` is a server that reads AICF as it is written. */
export const QUIRKS_OPTIONS = ['auto', 'on', 'off'] as const;
export type QuirksOption = (typeof QUIRKS_OPTIONS)[number];

/** How a process takes requests: one for each, to its end, or one a line for as long as it runs. */
export const STDIO_MODES = ['one-shot', 'lines'] as const;
export type StdioMode = (typeof STDIO_MODES)[number];

/** What a client of OAuth is called and asks for; texts may hold variables. */
export interface OAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Blanks between several. */
  readonly scope?: string;
}

/** An agent that is a process of this computer, spoken to over its standard input and output. */
export interface StdioAgentConfig extends CommonConfig {
  readonly type: 'stdio';
  readonly protocol: StdioProtocolName;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables of the environment that it gets besides ours, by name. */
  readonly env: ReadonlyMap<string, string>;
  /** The folder in which it runs, from the workspace folder; without it the workspace folder. */
  readonly cwd?: string;
  /** Of AIO agents; `lines` where it is left out. */
  readonly mode?: StdioMode;
}

/** Paths of PEM files. */
export interface TlsConfig {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly allowSelfSigned?: boolean;
}

/** A value that the user is asked for when `${input:ID}` is first needed. */
export interface InputConfig {
  readonly id: string;
  readonly description: string;
  /** True where what is typed should not be seen: a secret. */
  readonly isPassword: boolean;
}

/** What is wrong with the file, at a place in it. */
export interface ConfigIssue {
  readonly span: Span;
  readonly message: string;
  /** The agent whose entry it is about; absent for the rest of the file. */
  readonly agent?: string;
}

export interface AgentsFile {
  /** The agents that have a protocol and an address, by name. */
  readonly agents: ReadonlyMap<string, AgentConfig>;
  readonly inputs: ReadonlyMap<string, InputConfig>;
  readonly issues: readonly ConfigIssue[];
}
