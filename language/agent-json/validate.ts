import type { AgentJsonRuleCode } from '../../core/catalog/agent-json-rules.ts';
import { AGENT_JSON_RULES } from '../../core/catalog/agent-json-rules.ts';
import { PROTOCOLS, type ProtocolRow } from '../../core/catalog/protocols.ts';
import type { RuleCode } from '../../core/catalog/rules.ts';
import type { Fix, Issue, RelatedPlace } from '../../core/text/issue.ts';
import { quote } from '../../core/text/quote.ts';
import { findSimilar } from '../../core/text/similar.ts';
import { shiftSpan, type Span } from '../../core/text/span.ts';
import { replaceFix } from '../fix.ts';
import { describeFault, findMend } from '../json/json-faults.ts';
import { readJson, readJsonString, type JsonValue } from '../json/json-tree.ts';
import { CappedIssues } from '../rules/cap.ts';
import { isOff, weighIssue } from '../rules/severities.ts';
import { showSource } from '../tools.ts';
import { holdsVariable } from '../variables.ts';
import type { AgentJsonDocument, TopValue } from './parse.ts';
import { findCall, listParts } from './parts.ts';
import { isMethodOf, listItems, memberAt, type AgentJsonItem } from './requests.ts';

type Found = Issue<AgentJsonRuleCode>;

const ROWS: readonly ProtocolRow[] = PROTOCOLS;
const SEVERITIES = new Map(AGENT_JSON_RULES.map(row => [row.code, row.severity]));

/** The issues of a file in text order, at most `settings.maxIssues`. Never fails. */
export function validateAgentJson(doc: AgentJsonDocument): readonly Issue<RuleCode>[] {
  const { settings } = doc;
  const capped = new CappedIssues(settings.maxIssues);
  for (const issue of checkAll(doc))
    if (!isOff(issue.code, settings)) capped.add(weighIssue(issue, settings));
  return capped.list();
}

function* checkAll(doc: AgentJsonDocument): Generator<Found> {
  for (const value of doc.values) yield* checkValue(doc, value);
  for (const item of listItems(doc)) {
    if (item.kind === 'other') {
      const { start, end } = item.value;
      const message = 'A request is a JSON object; remove this, or write an object';
      if (!item.fault) yield issue('agent-json/no-request', { start, end }, message);
    } else if (item.kind === 'request' && !item.fault) yield* checkRequest(doc, item);
  }
}

/** Faults of JSON, and members of the same name. */
function* checkValue(doc: AgentJsonDocument, { root, fault, start, end }: TopValue): Generator<Found> {
  if (fault) {
    const related: readonly RelatedPlace[] = fault.opener
      ? [{ span: fault.opener, message: 'The bracket that stays open' }]
      : [];
    const found = issue(
      'agent-json/broken-json',
      fault.span,
      `This is not valid JSON: ${describeFault(doc.json, fault)}`,
    );
    yield { ...found, related, fixes: fixesFor(doc, { start, end }) };
  }
  const pending: JsonValue[] = root ? [root] : [];
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value.kind === 'object') yield* checkNames(doc, value);
    for (const { value: inner } of value.members) if (inner) pending.push(inner);
  }
}

/** Longer values get no fix for broken JSON. */
const LONGEST_MEND = 1 << 16;

function fixesFor({ json }: AgentJsonDocument, { start, end }: Span): readonly Fix[] {
  if (end - start > LONGEST_MEND) return [];
  const text = json.slice(start, end);
  const tree = readJson(text);
  const found = tree.fault && findMend(text, tree.fault, tree);
  if (!found) return [];
  return [replaceFix(found.title, shiftSpan(found.edit.span, start), found.edit.newText, { safe: false })];
}

function* checkNames({ json }: AgentJsonDocument, { members }: JsonValue): Generator<Found> {
  if (members.length < 2) return;
  const first = new Map<string, Span>();
  for (const { key } of members) {
    if (!key) continue;
    const name = readJsonString(json, key);
    const before = first.get(name);
    if (!before) first.set(name, key);
    else {
      const { start, end } = key;
      const message = `The object has two members ${quote(name)}, and receivers differ in which one counts; remove one`;
      const related = [{ span: { start: before.start, end: before.end }, message: 'The first one' }];
      yield { ...issue('agent-json/duplicate-member', { start, end }, message), related };
    }
  }
}

function* checkRequest(doc: AgentJsonDocument, item: AgentJsonItem): Generator<Found> {
  yield* checkMethod(doc, item);
  yield* checkTool(doc, item);
  yield* checkMissingParams(doc, item);
  for (const { start, end, schema, source } of listParts(doc, item)) {
    for (const { span, problem, advice, mends } of schema.check(doc.json.slice(start, end))) {
      const place = shiftSpan(span, start);
      // The value of a variable is not known yet.
      if (holdsVariable(doc.json.slice(place.start, place.end))) continue;
      const from = source.startsWith(',') ? source : `, by the schema${source}`;
      const found = issue('agent-json/schema', place, `${problem}${from}; ${advice}`);
      const fixes = mends.map(text =>
        replaceFix(`Write ${quote(text).slice(1, -1)}`, place, text, { safe: false }),
      );
      yield { ...found, fixes };
    }
  }
}

/** A request without the parameters that its method requires. */
function* checkMissingParams(doc: AgentJsonDocument, item: AgentJsonItem): Generator<Found> {
  const { method, protocol, value } = item;
  const place = memberAt(doc, value, ['method'])?.value;
  if (!protocol || method === undefined || !place || memberAt(doc, value, ['params'])) return;
  const params = doc.schemas.get(protocol.name)?.methods.get(method)?.params;
  const [fault] = params?.check('{}') ?? [];
  const { start, end } = place;
  if (fault)
    yield issue(
      'agent-json/schema',
      { start, end },
      `${quote(method)} of ${protocol.short} requires 'params', and there are none; add them`,
    );
}

/** A method that only another protocol has, or that is unknown. */
function* checkMethod(doc: AgentJsonDocument, item: AgentJsonItem): Generator<Found> {
  const { method, protocol, value } = item;
  const place = memberAt(doc, value, ['method'])?.value;
  if (!protocol || method === undefined || !place || holdsVariable(method)) return;
  const methods = doc.schemas.get(protocol.name)?.methods;
  if (protocol.requests?.hasOwnMethods || isMethodOf(protocol, method, methods)) return;
  const { start, end } = place;
  const owner = ROWS.find(row => isMethodOf(row, method, doc.schemas.get(row.name)?.methods));
  if (owner) {
    const message = `${quote(method)} is a method of ${owner.short}, and the name of the file says ${protocol.short}; correct one of them`;
    yield issue('agent-json/other-protocol', { start, end }, message);
    return;
  }
  if (!methods || methods.size === 0) return;
  const similar = findSimilar(method, [...methods.keys()]);
  const advice = similar === undefined ? 'check its name' : `did you mean ${quote(similar)}?`;
  const found = issue(
    'agent-json/unknown-method',
    { start, end },
    `${protocol.short} has no method ${quote(method)}; ${advice}`,
  );
  yield similar === undefined
    ? found
    : { ...found, fixes: [replaceFix(`Write ${similar}`, place, JSON.stringify(similar), { safe: false })] };
}

/** A tool that its agent does not list. */
function* checkTool(doc: AgentJsonDocument, item: AgentJsonItem): Generator<Found> {
  const called = findCall(doc, item);
  if (!called || called.name === '' || holdsVariable(called.name)) return;
  const { name, nameSpan, table } = called;
  if (!table.isComplete || table.tools.has(name)) return;
  const { start, end } = nameSpan;
  const similar = findSimilar(name, [...table.tools.keys()]);
  const advice = similar === undefined ? 'check its name' : `did you mean ${quote(similar)}?`;
  const found = issue(
    'agent-json/unknown-tool',
    { start, end },
    `There is no tool ${quote(name)}${showSource(table)}; ${advice}`,
  );
  yield similar === undefined
    ? found
    : {
        ...found,
        fixes: [replaceFix(`Write ${similar}`, { start, end }, JSON.stringify(similar), { safe: false })],
      };
}

function issue(code: AgentJsonRuleCode, { start, end }: Span, message: string): Found {
  return { code, severity: SEVERITIES.get(code) ?? 'error', span: { start, end }, message };
}
