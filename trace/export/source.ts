import type { Protocols } from '../../protocols/protocol.ts';
import type { CountTexts } from '../graph/count-tokens.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';

/** The traces to be exported, and the payloads of their calls. */
export interface ExportSource {
  readonly trees: readonly TraceTree[];
  /** The heads and bytes of a call in order; none if they are not stored. Never rejects. */
  payload(call: string): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** The known protocols. */
  readonly protocols: Protocols;
  /** True to export the content of requests and replies in spans of OpenTelemetry. */
  readonly includesContent?: boolean | undefined;
  /** Counts the tokens of texts; without it, none are counted. */
  readonly countTexts?: CountTexts | undefined;
}

/** All calls of traces, parents first, siblings in the order of their times. */
export function* walkCalls(trees: readonly TraceTree[]): Generator<CallNode, void> {
  for (const { roots } of trees) {
    const open = [...roots].reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      yield next;
      for (const child of next.children.toReversed()) open.push(child);
    }
  }
}

/** The caller: as the call names it, else the agent of its parent; undefined if unknown. */
export function callerOf({ call, parent }: CallNode): string | undefined {
  return call.from ?? parent?.call.agent;
}
