import type { Protocol } from '../../protocol.ts';
import type { Message } from '../../../core/message/message.ts';
import { quote } from '../../../core/text/quote.ts';
import { printFloat } from '../../../core/text/exact-decimal.ts';
import { findAtoms } from '../../message/find-atoms.ts';
import { isRounded, nameOfFloat } from '../../message/foreign-values.ts';

/** The maximum number of these that are listed. */
const MAX_LISTED = 10;

/**
 * The numbers of a request that the agent would get with another value, because its protocol does not keep their
 * spelling: each a sentence without a full stop. Linear.
 */
export function listInexactNumbers(message: Message, to: Protocol): readonly string[] {
  if (to.calls.keepsNumbers) return [];
  const found = findAtoms(message, isRounded);
  const listed = found.slice(0, MAX_LISTED).map(({ path, atom }) => {
    const { literal = '', float = 0 } = atom.kind === 'float' ? atom : {};
    return `${path} is ${quote(literal)}, which no float of 64 bits is; the agent would get ${showFloat(float, to)}`;
  });
  const others = found.length - listed.length;
  return others > 0 ? [...listed, `${others} more numbers are none of 64 bits either`] : listed;
}

/** LightAICL writes inf and nan; the others have the numbers of JSON. */
function showFloat(float: number, { facts }: Protocol): string {
  if (Number.isFinite(float)) return printFloat(float);
  return facts.language === 'aicl' ? nameOfFloat(float) : `{"$float":"${nameOfFloat(float)}"}`;
}
