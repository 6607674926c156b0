import type { ProtocolName, StdioProtocolName } from '../../../protocol/src/catalog/protocols.ts';
import type { Span } from '../../../protocol/src/text/span.ts';

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
