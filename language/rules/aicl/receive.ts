import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import type { Issue } from '../../../core/text/issue.ts';
import type { Value } from '../../../core/values/value.ts';
import { parseAicl } from '../../aicl/parse.ts';
import type { Unit } from '../../aicl/unit.ts';
import { readAiclPieces } from '../../values/aicl-reader.ts';
import { checkAiclUnit } from './unit.ts';

/** A part of a text, judged as a receiver that follows LightAICL 1.0 strictly judges it. */
export interface ReceivedPart {
  /** Empty if the part has none. */
  readonly session: string;
  /** Empty if the part has none. */
  readonly messageType: string;
  /** The first error of the part, for which it must be refused. */
  readonly error: Issue | undefined;
  /** The message; undefined for a part that is refused or is not a message. */
  readonly message: Value | undefined;
}

/** The first parts of a text, and the number of all of them. */
export interface ReceivedText {
  readonly parts: readonly ReceivedPart[];
  readonly count: number;
}

/** Reads and judges at most `most` parts of a text. */
export function receiveAicl(text: string, most: number): ReceivedText {
  const { units } = parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit);
  return { parts: [...units].slice(0, most).map(unit => receiveUnit(text, unit)), count: units.count };
}

function receiveUnit(text: string, { start, end, kind, summary, issues }: Unit): ReceivedPart {
  const { session, messageType } = summary;
  const error = issues.find(({ severity }) => severity === 'error');
  const isRead = error === undefined && kind === 'message';
  const [piece] = isRead ? readAiclPieces(text.slice(start, end)).pieces : [];
  return { session, messageType, error, message: piece?.value };
}
