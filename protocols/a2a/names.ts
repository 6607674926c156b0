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
