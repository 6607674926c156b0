import type { Disposable, Event, Uri } from 'vscode';
import type { ProtocolName } from '../../protocol/src/catalog/protocols.ts';
import type { CallStatus } from '../../protocol/src/trace/events.ts';

/** A configured agent, as views and pickers show it. */
export interface AgentInfo {
  readonly name: string;
  readonly protocol: ProtocolName;
  /** Its URL or command line as the file writes it, variables included and credentials replaced. */
  readonly address: string;
  /** The agents file that names it. */
  readonly file: Uri;
}

/** Something wrong in an agents file, for people. */
export interface AgentsProblem {
  readonly file: Uri;
  /** From 0. */
  readonly line: number;
  readonly message: string;
  /** The agent whose entry it is about; undefined for the rest of the file. */
  readonly agent: string | undefined;
}

/** All that the agents files say now. Where two files name an agent, the first file's counts. */
export interface AgentList {
  readonly agents: readonly AgentInfo[];
  readonly problems: readonly AgentsProblem[];
}

/** A request on its way to an agent. */
export interface CallRequest {
  readonly agent: string;
  /** What a list of calls shows. */
  readonly title: string;
  readonly wireText: string;
  /** Milliseconds; undefined takes the agent's. */
  readonly timeout: number | undefined;
  readonly source: { readonly uri: string; readonly line: number };
}

/** What came of a call. `text` is all that came, whatever the status. */
export interface CallOutcome {
  readonly status: Exclude<CallStatus, 'open'>;
  readonly text: string;
  readonly code?: string;
  readonly message?: string;
  /** True where the text is the protocol's own language. */
  readonly isProtocol: boolean;
}

/** Hears how a call goes on. */
export interface CallListener {
  /** The call's id in the traces, before anything is sent. */
  started(call: string): void;
  /** What the reply's text grew by. */
  progress(added: string): void;
}

/** What the extension needs of agents. Only the desktop host has it: a browser cannot reach agents. */
export interface AgentService extends Disposable {
  /** The agents files or the demo agents changed. */
  readonly onDidChange: Event<void>;
  list(): Promise<AgentList>;
  /** Sends one request. A failure is an outcome, with a sentence for people; nothing is thrown. */
  call(request: CallRequest, listener: CallListener, signal: AbortSignal): Promise<CallOutcome>;
  /** Starts the demo agents, or finds those that run; their addresses by name. */
  startDemo(): Promise<ReadonlyMap<string, string>>;
  stopDemo(): Promise<void>;
  /** Names of the secrets that were typed in and are kept. */
  listSecrets(): readonly string[];
  forgetSecret(name: string): Promise<void>;
}
