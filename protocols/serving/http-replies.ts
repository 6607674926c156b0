import type { CallerReply, CallFailure } from './serving.ts';

/** The content types of replies. */
export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const EVENTS_TYPE = 'text/event-stream; charset=utf-8';

/** The HTTP statuses of calls without an answer of the agent, in protocols whose errors say nothing about HTTP. */
const STATUSES: Readonly<Partial<Record<CallFailure, number>>> = {
  busy: 503,
  unreachable: 502,
  timeout: 504,
};

/** The HTTP status of a reply without an answer of the agent; undefined where the reply says all there is to say. */
export function statusOf(failure: CallFailure | undefined): number | undefined {
  return failure && STATUSES[failure];
}

/** Headers of a reply with a status: a caller of a busy agent is asked to wait. */
export function headersOf(status: number): Readonly<Record<string, string>> {
  return status === STATUSES.busy ? { 'retry-after': '1' } : {};
}

/** Writes an event of a stream of server-sent events, whose data are one line in parts. */
export function writeEvent(
  reply: Pick<CallerReply, 'write'>,
  [first = '', ...others]: readonly string[],
  name?: string,
  headers?: Readonly<Record<string, string>>,
): void {
  const begin = `${name === undefined ? '' : `event: ${name}\n`}data: ${first}`;
  const last = others.pop();
  if (last === undefined) return reply.write(EVENTS_TYPE, `${begin}\n\n`, headers);
  reply.write(EVENTS_TYPE, begin, headers);
  for (const part of others) reply.write(EVENTS_TYPE, part);
  reply.write(EVENTS_TYPE, `${last}\n\n`);
}
