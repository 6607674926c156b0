import { A2A_RESULTS } from './names.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { TraceName } from '../../core/events/events.ts';

/** Shorter ids of tasks, such as `1`, may be those of several agents: they join nothing. */
const LEAST_UNIQUE = 16;

/**
 * The tasks that a request or reply of A2A is about (A2A 1.0, sections 3.1 and 4.1): the one that it begins, goes on with, asks
 * for or tells of, and those that its message refers to. Calls about one task are one trace: it is asked for again and again.
 */
export function findTaskNames(message: Value): readonly TraceName[] {
  const [params, result] = [findEntry(message, 'params'), findEntry(message, 'result')];
  const told = [result, ...A2A_RESULTS.map(({ name }) => findEntry(result, name))];
  const sent = findEntry(params, 'message');
  const method = textIn(findEntry(message, 'method')) ?? '';
  const references = findEntry(sent, 'referenceTaskIds');
  const ids = [
    ...[sent, ...told].map(holder => findEntry(holder, 'taskId')),
    ...told.filter(holder => findEntry(holder, 'status')).map(holder => findEntry(holder, 'id')),
    ...(ABOUT_TASKS.test(method) ? ['id', 'taskId'].map(key => findEntry(params, key)) : []),
    ...(references?.kind === 'list' ? references.items : []),
  ].map(textIn);
  const unique = new Set(ids.filter(id => id !== undefined && id.length >= LEAST_UNIQUE));
  return [...unique].flatMap((trace): readonly TraceName[] =>
    trace === undefined ? [] : [{ scheme: 'a2a', trace }],
  );
}

/** `tasks/get` of version 0.3, `GetTask` of 1.0, and their likes. */
const ABOUT_TASKS = /^tasks\/|Task/;
