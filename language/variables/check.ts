import { type RuleCode, REQUEST_RULES, type RequestRuleCode } from '../../core/catalog/rules.ts';
import type { Settings } from '../../core/catalog/settings.ts';
import { checkAgents } from '../agent-names.ts';
import type { OpenDocument } from '../support.ts';
import type { WrittenVariable } from '../variables.ts';
import { replaceFix } from '../fix.ts';
import type { Issue } from '../../core/text/issue.ts';
import { quote } from '../../core/text/quote.ts';
import type { Span } from '../../core/text/span.ts';
import { findLiteralFault } from '../rules/aicl/literal-fault.ts';
import { CappedIssues } from '../rules/cap.ts';
import { isOff, weighIssue } from '../rules/severities.ts';
import { listPlaces, type PlacedSlot } from './places.ts';
import { judgeVariable, type EnvironmentVariable, type Judged } from './scope.ts';
import { writeSlot } from './slots.ts';

/** What requests of a document may name besides its own lines. */
export interface RequestContext {
  readonly environment: readonly EnvironmentVariable[];
  /** The configured agents. */
  readonly agents: readonly string[];
}

/** Adds the issues of variables and agents to those of a document, up to the maximum in the settings. */
export function joinRequestIssues(
  document: OpenDocument,
  own: readonly Issue<RuleCode>[],
  settings: Settings,
  context: RequestContext,
): readonly Issue<RuleCode>[] {
  const found = checkRequests(document, settings, context);
  const last = own.at(-1);
  if (last && own.length >= settings.maxIssues) {
    for (const { severity } of found)
      if (severity === 'error') return [...own.slice(0, -1), { ...last, hidesError: true }];
    return own;
  }
  const all = new CappedIssues(settings.maxIssues);
  for (const issue of own) all.add(issue);
  for (const issue of found) all.add(issue);
  return all.list();
}

/**
 * Checks what the requests of a document name before anything is sent (reading of requests in files, section 9).
 * Secrets, replies and the process environment are checked only when a request is sent.
 */
function* checkRequests(
  document: OpenDocument,
  settings: Settings,
  { environment, agents }: RequestContext,
): Generator<Issue<RequestRuleCode>, void> {
  for (const issue of checkAgents(document, agents))
    if (!isOff(issue.code, settings)) yield weighIssue(issue, settings);
  for (const place of listPlaces(document, environment))
    for (const issue of checkPlace(document, place))
      if (!isOff(issue.code, settings)) yield weighIssue(issue, settings);
}

function checkPlace(document: OpenDocument, place: PlacedSlot): readonly Issue<RequestRuleCode>[] {
  const literal = literalOf(place);
  if (!place.isReplaced) return literal ? checkLiteral(document, place, literal) : [];
  const judged = place.variables.map(variable => ({
    variable,
    judged: judgeVariable(variable.source, place.scope),
  }));
  const wrong = judged.flatMap(each => judgeIssue(each.variable, each.judged, literal ? 'literal' : 'text'));
  return wrong.length > 0 || !literal ? wrong : checkLiteral(document, place, literal);
}

type Literal = 'int' | 'float' | 'bool';

function literalOf({ form }: PlacedSlot): Literal | undefined {
  return form === 'int' || form === 'float' || form === 'bool' ? form : undefined;
}

function judgeIssue(
  variable: WrittenVariable,
  judged: Judged,
  where: 'literal' | 'text',
): readonly Issue<RequestRuleCode>[] {
  if (judged.kind === 'problem') {
    const { message, similar } = judged;
    const issue = makeIssue('variable/unresolved', variable, message);
    if (similar === undefined) return [issue];
    return [
      { ...issue, fixes: [replaceFix(`Write {{${similar}}}`, variable, `{{${similar}}}`, { safe: false })] },
    ];
  }
  if (judged.kind !== 'text') return [];
  const shown = quote(variable.source);
  return where === 'literal'
    ? [
        makeIssue(
          'variable/unresolved',
          variable,
          `Nothing defines ${shown}: define it by '# @name = value' in a line above`,
        ),
      ]
    : [makeIssue('variable/unknown', variable, `Nothing defines ${shown}: it is sent unchanged`)];
}

/** Checks a literal whose variables have known values, or that is sent as written. */
function checkLiteral(
  { text }: OpenDocument,
  { start, end, variables, scope, isReplaced }: PlacedSlot,
  form: Literal,
): readonly Issue<RequestRuleCode>[] {
  const source = text.slice(start, end);
  const span = { start, end };
  if (!isReplaced) {
    const fault = findLiteralFault(form, source);
    return fault === undefined ? [] : [makeIssue('variable/unresolved', span, fault)];
  }
  const values = new Map<number, string>();
  for (const variable of variables) {
    const judged = judgeVariable(variable.source, scope);
    const value = judged.kind === 'variable' ? scope.variables[judged.index]?.value : undefined;
    if (value === undefined || value.includes('{{')) return [];
    values.set(variable.start - start, value);
  }
  const written = writeSlot(form, source, variable => values.get(variable.start));
  return written.ok ? [] : [makeIssue('variable/unresolved', span, `With its value ${written.problem}`)];
}

const SEVERITIES = new Map(REQUEST_RULES.map(row => [row.code, row.severity]));

function makeIssue(code: RequestRuleCode, { start, end }: Span, message: string): Issue<RequestRuleCode> {
  return { code, severity: SEVERITIES.get(code) ?? 'information', span: { start, end }, message };
}
