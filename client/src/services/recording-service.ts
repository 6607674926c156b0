import type { Disposable, Event } from 'vscode';

/** A running recording of this window. */
export interface RecordingInfo {
  readonly agent: string;
  /** The address that callers use instead of the agent's; for a process, the command line that replaces its own. */
  readonly address: string;
  /** Undefined for a process. */
  readonly port: number | undefined;
  /** The agent's address or command line, without credentials. */
  readonly to: string;
}

/** The options of a new recording. */
export interface RecordingWish {
  readonly agent: string;
  /** The command line of an agent that is a process; undefined for an agent with an address. */
  readonly commandLine?: string;
  /** Undefined uses the last port of the agent, or any free one. */
  readonly port?: number | undefined;
  /**
   * Whether calls that are too deep are refused, and whether an A2A agent's card is rewritten to the address
   * of the recording.
   */
  readonly options: readonly ('guard' | 'rewriteCard')[];
  /** Origins of web pages that may call, as typed; by default none may. */
  readonly origins?: readonly string[];
}

/** Why a recording or a bridge was not started. */
export interface NotStarted {
  readonly ok: false;
  /** The reason as a sentence; undefined if the user cancelled a question. */
  readonly message: string | undefined;
  /** A free port, if the requested one is in use. */
  readonly freePort?: number;
}

export type RecordingStart = { readonly ok: true; readonly recording: RecordingInfo } | NotStarted;

/** Recordings in front of agents. Only the desktop host provides them. Each belongs to the window that started it. */
export interface RecordingService extends Disposable {
  readonly onDidChange: Event<void>;
  list(): readonly RecordingInfo[];
  /** Starts a recording with the same consent and secrets as a call. Returns the running one if there is one. */
  start(wish: RecordingWish): Promise<RecordingStart>;
  stop(agent: string): Promise<void>;
}
