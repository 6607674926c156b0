import type { Reply } from '../../../agents/connection.ts';

/** How a call ended, such as `error 422: the message`. A code that only repeats the status is left out. */
export function describeEnd({ status, code, message }: Reply): string {
  const outcome = code === undefined || code.toLowerCase() === status ? status : `${status} ${code}`;
  return message === undefined ? outcome : `${outcome}: ${message}`;
}
