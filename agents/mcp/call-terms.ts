/** Why a call has no complete reply. */
export interface McpFailure {
  readonly kind: string;
  readonly code: string;
  /** One sentence: what was tried, what was received, and what to do. */
  readonly message: string;
}

/** How far a call got. */
export interface McpProgress {
  readonly isConnected: boolean;
  /** The status line of the reply to its last request over HTTP; undefined before it has arrived. */
  readonly statusLine: string | undefined;
  /** The number of bytes of that reply's body, or of a process's output. */
  readonly received: number;
}

/** The limits of a call, and the sentences about its end. */
export interface McpCallTerms {
  /** Milliseconds of silence, and for the whole call; time in which the user answers questions does not count. */
  readonly idle: number;
  readonly total: number | undefined;
  /** The maximum number of bytes that are stored after its end. */
  readonly maxLateBytes: number;
  /** Sentences about its end. */
  describeTimeout(kind: 'idle' | 'total', limit: number, progress: McpProgress): McpFailure;
  describeCancelled(progress: McpProgress): McpFailure;
}
