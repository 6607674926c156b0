import type { Message, Outcome } from '../../../core/message/message.ts';
import { findEntry, textIn, type Value } from '../../../core/values/value.ts';
import { findMeaning } from '../../errors/error-code.ts';
import type { Protocol } from '../../protocol.ts';

/** An error of an agent as the outcome of its reply; `word` replaces a code that it does not have. */
export function toErrorOutcome({ facts }: Protocol, { fields }: Message, word: string | undefined): Outcome {
  const code = printCode(fields.code) ?? word;
  const said = textIn(fields.text) ?? textIn(findEntry(fields.data, 'message')) ?? '';
  return {
    kind: 'error',
    protocol: facts.name,
    code,
    meaning: findMeaning(facts.errors, code),
    text: said || 'The agent answered with an error and did not say why; look at its reply',
  };
}

function printCode(code: Value | undefined): string | undefined {
  if (code?.kind === 'int') return String(code.int);
  return textIn(code);
}
