import type { AicfReply } from '../../language/aicf/reply-stream.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { readFields } from '../../core/text/fields.ts';
import { findMeaning } from '../errors/error-code.ts';

/**
 * What an AICF reply amounts to: `ERR` is a failed call, and so is data that says so itself,
 * `{"success":false,"error":…}` (reading of AICF-RPC 2.3).
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
  const said = readFields(error)?.get('message') ?? error;
  const text = typeof said === 'string' ? said : '';
  return failure(
    undefined,
    text || 'The agent answered "success":false and did not say why; look at its reply',
  );
}

function failure(code: string | undefined, text: string): Outcome {
  return { kind: 'error', protocol: 'aicf', code, meaning: findMeaning('aicf', code), text };
}
