/** A reply that a recording gives in an agent's place. */
export interface OwnReply {
  /** `508 Loop Detected`. */
  readonly line: string;
  readonly contentType: string;
  readonly body: string;
  /** The protocol's own code in it. */
  readonly code?: string;
}

export const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** A sentence under a status. */
export function sayPlainly(line: string, sentence: string): OwnReply {
  return { line, contentType: PLAIN_TEXT, body: `${sentence}\n` };
}

/** The reply as it goes over the wire, the last one of its connection. */
export function printLastReply({ line, contentType, body }: OwnReply): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${line}\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}
