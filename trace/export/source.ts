import type { Protocols } from '../../protocols/protocol.ts';
import type { CountTexts } from '../graph/count-tokens.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';

/** What is exported: traces, and what was on the wire of their calls. */
export interface ExportSource {
  readonly trees: readonly TraceTree[];
  /** Heads and bytes of a call in their order; none where they are not kept. Never rejects. */
  payload(call: string): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** The protocols that are known. */
  readonly protocols: Protocols;
  /** True where spans of OpenTelemetry tell what was asked and answered, which else stays out of them. */
  readonly tellsContent?: boolean | undefined;
  /** Counts the tokens of texts; without it none are counted. */
  readonly countTexts?: CountTexts | undefined;
}

/** All calls of traces, each after the one above it, side by side in the order of their times. */
export function* walkCalls(trees: readonly TraceTree[]): Generator<CallNode, void> {
  for (const { roots } of trees) {
    const open = [...roots].reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      yield next;
      const { children } = next;
      for (let at = children.length - 1; at >= 0; at--) {
        const child = children[at];
        if (child) open.push(child);
      }
    }
  }
}

/** Who calls: the agent above, else the one that the call names; undefined where nobody is known. */
export function callerOf({ call, parent }: CallNode): string | undefined {
  return call.from ?? parent?.call.agent;
}
