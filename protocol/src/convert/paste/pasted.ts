import type { ConversionName } from '../../catalog/conversions.ts';
import { findLayer } from '../detect.ts';
import { readJsonPieces, readJsonValue } from '../text/json-reader.ts';
import { isCurl, readCurl } from './curl.ts';
import { readHttpReply } from './http-reply.ts';
import { looksLikePython, readPythonLiterals } from './python-literal.ts';
import { readPythonTexts } from './python-text.ts';

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

/**
 * What stands on a clipboard: a cURL command by its body, as is a server's reply with its head; Python's values as JSON and
 * its texts by what they say; all else as it is.
 */
export function readPasted(text: string): Pasted {
  if (text.trim() === '') return { kind: 'fault', problem: 'There is no text on the clipboard' };
  if (isCurl(text)) {
    const curl = readCurl(text);
    if (curl.kind === 'fault') return curl;
    const body = readBody(curl.body);
    if (body.kind === 'fault') return body;
    return { ...body, from: curl.from, remarks: [...curl.remarks, ...body.remarks] };
  }
  const reply = readHttpReply(text);
  if (!reply) return readBody(text);
  if (reply.body.trim() === '') return { kind: 'fault', problem: `The reply has no body: ${reply.status}` };
  const body = readBody(reply.body);
  if (body.kind === 'fault') return body;
  const remark = `The head of the reply is left out: ${reply.status}`;
  return { ...body, remarks: [remark, ...body.remarks] };
}

function readBody(text: string): Pasted {
  const texts = readPythonTexts(text);
  if (texts?.kind === 'fault') return texts;
  return readValues(texts?.text ?? text);
}

function readValues(text: string): Pasted {
  const asItIs: Pasted = { kind: 'ok', text, from: undefined, remarks: [] };
  const layer = findLayer(text);
  if (layer === 'aicl' || layer === 'aicf' || !PYTHON_START.test(text)) return asItIs;
  const looks = looksLikePython(text);
  const isJson = readJsonPieces(text).faults.length === 0;
  // The reader of JSON lets Python's words pass, and knows nothing of its escapes.
  if (isJson && (!looks || readJsonValue(text))) return asItIs;
  const python = readPythonLiterals(text);
  if (python.kind === 'ok')
    return { kind: 'ok', text: python.json, from: undefined, remarks: python.remarks };
  return looks && !isJson ? python : asItIs;
}

/** A bracket, or a name that a value is given to. */
const PYTHON_START = /^\s*(?:[A-Za-z_]\w*\s*=\s*)?[{[(]/;
