import type { Protocol } from '../../protocol.ts';
import type { Message } from '../../../core/message/message.ts';
import type { FloatValue, IntValue, Value } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { joinPath } from '../../../core/message/report.ts';
import { isRoundedFloat, printFloat } from '../../../core/text/exact-decimal.ts';

/** What changes about the numbers of a request on the way to its agent. */
interface InexactNumbers {
  /** Numbers that arrive in another form, each as `place: reason`. */
  readonly notes: readonly string[];
  /** Numbers that arrive with another value, each a sentence without a full stop. */
  readonly warnings: readonly string[];
}

/** The maximum number of these that are reported. */
const MAX_LISTED = 10;

/**
 * The numbers of a request that the agent does not get as written: those that no double represents, if the
 * protocol does not keep their spelling, and those that the protocol has no number for. Linear.
 */
export function listInexactNumbers({ fields }: Message, to: Protocol): InexactNumbers {
  const notes: string[] = [];
  const warnings: string[] = [];
  const waiting: { readonly path: string; readonly value: Value }[] = Object.entries(fields).flatMap(
    ([path, value]) => (value === undefined || path === 'rest' ? [] : [{ path, value }]),
  );
  for (let next = waiting.pop(); next && notes.length + warnings.length < MAX_LISTED; next = waiting.pop()) {
    const { path, value } = next;
    if (value.kind === 'list')
      for (const [at, item] of value.items.entries()) waiting.push({ path: joinPath(path, at), value: item });
    else if (value.kind === 'dict')
      for (const { key, value: item } of value.entries)
        waiting.push({ path: joinPath(path, key), value: item });
    else if (value.kind === 'float') reportFloat(value, path, to, notes, warnings);
    else if (value.kind === 'int' && hasOwnNumbers(to)) notes.push(...describeLong(value, path));
  }
  return { notes: notes.sort(), warnings: warnings.sort() };
}

function reportFloat(
  { float, literal }: FloatValue,
  path: string,
  to: Protocol,
  notes: string[],
  warnings: string[],
): void {
  const isLost = literal !== undefined && isRoundedFloat(literal, float);
  if (isLost && !to.calls.keepsNumbers)
    warnings.push(
      `${path} is ${quote(literal)}, which no float of 64 bits is; the agent would get ${showFloat(float, to)}`,
    );
  else if (!isLost && !Number.isFinite(float) && !hasOwnNumbers(to))
    notes.push(`${path}: JSON has no number for ${nameOf(float)}; the agent gets ${showFloat(float, to)}`);
}

/** LightAICL has integers of 64 bits. */
function describeLong({ int }: IntValue, path: string): readonly string[] {
  if (BigInt.asIntN(64, BigInt(int)) === BigInt(int)) return [];
  return [
    `${path}: AICL has integers of 64 bits, and ${quote(String(int))} is longer; the agent gets [d:[s:$int]:[s:…]]`,
  ];
}

function showFloat(float: number, to: Protocol): string {
  if (Number.isFinite(float)) return printFloat(float);
  return hasOwnNumbers(to) ? nameOf(float) : `{"$float":"${nameOf(float)}"}`;
}

function nameOf(float: number): string {
  if (Number.isNaN(float)) return 'nan';
  return float > 0 ? 'inf' : '-inf';
}

/** LightAICL has integers of 64 bits and writes inf and nan; the others have the numbers of JSON. */
function hasOwnNumbers({ facts }: Protocol): boolean {
  return facts.language === 'aicl';
}
