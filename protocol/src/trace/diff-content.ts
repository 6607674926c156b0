/** Members that are made anew for every call, wherever they stand. */
const MADE_ANEW: ReadonlySet<string> = new Set([
  'trace_id',
  'traceparent',
  'tracestate',
  'traceId',
  'X-OpenStarry-Trace-ID',
  'session_id',
  'contextId',
  'taskId',
  'messageId',
  'message_id',
  'msg_id',
  'item_id',
  'response_id',
  'previous_response_id',
  'call_id',
  'created_at',
  'completed_at',
  'timestamp',
  'sequence_number',
  'progressToken',
]);

/** An id that a program made: a UUID, or letters and an underscore before many digits. */
const MADE_ID = /^"(?:[A-Za-z]+[_-][0-9a-fA-F-]{8,}|[0-9a-fA-F]{4}[0-9a-fA-F-]{8,})"$/;

/** The session of an AICL message, which answers repeat. */
const AICL_SESSION = /(\[s:session_id\]:\[s:)((?:[^\]\\]|\\[^])*)\]/g;

const TOKEN = /"(?:[^"\\]|\\[^])*"|[{}[\]:,]|[^\s{}[\]:,"]+|"/g;

/**
 * What a request or reply says, without what is made anew each time: ids, trace names and times. Each of those is
 * replaced by the number in which it first appears, so that two texts that use their ids alike are alike. Two texts are
 * the same content if these are equal. Work: linear in the text.
 */
export function comparableText(text: string): string {
  const numbers = new Map<string, number>();
  const number = (value: string): string => {
    const known = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, known);
    return `‹${known}›`;
  };
  const parts: string[] = [];
  let from = 0;
  for (const { at, value } of findMadeAnew(text)) {
    parts.push(text.slice(from, at), number(value));
    from = at + value.length;
  }
  parts.push(text.slice(from));
  return parts.join('').replace(AICL_SESSION, (_, before: string, id: string) => `${before}${number(id)}]`);
}

interface Found {
  readonly at: number;
  readonly value: string;
}

/** The values of JSON members that are made anew, in order. */
function* findMadeAnew(text: string): Generator<Found> {
  let depth = 0;
  let last: string | undefined;
  let key: string | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    else if (token === ':' && last?.startsWith('"')) key = last.slice(1, -1);
    else if (token !== ',' && token !== ':') {
      if (key !== undefined && isMadeAnew(key, token, depth)) yield { at: index, value: token };
    }
    if (token !== ':') key = undefined;
    last = token;
  }
}

function isMadeAnew(key: string, value: string, depth: number): boolean {
  if (key === 'id') return depth === 1 || MADE_ID.test(value);
  return MADE_ANEW.has(key);
}
