import { OTLP_PROTOBUF, OTLP_TYPES, type OtlpEncoding } from './otlp-messages.ts';

/** What a request of OTLP over HTTP is answered with. */
export interface OtlpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** Everything was taken, or all but so many spans; the message says why, or what else the sender should know. */
export function answerTaken(encoding: OtlpEncoding, rejected: number, message: string): OtlpAnswer {
  const partialSuccess = {
    ...(rejected === 0 ? {} : { rejectedSpans: String(rejected) }),
    ...(message === '' ? {} : { errorMessage: message }),
  };
  const value = rejected === 0 && message === '' ? {} : { partialSuccess };
  return print(200, encoding, 'Answer', value);
}

/** Nothing was taken: the sender should not repeat it. `message` is a sentence for a person. */
export function answerRefused(status: number, encoding: OtlpEncoding, message: string): OtlpAnswer {
  return print(status, encoding, 'RpcStatus', { code: INVALID_ARGUMENT, message });
}

/** The code of gRPC for what the sender did wrong. */
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
