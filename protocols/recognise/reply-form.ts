import { findLayer } from './detect.ts';
import { readJsonPieces } from '../../language/values/json-reader.ts';
import { isSse } from '../../core/text/event-stream.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Protocol } from '../protocol.ts';

/** Why a reply is not one that its caller can use. */
export interface ReplyFault {
  readonly status: 'error' | 'incomplete';
  readonly message: string;
}

/** The fault in the form of a whole body; undefined for a possible reply of the protocol, or an empty body. Linear. */
export function findFormFault(protocol: Protocol | undefined, text: string): ReplyFault | undefined {
  if (!protocol || text.trim() === '') return undefined;
  const { language: layer, title } = protocol.facts;
  if (findLayer(text) !== layer)
    return {
      status: 'error',
      message: `The agent's answer is not a reply of ${title}`,
    };
  if (layer !== 'json' || isSse(text) || parseJson(text.replace(/^\u{feff}/u, '')) !== undefined)
    return undefined;
  const { pieces, faults } = readJsonPieces(text);
  // Several values are several complete replies.
  if (pieces.length > 1) return undefined;
  return {
    status: 'incomplete',
    message: `The reply is incomplete: ${faults[0]?.message ?? 'it is not JSON'}`,
  };
}
