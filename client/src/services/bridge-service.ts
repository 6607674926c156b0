import type { Disposable, Event } from 'vscode';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { NotStarted } from './recording-service.ts';

/** A running bridge of this window: an agent that is served to callers of another protocol. */
export interface BridgeInfo {
  readonly agent: string;
  readonly as: ProtocolName;
  /** The address for callers; for a process, the command line that they start. */
  readonly address: string;
  /** Undefined for a process. */
  readonly port: number | undefined;
}

/** The options of a new bridge. */
export interface BridgeWish {
  readonly agent: string;
  readonly as: ProtocolName;
  /** `http` opens a port; `stdio` gives a command line that callers start themselves. */
  readonly over: 'http' | 'stdio';
  /** Undefined uses the last port of this bridge, or any free one. */
  readonly port?: number | undefined;
}

export type BridgeStart = { readonly ok: true; readonly bridge: BridgeInfo } | NotStarted;

/** Bridges to agents. Only the desktop host provides them. Each belongs to the window that started it. */
export interface BridgeService extends Disposable {
  readonly onDidChange: Event<void>;
  list(): readonly BridgeInfo[];
  /**
   * Starts a bridge after the user's consent, which names the agent's command or address and each secret that is used.
   * Returns the running one if there is one.
   */
  start(wish: BridgeWish): Promise<BridgeStart>;
  stop(bridge: BridgeInfo): Promise<void>;
}
