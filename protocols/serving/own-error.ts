import type { ProtocolRow } from '../../core/catalog/protocols.ts';
import { message, type Message } from '../../core/message/message.ts';
import { intValue, textIn, textValue } from '../../core/values/value.ts';
import { findCode, findMeaning } from '../errors/error-code.ts';
import type { MessageProtocols } from '../protocol.ts';
import type { ServedReply } from './serving.ts';

/**
 * The message of a reply. An error that is not the agent's own gets the code of a protocol: one address may be served
 * in two protocols, and such an error belongs to the one of its caller.
 */
export function ownError(
  { name, errors }: ProtocolRow,
  { message: sent, failure }: ServedReply,
  protocols: MessageProtocols,
): Message {
  const written = textIn(sent.fields.protocol);
  if (sent.kind !== 'error' || failure === undefined || written === name) return sent;
  const { code } = sent.fields;
  const shown = code?.kind === 'int' ? String(code.int) : textIn(code);
  const text = textIn(sent.fields.text);
  const meaning = findMeaning(protocols.errorFacts(written), shown, text) ?? 'tool-failed';
  const own = findCode(errors, meaning);
  return message('error', {
    protocol: textValue(name),
    code: own === undefined ? undefined : intValue(own),
    text: sent.fields.text,
  });
}
