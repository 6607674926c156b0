/** W3C trace context, level 1: version, trace, parent, sampled. Undefined for ids of another form. */
export function printTraceparent(trace: string, call: string): string | undefined {
  return /^[0-9a-f]{32}$/.test(trace) && /^[0-9a-f]{16}$/.test(call) ? `00-${trace}-${call}-01` : undefined;
}
