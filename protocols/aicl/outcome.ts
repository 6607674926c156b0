import { findAiclError } from '../../core/catalog/aicl.ts';
import { protocolRow } from '../../core/catalog/protocols.ts';
import type { Outcome } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import type { AiclReply } from '../../language/aicl/replies/reply.ts';
import { findMeaning } from '../errors/error-code.ts';

/**
 * The outcome of an AICL reply: an `error` message is a failed call, with its reason and detail; a reply that
 * has only messages of unknown types is an error as well.
 */
export function toOutcome({ error, unknownType }: AiclReply): Outcome {
  if (!error) return unknownType === undefined ? { kind: 'result' } : describeUnknown(unknownType);
  const { code, reason, detail } = error;
  const stated = [reason, detail].filter(part => part !== undefined && part !== '').join(': ');
  const summary = findAiclError(Number(code))?.summary;
  return {
    kind: 'error',
    protocol: 'aicl',
    code,
    meaning: findMeaning(protocolRow('aicl').errors, code),
    text: stated || summary || 'The agent answered with an error and did not say why; look at its reply',
  };
}

function describeUnknown(type: string): Outcome {
  const text = `The agent answered with a message of the type ${quote(type)}, which AICL does not have; have it answer with a 'result' or an 'error'`;
  return { kind: 'error', protocol: 'aicl', code: 'UNKNOWN_TYPE', meaning: undefined, text };
}
