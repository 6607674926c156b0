/** A chunk of a stream, as its stream id names it. */
export interface StreamId {
  readonly stream: string;
  /** The k-th chunk of n, counted from 1. */
  readonly k: number;
  readonly n: number;
}

/** Reads `name_k/n` with 1 <= k <= n (reading of LightAICL 3.3); undefined for any other form. */
export function parseStreamId(source: string): StreamId | undefined {
  const [, stream, k, n] = /^(.+)_(\d{1,15})\/(\d{1,15})$/s.exec(source) ?? [];
  if (stream === undefined || Number(k) < 1 || Number(k) > Number(n)) return undefined;
  return { stream, k: Number(k), n: Number(n) };
}
