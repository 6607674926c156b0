/** What asynchronous core functions take last. An AbortSignal fits it. */
export interface CancelSignal {
  readonly aborted: boolean;
}
