import type { Protocols } from '../../protocol.ts';
import { isCurl, readCurl } from './curl.ts';
import { readHttpReply } from './http-reply.ts';

/** Messages from a clipboard as a text for conversion, or the reason why there are none. */
export type Pasted =
  | {
      readonly kind: 'ok';
      readonly text: string;
      readonly from: string | undefined;
      /** The address to which a cURL command sends it. */
      readonly url?: string;
      /** Parts of the clipboard that are not in the text, or were changed; sentences without a full stop. */
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'fault'; readonly problem: string };

/** Reads the clipboard: the body of a cURL command or of a server's reply with its head; any other text unchanged. */
export function readPasted(text: string, protocols: Protocols): Pasted {
  if (text.trim() === '') return { kind: 'fault', problem: 'There is no text on the clipboard' };
  if (isCurl(text)) {
    const curl = readCurl(text, protocols);
    return curl.kind === 'fault'
      ? curl
      : { kind: 'ok', text: curl.body, from: curl.from, url: curl.url, remarks: curl.remarks };
  }
  const reply = readHttpReply(text);
  if (!reply) return { kind: 'ok', text, from: undefined, remarks: [] };
  if (reply.body.trim() === '') return { kind: 'fault', problem: `The reply has no body: ${reply.status}` };
  return {
    kind: 'ok',
    text: reply.body,
    from: undefined,
    remarks: [`The head of the reply is left out: ${reply.status}`],
  };
}
