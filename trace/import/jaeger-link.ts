/** Where a trace is: the address of a Jaeger, and the id. */
export interface JaegerPlace {
  readonly url: string;
  readonly trace: string;
}

/** The trace that a link to a page of Jaeger names, `http://localhost:16686/trace/ID`; undefined for any other text. */
export function readJaegerLink(link: string): JaegerPlace | undefined {
  const match = /^(https?:\/\/[^?#]*?)\/trace\/([\da-f]{1,32})\/?(?:[?#].*)?$/i.exec(link.trim());
  return match ? { url: match[1] ?? '', trace: (match[2] ?? '').toLowerCase() } : undefined;
}

/** The id of a trace as Jaeger knows it; undefined for a text that is none. Groups may be divided by dashes. */
export function readTraceId(text: string): string | undefined {
  const id = text.trim().replaceAll('-', '').toLowerCase();
  return /^[\da-f]{1,32}$/.test(id) ? id : undefined;
}
