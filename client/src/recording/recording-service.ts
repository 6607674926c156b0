import type { Disposable, Event } from 'vscode';

/** A recording that runs in this window. */
export interface RecordingInfo {
  readonly agent: string;
  /** What callers use in place of the agent's address; for a process, in place of its command line. */
  readonly address: string;
  /** Undefined for a process. */
  readonly port: number | undefined;
  /** The agent's own address or command line, without credentials. */
  readonly to: string;
  /** True where calls are refused above which too many others stand. */
  readonly isGuarded: boolean;
}

/** How a recording is started. */
export interface RecordingWish {
  readonly agent: string;
  /** The command line of an agent that is a process; undefined for one that has an address. */
  readonly commandLine?: string;
  /** Undefined takes the one that the agent had last, or any free one. */
  readonly port?: number | undefined;
  /** Whether calls that are too deep are refused, and whether an A2A agent's card names the recording. */
  readonly options: readonly ('guard' | 'rewriteCard')[];
  /** Origins whose web pages may call, as they were typed; without them none may. */
  readonly origins?: readonly string[];
}

export type RecordingStart =
  | { readonly ok: true; readonly recording: RecordingInfo }
  | {
      readonly ok: false;
      /** A sentence for a person; undefined where the user left a question. */
      readonly message: string | undefined;
      /** A free port, where the one that was wanted is taken. */
      readonly freePort?: number;
    };

/** Recordings in front of agents. Only the desktop host has them. Each belongs to the window that started it. */
export interface RecordingService extends Disposable {
  readonly onDidChange: Event<void>;
  list(): readonly RecordingInfo[];
  /** Starts a recording with the same consent and secrets as a call; one that runs is answered as it is. */
  start(wish: RecordingWish): Promise<RecordingStart>;
  stop(agent: string): Promise<void>;
}
