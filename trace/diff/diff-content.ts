import { findQuote, findUnescaped } from '../../core/text/json.ts';

/** Members with new values in every call, at any depth. */
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
  'sequence_number',
  'progressToken',
]);

/** Members with times. Whether two of them fall into the same second is chance. */
const TIMES: ReadonlySet<string> = new Set(['created_at', 'completed_at', 'timestamp']);

/** A generated id: a UUID, or letters and an underscore before many digits. */
const MADE_ID = /^"(?:[A-Za-z]+[_-][0-9a-fA-F-]{8,}|[0-9a-fA-F]{4}[0-9a-fA-F-]{8,})"$/;

/** The text before the session of an AICL message, which replies repeat. */
const AICL_SESSION = '[s:session_id]:[s:';

/** Matches a sign of JSON, or text between signs and white space. */
const TOKEN = /["{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * A request or reply without values that are new in every call: ids, trace names and times. Times are left
 * out. Each other is replaced by a number, in the order of first appearance, so that two texts that use their ids alike
 * become equal.
 * Texts with equal results have the same content. Linear in the text.
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
  for (const { at, value, isTime } of findMadeAnew(text)) {
    parts.push(text.slice(from, at), isTime ? '‹time›' : number(value));
    from = at + value.length;
  }
  parts.push(text.slice(from));
  return numberSessions(parts.join(''), number);
}

function numberSessions(text: string, number: (value: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(AICL_SESSION); at >= 0; at = text.indexOf(AICL_SESSION, from)) {
    const start = at + AICL_SESSION.length;
    const end = findUnescaped(text, ']', start);
    if (end < 0) break;
    parts.push(text.slice(from, start), number(text.slice(start, end)));
    from = end;
  }
  return [...parts, text.slice(from)].join('');
}

interface Found {
  readonly at: number;
  readonly value: string;
  readonly isTime: boolean;
}

/** The values of JSON members that are new in every call, in order. */
function* findMadeAnew(text: string): Generator<Found> {
  let depth = 0;
  let last: string | undefined;
  let key: string | undefined;
  for (const { token, at } of listTokens(text)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    else if (token === ':' && last?.startsWith('"')) key = last.slice(1, -1);
    else if (token !== ',' && token !== ':') {
      const isTime = key !== undefined && TIMES.has(key);
      if (key !== undefined && (isTime || isMadeAnew(key, token, depth))) yield { at, value: token, isTime };
    }
    if (token !== ':') key = undefined;
    last = token;
  }
}

/** Lists the tokens. Strings are scanned without the regular expression, which cannot match very long ones. */
function* listTokens(text: string): Generator<{ readonly token: string; readonly at: number }, void> {
  let isOpen = false;
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const { 0: sign, index: at } = match;
    const end = sign === '"' && !isOpen ? findQuote(text, at) : at;
    // After an unclosed string, no further string can end, so its quote is not searched again.
    if (end < 0) isOpen = true;
    else tokens.lastIndex = Math.max(tokens.lastIndex, end + 1);
    yield { token: end > at ? text.slice(at, end + 1) : sign, at };
  }
}

function isMadeAnew(key: string, value: string, depth: number): boolean {
  if (key === 'id') return depth === 1 || MADE_ID.test(value);
  return MADE_ANEW.has(key);
}
