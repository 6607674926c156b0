import type { Call } from '../../aicf/call.ts';
import {
  linkData,
  linkFinding,
  LONGEST_AT_A_KEY,
  readLinked,
  type LinkedJson,
} from '../../aicf/linked-json.ts';
import type { JsonFault } from '../../json/json-scanner.ts';
import { roundedNumber } from '../../json/json-number.ts';
import { readJsonString, type JsonMember, type JsonTree, type JsonValue } from '../../json/json-tree.ts';
import { parseJson } from '../../../core/text/json.ts';
import { quote } from '../../../core/text/quote.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { describeJsonFault, findJsonFault, mendJsonFault, relateOpener } from './json-faults.ts';
import { buildFix, draftLineIssue, type AicfRule, type IssueDraft, type LineView } from './report.ts';

/** Maximum number of faults reported per line. */
const MAX_LISTED = 20;

/**
 * Checks the JSON in arguments and in the data of `OK`: duplicate names, numbers that most readers round, and
 * data that starts like JSON but is not valid (reading of AICF-RPC 1.0, "Response Format").
 */
export const checkJsonContent: AicfRule = ({ report }) => ({
  visit(line) {
    if (line.tree.command === 'OK') {
      const data = linkData(line, LONGEST_AT_A_KEY);
      const value = data && parseJson(data.embedded.text);
      if (data && value === undefined) reportBroken(report, line, data);
      else if (data && !isPlainJson(data.embedded.text, value)) reportContent(report, line, [data]);
    } else if (line.call && line.call.json.size > 0)
      reportContent(report, line, listArguments(line, line.call));
  },
});

/**
 * True for JSON that needs no further check, as most in fields: no number may be rounded, and no name is repeated,
 * because the value has as many members as the text has names.
 */
function isPlainJson(json: string, value: unknown): boolean {
  return value !== undefined && countMembers(value) === countNames(json);
}

/** The number of members of all objects in a value; infinite if it contains a number that may be rounded. */
function countMembers(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? Infinity : 0;
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const member of values) count += countMembers(member);
  return count;
}

const SPACE = 32;
const QUOTE = 34;

/** The number of colons after a quotation mark: those of all names, and maybe some in strings. */
function countNames(json: string): number {
  let count = 0;
  for (let colon = json.indexOf(':'); colon >= 0; colon = json.indexOf(':', colon + 1)) {
    let before = colon - 1;
    while (json.charCodeAt(before) <= SPACE) before--;
    if (json.charCodeAt(before) === QUOTE) count++;
  }
  return count;
}

type Report = (draft: IssueDraft) => void;

/**
 * The arguments that are valid JSON and need a check. Long ones are skipped, because the line is read again after each
 * key press.
 */
function* listArguments(line: LineView, { json }: Call): Generator<LinkedJson, void> {
  for (const finding of json.values()) {
    const linked = finding.state === 'broken' ? undefined : linkFinding(line, finding, LONGEST_AT_A_KEY);
    if (linked && !isPlainJson(linked.embedded.text, finding.value)) yield linked;
  }
}

function reportContent(report: Report, line: LineView, list: Iterable<LinkedJson>): void {
  let reported = 0;
  for (const json of list) {
    for (const draft of listFindings(line, json, readLinked(json))) {
      if (reported++ === MAX_LISTED) return;
      report(draft);
    }
  }
}

function* listFindings(line: LineView, json: LinkedJson, { root }: JsonTree): Generator<IssueDraft, void> {
  const open: JsonValue[] = root ? [root] : [];
  for (let value = open.pop(); value; value = open.pop()) {
    if (value.kind === 'object') yield* listRepeats(line, json, value);
    if (value.kind === 'number') yield* listRounded(line, json, value);
    for (const member of value.members.toReversed()) if (member.value) open.push(member.value);
  }
}

/** Reports names that are repeated in their object; readers use the last value. */
function* listRepeats(line: LineView, json: LinkedJson, { members }: JsonValue): Generator<IssueDraft, void> {
  if (members.length < 2) return;
  const { embedded } = json;
  const seen = new Map<string, { readonly member: JsonMember; readonly next: JsonMember | undefined }>();
  for (const [index, member] of members.entries()) {
    const { key } = member;
    if (!key) continue;
    const name = readJsonString(embedded.text, key);
    const first = seen.get(name);
    seen.set(name, { member, next: members[index + 1] });
    if (!first) continue;
    yield draftLineIssue('aicf/duplicate-key', line, embedded.toSource(key), () => ({
      message: `The object has a key ${quote(name)} already, whose value is lost; remove one of the two`,
      fixes: [removeMember(line, json, first.member, first.next)],
      related: [
        {
          span: shiftSpan(embedded.toSource(first.member.key ?? first.member), line.start),
          message: 'The value that is lost',
        },
      ],
    }));
  }
}

/** A fix that removes a member and the comma after it. */
function removeMember(
  line: LineView,
  { embedded }: LinkedJson,
  { start, end }: Span,
  next: Span | undefined,
): ReturnType<typeof buildFix> {
  const span = embedded.toSource({ start, end: next?.start ?? end });
  return buildFix('Remove the member whose value is lost', line, span, '');
}

function* listRounded(
  line: LineView,
  { embedded }: LinkedJson,
  number: JsonValue,
): Generator<IssueDraft, void> {
  const { start, end } = number;
  const literal = embedded.text.slice(start, end);
  const rounded = roundedNumber(literal);
  if (rounded === undefined) return;
  const span = embedded.toSource({ start, end });
  yield draftLineIssue('aicf/rounded-number', line, span, () => ({
    message: `Most readers take ${quote(literal)} for ${rounded}; write it as a text to keep its digits`,
    fixes: [buildFix('Write the number as a text', line, span, `"${literal}"`)],
  }));
}

/** Reports where data that starts like JSON becomes invalid; it is read as text. */
function reportBroken(report: Report, line: LineView, data: LinkedJson): void {
  const placed = findJsonFault(data);
  if (!placed || isProse(data.embedded.text, placed.fault)) return;
  report(
    draftLineIssue('aicf/broken-data', line, placed.span, () => ({
      message: `This begins like JSON and is read as text: ${describeJsonFault(placed)}`,
      fixes: mendJsonFault(line, placed),
      related: relateOpener(line, placed),
    })),
  );
}

/** True for text after valid JSON, as in `[1] a note`, which was probably not meant as JSON. */
function isProse(text: string, { kind, span }: JsonFault): boolean {
  return kind === 'rest' && !/[}\],:]/.test(text.charAt(span.start));
}
