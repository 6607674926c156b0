interface ResultRow {
  /** The member of version 1.0 that it stands in. */
  readonly name: string;
  /** Its `kind` in version 0.3. */
  readonly kind: string;
}

/** What a reply of Agent2Agent may hold, and an event of a stream. */
export const A2A_RESULTS = [
  { name: 'message', kind: 'message' },
  { name: 'task', kind: 'task' },
  { name: 'statusUpdate', kind: 'status-update' },
  { name: 'artifactUpdate', kind: 'artifact-update' },
] as const satisfies readonly ResultRow[];

export type A2aResultName = (typeof A2A_RESULTS)[number]['name'];

/** What version 1.0 writes before the name that a state of a task has in version 0.3. */
export const A2A_STATE_PREFIX = 'TASK_STATE_';
