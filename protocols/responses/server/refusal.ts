import { defined } from '../../../core/text/fields.ts';
import {
  findEntry,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { ServedReply } from '../../serving/serving.ts';

/** An error of OpenAI's API: an HTTP status with `{"error":{"message","type","param","code"}}`. */
export interface Refusal {
  readonly status: number;
  /** What is wrong and what to do, as a sentence. */
  readonly message: string;
  /** The member of the request that is wrong. */
  readonly param?: string;
  readonly code?: string;
  /** When the agent may be asked again, if it says so. */
  readonly retryAfter?: string | undefined;
  /** The error as the agent sent it. */
  readonly data?: Value | undefined;
}

/** A request that is wrong. */
export function wrong(message: string, param?: string, code?: string): Refusal {
  return defined({ status: 400, message, param, code });
}

/** The body of a refusal. */
export function bodyOf({ status, message, param, code, data }: Refusal): DictValue {
  return dictOf({
    error: dictOf({
      message: textValue(message),
      type: textValue(typeOf(status)),
      param: param === undefined ? NULL : textValue(param),
      code: code === undefined ? NULL : textValue(code),
      data,
    }),
  });
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/**
 * The headers of a refusal. Clients of OpenAI repeat calls that failed with these statuses by themselves: they may when
 * the agent is busy, and must not when the call may have run.
 */
export function headersOf({ status, retryAfter = '1' }: Refusal): Readonly<Record<string, string>> {
  if (status === 429) return { 'retry-after': retryAfter };
  return status < 500 ? {} : { 'x-should-retry': 'false' };
}

/** The refusal for a reply that is an error; `error` is the error as Responses has it. */
export function refusalOf({ failure, retryAfter }: ServedReply, error: Value | undefined): Refusal {
  const stated = textIn(findEntry(error, 'code'));
  const message = textIn(findEntry(error, 'message')) ?? 'The agent failed';
  const own = failure && FAILURES.get(failure);
  const status = own?.status ?? statusOf(stated);
  const code = own?.code ?? stated;
  return defined({
    status: failure === 'refused' && status >= 500 ? 400 : status,
    message,
    retryAfter,
    code,
    data: findEntry(error, 'data'),
  });
}

const FAILURES: ReadonlyMap<string, { readonly status: number; readonly code: string }> = new Map([
  ['busy', { status: 429, code: 'rate_limit_exceeded' }],
  ['unreachable', { status: 502, code: 'agent_unreachable' }],
  ['timeout', { status: 504, code: 'timeout' }],
]);

/** The HTTP status for the code of an error. */
function statusOf(code: string | undefined): number {
  switch (code) {
    case '400':
    case '422':
      return 400;
    case '404':
      return 404;
    case '429':
    case 'rate_limit_exceeded':
      return 429;
    case '502':
      return 502;
    default:
      return 500;
  }
}
