import type { StoredHeader } from '../core/events/events.ts';

/** The reply to a probe. */
export interface ProbeReply {
  readonly status: number;
  readonly headers: readonly StoredHeader[];
  /** The beginning of the body. */
  readonly body: string;
}

/** An agent of a protocol that was found at an address. */
export interface Discovered {
  /** The address at which it takes requests. */
  readonly address: string;
  readonly name?: string;
  /** The models that it lists. */
  readonly models?: readonly string[];
  /** True if it requires credentials before it says more. */
  readonly isLocked?: boolean;
}

/** A request that shows whether an agent of a protocol is at an address. It changes nothing and costs nothing. */
export interface Probe {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** The agent that the reply shows; undefined for any other reply. */
  readonly read: (reply: ProbeReply) => Discovered | undefined;
  /** The request that ends what the probe began, such as a session. */
  readonly end?: (reply: ProbeReply) => (Pick<Probe, 'headers'> & { readonly method: 'DELETE' }) | undefined;
}

/** How agents of a protocol are found at an address. */
export interface Discovery {
  /** The probes for an address, all at the origin of that address. */
  readonly probes: (address: string) => readonly Probe[];
}
