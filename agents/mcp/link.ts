import type { Transport } from '@modelcontextprotocol/client';
import type { GoneWhy } from '../connection.ts';

/** The way to one agent, from its opening to its end. */
export interface Link {
  readonly transport: Transport;
  /** True where the agent has given us a session. */
  hasSession(): boolean;
  /** Tells the agent that its session is over. */
  endSession(): Promise<void>;
  /** Why the agent's process is gone. */
  whyGone?(): GoneWhy;
}
