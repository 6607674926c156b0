import type { ProtocolRow } from '../../core/catalog/protocols.ts';
import type { Message } from '../../core/message/message.ts';
import { isRoundedFloat } from '../../core/text/exact-decimal.ts';
import { findAtoms, type Atom } from './find-atoms.ts';

/** Who receives a message. */
export type Receiver = 'agent' | 'caller' | 'reader';

/**
 * What the receiver of a message gets in another form, because its language has no such value: each reason once, with
 * the first place (docs/json-notation.md).
 */
export function listForeignValues(
  message: Message,
  facts: Pick<ProtocolRow, 'language'>,
  receiver: Receiver,
): readonly string[] {
  const describe = facts.language === 'aicl' ? describeForAicl : describeForJson;
  const found = new Map<string, { readonly path: string; count: number }>();
  for (const { path, atom } of findAtoms(message, each => describe(each, receiver) !== undefined)) {
    const reason = describe(atom, receiver) ?? '';
    const known = found.get(reason);
    if (known) known.count++;
    else found.set(reason, { path, count: 1 });
  }
  return Array.from(found, ([reason, { path, count }]) => `${path}${nameOthers(count - 1)}: ${reason}`);
}

/** The same reasons without the places. */
export function foreignReasons(
  message: Message,
  facts: Pick<ProtocolRow, 'language'>,
  receiver: Receiver,
): ReadonlySet<string> {
  const describe = facts.language === 'aicl' ? describeForAicl : describeForJson;
  const atoms = findAtoms(message, each => describe(each, receiver) !== undefined);
  return new Set(atoms.map(({ atom }) => describe(atom, receiver) ?? ''));
}

function nameOthers(count: number): string {
  return count === 0 ? '' : ` and ${count} ${count === 1 ? 'other' : 'others'}`;
}

/** LightAICL has numbers of 64 bits, and no null. */
function describeForAicl(atom: Atom, receiver: Receiver): string | undefined {
  // An agent is not sent such a number without a question.
  if (receiver === 'caller' && isRounded(atom))
    return 'AICL has floats of 64 bits, and this number is none; the caller gets the nearest one';
  if (atom.kind === 'null') return `AICL has no null; the ${receiver} gets [d:[s:$null]:[b:true]]`;
  if (atom.kind !== 'int' || typeof atom.int === 'number' || BigInt.asIntN(64, atom.int) === atom.int)
    return undefined;
  return `AICL has no integers of more than 64 bits; the ${receiver} gets [d:[s:$int]:[s:…]]`;
}

function describeForJson(atom: Atom, receiver: Receiver): string | undefined {
  if (atom.kind === 'tensor') return `JSON has no tensors; the ${receiver} gets {"$tensor":…}`;
  // A number that is only too large for a double is printed as it was written.
  if (atom.kind !== 'float' || Number.isFinite(atom.float) || atom.literal !== undefined) return undefined;
  const name = nameOfFloat(atom.float);
  return `JSON has no number for ${name}; the ${receiver} gets {"$float":"${name}"}`;
}

/** The name of a float that is no number of JSON. */
export function nameOfFloat(float: number): string {
  if (Number.isNaN(float)) return 'nan';
  return float > 0 ? 'inf' : '-inf';
}

/** True for a number that was written with more digits, or is larger, than a double is. */
export function isRounded(atom: Atom): boolean {
  return atom.kind === 'float' && atom.literal !== undefined && isRoundedFloat(atom.literal, atom.float);
}
