import { OTLP_PROTOBUF, OTLP_TYPES, type OtlpEncoding } from './otlp-messages.ts';

/** The answer to a request of OTLP over HTTP. */
export interface OtlpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** All spans were accepted except `rejected` ones; `message` says why, or what else the sender should know. */
export function answerTaken(encoding: OtlpEncoding, rejected: number, message: string): OtlpAnswer {
  const partialSuccess = {
    ...(rejected === 0 ? {} : { rejectedSpans: String(rejected) }),
    ...(message === '' ? {} : { errorMessage: message }),
  };
  const value = rejected === 0 && message === '' ? {} : { partialSuccess };
  return print(200, encoding, 'Answer', value);
}

/** Nothing was accepted, and the sender should not repeat the request. `message` is a sentence for the user. */
export function answerRefused(status: number, encoding: OtlpEncoding, message: string): OtlpAnswer {
  return print(status, encoding, 'RpcStatus', { code: INVALID_ARGUMENT, message });
}

/** The gRPC code for a fault of the sender. */
const INVALID_ARGUMENT = 3;

function print(
  status: number,
  encoding: OtlpEncoding,
  message: 'Answer' | 'RpcStatus',
  value: object,
): OtlpAnswer {
  const body = encoding === 'json' ? JSON.stringify(value) : OTLP_PROTOBUF.encode(message, value);
  return { status, type: OTLP_TYPES[encoding], body };
}
