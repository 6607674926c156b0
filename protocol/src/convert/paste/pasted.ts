import type { ConversionName } from '../../catalog/conversions.ts';
import { findLayer } from '../detect.ts';
import { readJsonPieces, readJsonValue } from '../text/json-reader.ts';
import { isCurl, readCurl } from './curl.ts';
import { looksLikePython, readPythonLiterals } from './python-literal.ts';

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

/** What stands on a clipboard: a cURL command by its body, Python's values as JSON, all else as it is. */
export function readPasted(text: string): Pasted {
  if (text.trim() === '') return { kind: 'fault', problem: 'There is no text on the clipboard' };
  if (isCurl(text)) {
    const curl = readCurl(text);
    if (curl.kind === 'fault') return curl;
    const body = readBody(curl.body);
    if (body.kind === 'fault') return body;
    return { ...body, from: curl.from, remarks: [...curl.remarks, ...body.remarks] };
  }
  return readBody(text);
}

function readBody(text: string): Pasted {
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
