import { A2A_RESULTS } from './results.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { TraceName } from '../../core/events/events.ts';

/** Shorter ids, such as `1`, may occur at several agents; alone they join no traces. */
const LEAST_UNIQUE = 16;

/**
 * The tasks of an A2A request or reply (A2A 1.0, sections 3.1 and 4.1): the one that it starts, continues, queries or
 * reports, and those that its message refers to. All calls about one task, such as repeated polls, belong to one trace.
 */
export function findTaskNames(message: Value): readonly TraceName[] {
  const [params, result] = [findEntry(message, 'params'), findEntry(message, 'result')];
  const reported = [result, ...A2A_RESULTS.map(({ name }) => findEntry(result, name))];
  const sent = findEntry(params, 'message');
  const method = textIn(findEntry(message, 'method')) ?? '';
  const references = findEntry(sent, 'referenceTaskIds');
  const context = [sent, ...reported].map(holder => textIn(findEntry(holder, 'contextId'))).find(Boolean);
  const ids = [
    ...[sent, ...reported].map(holder => findEntry(holder, 'taskId')),
    ...reported.filter(holder => findEntry(holder, 'status')).map(holder => findEntry(holder, 'id')),
    ...(ABOUT_TASKS.test(method) ? ['id', 'taskId'].map(key => findEntry(params, key)) : []),
    ...(references?.kind === 'list' ? references.items : []),
  ].map(textIn);
  const unique = new Set(ids.map(id => (id ? uniqueName(id, context) : undefined)));
  return [...unique].flatMap((trace): readonly TraceName[] =>
    trace === undefined ? [] : [{ scheme: 'a2a', trace }],
  );
}

/** A task id that no other agent has; a short one together with its context. */
function uniqueName(id: string, context: string | undefined): string | undefined {
  if (id.length >= LEAST_UNIQUE) return id;
  return context !== undefined && context.length >= LEAST_UNIQUE ? `${context} ${id}` : undefined;
}

/** `tasks/get` of version 0.3, `GetTask` of 1.0, and similar methods. */
const ABOUT_TASKS = /^tasks\/|Task/;
