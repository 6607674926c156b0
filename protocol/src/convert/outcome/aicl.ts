import { findAiclError } from '../../catalog/aicl.ts';
import type { AiclReply } from '../../fold/aicl-reply.ts';
import type { Outcome } from '../../message/outcome.ts';
import { findMeaning } from '../errors/error-code.ts';

/** What an AICL reply amounts to: an `error` message is a failed call, with its reason and its detail. */
export function toOutcome({ error }: AiclReply): Outcome {
  if (!error) return { kind: 'result' };
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
