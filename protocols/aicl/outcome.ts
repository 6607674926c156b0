import { findAiclError } from '../../core/catalog/aicl.ts';
import type { AiclReply } from '../../language/aicl/replies/reply.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import { quote } from '../../core/text/quote.ts';
import { findMeaning } from '../errors/error-code.ts';

/**
 * What an AICL reply amounts to: an `error` message is a failed call, with its reason and its detail; so is a reply of nothing but
 * messages of unknown types.
 */
export function toOutcome({ error, unknownType }: AiclReply): Outcome {
  if (!error) return unknownType === undefined ? { kind: 'result' } : describeUnknown(unknownType);
  const { code, reason, detail } = error;
  const said = [reason, detail].filter(part => part !== undefined && part !== '').join(': ');
  const summary = findAiclError(Number(code))?.summary;
  return {
    kind: 'error',
    protocol: 'aicl',
    code,
    meaning: findMeaning('aicl', code),
    text: said || summary || 'The agent answered with an error and did not say why; look at its reply',
  };
}

function describeUnknown(type: string): Outcome {
  const text = `The agent answered with a message of the type ${quote(type)}, which AICL does not have; have it answer with a 'result' or an 'error'`;
  return { kind: 'error', protocol: 'aicl', code: 'UNKNOWN_TYPE', meaning: undefined, text };
}
