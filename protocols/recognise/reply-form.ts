import { findLayer } from '../convert/detect.ts';
import { readJsonPieces } from '../../language/values/json-reader.ts';
import { isSse } from '../../language/values/sse.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Protocol } from '../protocol.ts';

/** Why a reply is none that its caller can have wanted. */
export interface ReplyFault {
  readonly status: 'error' | 'incomplete';
  readonly message: string;
}

/** What is wrong with the form of a whole body; undefined where it may be a reply of the protocol, or is empty. Linear. */
export function findFormFault(protocol: Protocol | undefined, text: string): ReplyFault | undefined {
  if (!protocol || text.trim() === '') return undefined;
  const { language: layer, title } = protocol.facts;
  if (findLayer(text) !== layer)
    return {
      status: 'error',
      message: `What the agent answered is no reply of ${title}`,
    };
  if (layer !== 'json' || isSse(text) || parseJson(text.replace(/^\u{feff}/u, '')) !== undefined)
    return undefined;
  const { pieces, faults } = readJsonPieces(text);
  // Several values, one after the other, are more than one reply and each of them whole.
  if (pieces.length > 1) return undefined;
  return {
    status: 'incomplete',
    message: `The reply is not whole: ${faults[0]?.message ?? 'it is no JSON'}`,
  };
}
