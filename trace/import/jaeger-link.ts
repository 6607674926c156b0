/** A trace in a Jaeger: its URL, and the trace id. */
export interface JaegerPlace {
  readonly url: string;
  readonly trace: string;
}

/** The trace in a link to a page of Jaeger, `http://localhost:16686/trace/ID`; undefined for any other text. */
export function readJaegerLink(link: string): JaegerPlace | undefined {
  const match = /^(https?:\/\/[^?#]*?)\/trace\/([\da-f]{1,32})\/?(?:[?#].*)?$/i.exec(link.trim());
  return match ? { url: match[1] ?? '', trace: (match[2] ?? '').toLowerCase() } : undefined;
}

/** A trace id in Jaeger's form; undefined for any other text. Dashes between groups are removed. */
export function readTraceId(text: string): string | undefined {
  const id = text.trim().replaceAll('-', '').toLowerCase();
  return /^[\da-f]{1,32}$/.test(id) ? id : undefined;
}
