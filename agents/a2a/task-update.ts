import { stateName } from '../../protocols/a2a/results.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** An update of a task, from a reply. */
export interface PushedUpdate {
  readonly id: string;
  readonly contextId: string | undefined;
  /**
   * `asking` is a task that waits for the user: `input-required`, `auth-required`. Undefined if the reply has
   * no state.
   */
  readonly stage: 'running' | 'asking' | 'ended' | undefined;
  /** The state as version 0.3 names it. */
  readonly state: string;
  /** The text of its status. */
  readonly text: string;
}

const STAGES: ReadonlyMap<string, 'running' | 'asking'> = new Map([
  ['submitted', 'running'],
  ['working', 'running'],
  ['input-required', 'asking'],
  ['auth-required', 'asking'],
]);

/** The update of a task in a JSON-RPC reply of either version; undefined for a message, an error and anything else. */
export function readTaskUpdate(reply: Value | undefined): PushedUpdate | undefined {
  const result = findEntry(reply, 'result');
  const inner =
    ['task', 'statusUpdate', 'artifactUpdate']
      .map(name => findEntry(result, name))
      .find(each => each?.kind === 'dict') ?? result;
  const given = findEntry(inner, 'status');
  const status = given?.kind === 'dict' ? given : undefined;
  const id = textIn(findEntry(inner, 'taskId') ?? (status && findEntry(inner, 'id')));
  if (id === undefined || textIn(findEntry(inner, 'kind')) === 'message') return undefined;
  const state = stateName(textIn(findEntry(status, 'state')) ?? '');
  return {
    id,
    contextId: textIn(findEntry(inner, 'contextId')) || undefined,
    stage: state === '' ? undefined : (STAGES.get(state) ?? 'ended'),
    state,
    text: readWords(findEntry(findEntry(status, 'message'), 'parts')),
  };
}

function readWords(parts: Value | undefined): string {
  const listed = parts?.kind === 'list' ? parts.items : [];
  return listed
    .flatMap(part => textIn(findEntry(part, 'text')) ?? [])
    .join('\n')
    .trim();
}
