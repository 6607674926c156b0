import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { isCurl, readCurl } from './curl.ts';
import { readHttpReply } from './http-reply.ts';

/** Messages from a clipboard in a form that can be converted, or why there are none. */
export type Pasted =
  | {
      readonly kind: 'ok';
      readonly text: string;
      readonly from: ConversionName | undefined;
      /** What of the clipboard is not in the text, or not as it was; sentences without a full stop. */
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'fault'; readonly problem: string };

/** Reads the clipboard: of a cURL command and of a server's reply with its head the body, any other text unchanged. */
export function readPasted(text: string): Pasted {
  if (text.trim() === '') return { kind: 'fault', problem: 'There is no text on the clipboard' };
  if (isCurl(text)) {
    const curl = readCurl(text);
    return curl.kind === 'fault'
      ? curl
      : { kind: 'ok', text: curl.body, from: curl.from, remarks: curl.remarks };
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
