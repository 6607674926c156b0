import { readFields } from '../../../protocol/src/text/fields.ts';

/** What a reply tells of the task that it is about. */
export interface TaskNews {
  readonly id: string;
  readonly contextId: string | undefined;
  /** `asking` is a task that waits for the user: `input-required`, `auth-required`. Undefined where the reply says nothing of it. */
  readonly stage: 'running' | 'asking' | 'ended' | undefined;
  /** The state as version 0.3 names it. */
  readonly state: string;
  /** What its status says in words. */
  readonly said: string;
}

const STAGES: ReadonlyMap<string, 'running' | 'asking'> = new Map([
  ['submitted', 'running'],
  ['working', 'running'],
  ['input-required', 'asking'],
  ['auth-required', 'asking'],
]);

/** The news of a task in a JSON-RPC reply of either version; undefined for a message, an error and all else. */
export function readTaskNews(reply: unknown): TaskNews | undefined {
  const result = readFields(readFields(reply)?.get('result'));
  const inner =
    ['task', 'statusUpdate', 'artifactUpdate'].map(name => readFields(result?.get(name))).find(Boolean) ??
    result;
  const status = readFields(inner?.get('status'));
  const id = inner?.get('taskId') ?? (status && inner?.get('id'));
  if (!inner || typeof id !== 'string' || inner.get('kind') === 'message') return undefined;
  const contextId = inner.get('contextId');
  const given = status?.get('state');
  const state =
    typeof given === 'string'
      ? given
          .replace(/^TASK_STATE_/, '')
          .toLowerCase()
          .replaceAll('_', '-')
      : '';
  return {
    id,
    contextId: typeof contextId === 'string' && contextId !== '' ? contextId : undefined,
    stage: state === '' ? undefined : (STAGES.get(state) ?? 'ended'),
    state,
    said: readWords(readFields(status?.get('message'))?.get('parts')),
  };
}

function readWords(parts: unknown): string {
  const listed: readonly unknown[] = Array.isArray(parts) ? parts : [];
  return listed
    .map(part => readFields(part)?.get('text'))
    .filter(text => typeof text === 'string')
    .join('\n')
    .trim();
}
