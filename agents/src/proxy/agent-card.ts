/** A reply as a recording may change it, where it was asked to. */
export interface RewrittenCard {
  readonly bytes: Buffer;
  /** What was done, a sentence. */
  readonly note: string;
}

/**
 * The reply with an A2A agent's card, in which addresses of the agent itself become those of the recording, so that callers who
 * follow the card pass it. `bytes` begin with the reply; what comes behind it stays. A reply whose length no header tells, or
 * that is compressed, stays as it is.
 */
export function rewriteCard(bytes: Buffer, agent: URL, recording: string): RewrittenCard {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head)?.[1];
  if (length === undefined || /\r\ncontent-encoding:/i.test(head))
    return {
      bytes,
      note: 'The agent card could not be rewritten: its reply is compressed, or has no Content-Length',
    };
  const card = bytes.toString('latin1', end, end + Number(length));
  const written = namesOf(agent).reduce((text, origin) => replaceOrigin(text, origin, recording), card);
  const sized = head.replace(/(\r\ncontent-length:[ \t]*)\d+/i, `$1${written.length}`);
  return {
    bytes: Buffer.concat([Buffer.from(sized + written, 'latin1'), bytes.subarray(end + Number(length))]),
    note: `The addresses of the agent in its card were replaced by ${recording}; what is kept here is the card as it came`,
  };
}

/** The names under which an agent may know itself. */
function namesOf({ origin, protocol, hostname, port }: URL): readonly string[] {
  if (!['localhost', '127.0.0.1', '[::1]', '0.0.0.0'].includes(hostname)) return [origin];
  const end = port === '' ? '' : `:${port}`;
  return ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'].map(name => `${protocol}//${name}${end}`);
}

/** Where an origin is a whole one: `http://a:80` is none in `http://a:8080`. */
function replaceOrigin(text: string, origin: string, by: string): string {
  const parts = text.split(origin);
  return parts.reduce((done, part) => done + (/^[/"\\?#]/.test(part) ? by : origin) + part);
}
