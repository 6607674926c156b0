import type { Protocol } from '../../protocol.ts';
import type { Message } from '../../../core/message/message.ts';
import type { FloatValue, IntValue, Value } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import { joinPath } from '../../../core/message/report.ts';
import { isRoundedFloat, printFloat } from '../../../language/values/float-text.ts';

/** What a request says of its numbers before it goes out. */
interface OddNumbers {
  /** Numbers of which an agent gets another form, each as `place: reason`. */
  readonly notes: readonly string[];
  /** Numbers of which it gets another value, each a sentence without a full stop. */
  readonly doubts: readonly string[];
}

/** So many are told. */
const MOST_TOLD = 10;

/**
 * The numbers of a request that an agent of a protocol does not get as they were written: those that no double holds,
 * where the protocol has doubles or a text of JSON in its JSON, and those that it has no number for. Linear.
 */
export function listOddNumbers({ fields }: Message, to: Protocol): OddNumbers {
  const notes: string[] = [];
  const doubts: string[] = [];
  const waiting: { readonly path: string; readonly value: Value }[] = Object.entries(fields).flatMap(
    ([path, value]) => (value === undefined || path === 'rest' ? [] : [{ path, value }]),
  );
  for (let next = waiting.pop(); next && notes.length + doubts.length < MOST_TOLD; next = waiting.pop()) {
    const { path, value } = next;
    if (value.kind === 'list')
      for (const [at, item] of value.items.entries()) waiting.push({ path: joinPath(path, at), value: item });
    else if (value.kind === 'dict')
      for (const { key, value: item } of value.entries)
        waiting.push({ path: joinPath(path, key), value: item });
    else if (value.kind === 'float') tellFloat(value, path, to, notes, doubts);
    else if (value.kind === 'int' && hasOwnNumbers(to)) notes.push(...describeLong(value, path));
  }
  return { notes: notes.sort(), doubts: doubts.sort() };
}

function tellFloat(
  { float, literal }: FloatValue,
  path: string,
  to: Protocol,
  notes: string[],
  doubts: string[],
): void {
  const isLost = literal !== undefined && isRoundedFloat(literal, float);
  if (isLost && !to.calls.keepsNumbers)
    doubts.push(
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
