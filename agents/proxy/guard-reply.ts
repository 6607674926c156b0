import { findCode } from '../../protocols/errors/error-code.ts';
import type { Protocols } from '../../protocols/protocol.ts';
import type { RecognisedRequest } from '../../protocols/recognise/request.ts';
import { plainReply, type OwnReply } from './own-reply.ts';

/**
 * The reply to a call that the recursion guard refuses: the error of its protocol (reading of codes across
 * protocols, section 8), or HTTP 508 if the protocol is unknown. `text` is the text of the request.
 */
export function writeGuardReply(
  protocols: Protocols,
  { protocol, session }: RecognisedRequest,
  { text, why }: { readonly text: string; readonly why: string },
): OwnReply {
  const known = protocols.find(protocol);
  if (!known) return plainReply('508 Loop Detected', why);
  const code = findCode(known.facts.errors, 'recursion-guard');
  const reply = known.refuse({ text, session }, code, why);
  return { ...reply, ...(code === undefined ? {} : { code: String(code) }) };
}
