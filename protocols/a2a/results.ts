import { dictValue, findEntry, textIn, type Value } from '../../core/values/value.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { ReplyEvent } from '../event-stream/reply-events.ts';
import type { A2aVersion } from './parts.ts';

interface ResultRow {
  /** The member that wraps it in version 1.0. */
  readonly name: string;
  /** Its `kind` in version 0.3. */
  readonly kind: string;
}

/** What a reply of Agent2Agent, or an event of a stream, may contain. */
export const A2A_RESULTS = [
  { name: 'message', kind: 'message' },
  { name: 'task', kind: 'task' },
  { name: 'statusUpdate', kind: 'status-update' },
  { name: 'artifactUpdate', kind: 'artifact-update' },
] as const satisfies readonly ResultRow[];

export type A2aResultName = (typeof A2A_RESULTS)[number]['name'];

/** The prefix of task states in version 1.0; version 0.3 has the bare names. */
export const A2A_STATE_PREFIX = 'TASK_STATE_';

/** What a task's state means for a client that waits for the reply; `other` needs input, or is unknown. */
export type Progress = 'running' | 'completed' | 'failed' | 'other';

/** The states of tasks as version 0.3 names them. */
const STATES: ReadonlyMap<string, Progress> = new Map([
  ['submitted', 'running'],
  ['working', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
  ['rejected', 'failed'],
]);

/** The error text of a task that ended without a reply, for agents that give no reason. */
const FAILURES: ReadonlyMap<string, string> = new Map([
  ['failed', 'The task failed'],
  ['canceled', 'The task was canceled'],
  ['rejected', 'The agent rejected the task'],
]);

/** The progress in the status of a task, or of an event of one. */
export function progressOf(task: Value | undefined, version: A2aVersion): Progress {
  return STATES.get(stateOf(task, version)) ?? 'other';
}

/** The version 0.3 name of a state of either version. */
export function stateName(state: string): string {
  const name = state.startsWith(A2A_STATE_PREFIX) ? state.slice(A2A_STATE_PREFIX.length) : state;
  const written = name.toLowerCase().replaceAll('_', '-');
  // HTTP+JSON of version 0.3 spells it with two letters.
  return written === 'cancelled' ? 'canceled' : written;
}

/** True for a state in which a task takes no more messages (A2A 1.0, section 4.1.3). */
export function isEndState(state: string): boolean {
  const progress = STATES.get(stateName(state));
  return progress === 'completed' || progress === 'failed';
}

/** The state of a task by its version 0.3 name; empty if a version 1.0 state has no prefix. */
function stateOf(task: Value | undefined, version: A2aVersion): string {
  const state = textIn(findEntry(findEntry(task, 'status'), 'state')) ?? '';
  if (version === '0.3') return state;
  return state.startsWith(A2A_STATE_PREFIX) ? stateName(state) : '';
}

/** Why a task ended without a reply, never empty; undefined for a task that did not. */
export function failureText(task: Value | undefined, version: A2aVersion): string | undefined {
  const words = FAILURES.get(stateOf(task, version));
  if (words === undefined) return undefined;
  const parts = findEntry(findEntry(findEntry(task, 'status'), 'message'), 'parts');
  const items = parts?.kind === 'list' ? parts.items : [];
  const stated = items.flatMap(part => textIn(findEntry(part, 'text')) ?? []).join('\n');
  return stated.trim() === '' ? words : stated;
}

/** The methods that send a message, with their versions. */
export const MESSAGE_METHODS: ReadonlyMap<string, A2aVersion> = new Map([
  ['SendMessage', '1.0'],
  ['SendStreamingMessage', '1.0'],
  ['message/send', '0.3'],
  ['message/stream', '0.3'],
]);

/**
 * Puts the task of a `GetTask` reply into the form of the answer to a message: 1.0 wraps it in `task`. Other replies
 * stay unchanged.
 */
export function asAnswer(reply: ReplyEvent): ReplyEvent {
  const { exactValue: value } = reply;
  const result = findEntry(value, 'result');
  const isBare = findEntry(result, 'status') !== undefined && findEntry(result, 'kind') === undefined;
  if (value?.kind !== 'dict' || !result || !isBare) return reply;
  const task = dictValue([{ key: 'task', value: result }]);
  const answer = dictValue(
    value.entries.map(each => (each.key === 'result' ? { key: 'result', value: task } : each)),
  );
  return new ReplyEvent(printForAgent(answer), answer);
}
