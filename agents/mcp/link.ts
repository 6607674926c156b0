import type { Transport } from '@modelcontextprotocol/client';
import type { GoneWhy } from '../connection.ts';

/** The connection to one agent, from its opening to its end. */
export interface Link {
  readonly transport: Transport;
  /** True if the agent has assigned us a session. */
  hasSession(): boolean;
  /** Informs the agent that its session is over. */
  endSession(): Promise<void>;
  /** Why the agent's process has ended. */
  whyGone?(): GoneWhy;
}
