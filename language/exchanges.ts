import type { Span } from '../core/text/span.ts';

/** A request as it stands in a file, with the replies to it that the file holds. */
export interface Exchange {
  /** `task` gives work away; `call` runs a tool; `query` asks for something that is there. */
  readonly kind: 'task' | 'call' | 'query';
  /** The task, the tool or the query. */
  readonly name: string;
  /** The conversation that it belongs to; empty where the protocol has none: the file is one then. */
  readonly session: string;
  /** Whom `# @agent` above it names; empty where nothing does. */
  readonly agent: string;
  readonly span: Span;
  /** Its beginning, where an editor puts the cursor. */
  readonly nameSpan: Span;
  readonly replies: readonly Span[];
}
