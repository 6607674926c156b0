import type { TlsOptions } from '../../http/exchange.ts';

/** The agent that is recorded. */
export interface ProxyTarget {
  /** Its address; requests keep the path that their callers use. */
  readonly url: URL;
  readonly tls?: TlsOptions;
  /** Whether the addresses in an A2A agent's card are replaced by the recording's; by default they are not. */
  readonly rewritesCards?: boolean;
}
