import type { AicfDocument } from '../../language/aicf/parse.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { RuleCode } from '../../core/catalog/rules.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import type { TextFault } from '../../language/values/text-layer.ts';
import { validateAicf } from '../../language/rules/aicf/validate.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { aicfMessageSteps } from '../../protocols/aicf/reader.ts';
import { histogramSteps, type Histogram } from '../../tensor/histogram.ts';
import { traceFileSteps, type TraceFile } from '../../trace/file.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import type { TraceTree } from '../../trace/fold/tree.ts';
import { callGraphSteps, type CallGraph } from '../../trace/graph/call-graph.ts';
import type { WholeCall } from '../../trace/graph/whole-calls.ts';

/** What the product does in slices or as events arrive, for tests that need the result alone. */

/** All issues of a file, in text order. */
export function checkAicf(doc: AicfDocument): readonly Issue<RuleCode>[] {
  return validateAicf({ ...doc, settings: { ...doc.settings, maxIssues: Infinity } });
}

type Step = Parameters<typeof aicfMessageSteps>;

export function readAicfMessages(
  text: string,
  conversion: Step[1],
  places?: Step[2]['places'],
): { readonly messages: readonly Parameters<Step[3]>[0][]; readonly faults: readonly TextFault[] } {
  const messages: Parameters<Step[3]>[0][] = [];
  const faults = runAtOnce(aicfMessageSteps(text, conversion, { places }, found => messages.push(found)));
  return { messages, faults: [...faults] };
}

export function histogramOf(...asked: Parameters<typeof histogramSteps>): Histogram {
  return runAtOnce(histogramSteps(...asked));
}

export function parseTraceFile(text: string): TraceFile {
  return runAtOnce(traceFileSteps(text));
}

export function foldTrace(events: Iterable<TraceEvent>): readonly TraceTree[] {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return fold.trees();
}

export function makeCallGraph<Call>(calls: readonly WholeCall<Call>[]): CallGraph<Call> {
  return runAtOnce(callGraphSteps(calls));
}
