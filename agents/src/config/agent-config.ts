import type { ProtocolName } from '../../../protocol/src/catalog/protocols.ts';
import type { Span } from '../../../protocol/src/text/span.ts';

/** An agent as the file names it; texts still hold their `${…}` variables. */
export interface AgentConfig {
  readonly name: string;
  readonly protocol: ProtocolName;
  readonly type: 'http';
  readonly url: string;
  /** By name as written. */
  readonly headers: ReadonlyMap<string, string>;
  /** Seconds until a call is given up. */
  readonly timeout?: number;
  readonly contentType?: string;
  readonly tls: TlsConfig;
  /** The inputs of its file, by id. */
  readonly inputs: ReadonlyMap<string, InputConfig>;
  /** Where the agent stands in the file. */
  readonly span: Span;
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
