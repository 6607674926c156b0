import type { TlsOptions } from '../http/exchange.ts';

/** The agent in front of which a recording stands. */
export interface ProxyTarget {
  /** Its address; requests keep the path that their callers give. */
  readonly url: URL;
  readonly tls?: TlsOptions;
  /** Whether the addresses in an A2A agent's card become those of the recording; without it they stay as they come. */
  readonly rewritesCards?: boolean;
}
