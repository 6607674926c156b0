/** A reply from the recording in place of the agent's. */
export interface OwnReply {
  /** `508 Loop Detected`. */
  readonly line: string;
  readonly contentType: string;
  readonly body: string;
  /** The protocol's own error code in the body. */
  readonly code?: string;
}

export const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** A reply in plain text: one sentence under a status line. */
export function plainReply(line: string, sentence: string): OwnReply {
  return { line, contentType: PLAIN_TEXT, body: `${sentence}\n` };
}

/** The reply as it is sent; it is the last one of its connection. */
export function printLastReply({ line, contentType, body }: OwnReply): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${line}\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}
