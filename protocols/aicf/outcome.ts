import type { AicfReply } from '../../language/aicf/reply-stream.ts';
import type { Outcome } from '../../core/message/message.ts';
import { readFields } from '../../core/text/fields.ts';
import { protocolRow } from '../../core/catalog/protocols.ts';
import { findMeaning } from '../errors/error-code.ts';

/**
 * The outcome of an AICF reply: `ERR` is a failed call, and so is data with `{"success":false,"error":…}`
 * (reading of AICF-RPC 2.3).
 */
export function toOutcome(reply: AicfReply): Outcome {
  if (reply.error) {
    const { code, message } = reply.error;
    return failure(
      code === '' ? undefined : code,
      message || `The agent answered ERR|${code} without a message`,
    );
  }
  const result = readFields(reply.value);
  if (result?.get('success') !== false) return { kind: 'result' };
  const error = result.get('error');
  const stated = readFields(error)?.get('message') ?? error;
  const text = typeof stated === 'string' ? stated : '';
  return failure(
    undefined,
    text || 'The agent answered "success":false and did not say why; look at its reply',
  );
}

function failure(code: string | undefined, text: string): Outcome {
  return {
    kind: 'error',
    protocol: 'aicf',
    code,
    meaning: findMeaning(protocolRow('aicf').errors, code, text),
    text,
  };
}
