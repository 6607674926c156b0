/** A server's reply with its head, as `curl -i` prints it. */
export interface HttpReply {
  readonly body: string;
  /** `HTTP/1.1 200 OK`, the status line before the body. */
  readonly status: string;
}

/** A head: a status line (RFC 9112, section 4; in HTTP/2 without a reason phrase), fields, and a blank line. */
const HEAD =
  /[ \t]*(HTTP\/\d(?:\.\d)? [1-5]\d\d[^\r\n]*)(?:\r?\n[!#$%&'*+.^`|~\w-]+:[^\r\n]*)*(?:\r?\n[ \t]*\r?\n|\r?\n?$)/y;
const BLANK_LINES = /(?:[ \t]*\r?\n)*/y;

/**
 * Reads a text that is a server's reply with its head; undefined for any other. If there are several heads,
 * such as those of a proxy, of `100 Continue` and of redirects, the last one counts. Linear.
 */
export function readHttpReply(text: string): HttpReply | undefined {
  BLANK_LINES.lastIndex = 0;
  let at = BLANK_LINES.exec(text)?.[0].length ?? 0;
  let status: string | undefined;
  for (;;) {
    HEAD.lastIndex = at;
    const head = HEAD.exec(text);
    if (!head) break;
    at += head[0].length;
    status = head[1]?.trimEnd();
  }
  return status === undefined ? undefined : { status, body: text.slice(at) };
}
