import type { ServerCodec } from '../../serving/codec.ts';
import type { ServedAgent, ServerHost } from '../../serving/serving.ts';
import type { Changes } from './changes.ts';
import type { LegacyMessages } from './legacy.ts';
import type { ModernMessages } from './modern.ts';

/** What the endpoint over HTTP and the lines of a process share. */
export interface McpParts {
  readonly agent: ServedAgent;
  readonly codec: ServerCodec;
  readonly changes: Changes;
  readonly legacy: LegacyMessages;
  readonly modern: ModernMessages;
  readonly host: ServerHost;
}
