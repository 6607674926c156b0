import { readCall } from '../../aicf/call.ts';
import { listLines } from '../../aicf/lines.ts';
import type { AicfDocument } from '../../aicf/parse.ts';
import { collectTools } from '../../aicf/tools.ts';
import type { AicfRuleCode } from '../../catalog/aicf-rules.ts';
import type { RuleCode } from '../../catalog/rules.ts';
import type { Issue } from '../../text/issue.ts';
import { capIssues } from '../cap.ts';
import { FirstIssues } from '../first-issues.ts';
import { checkArguments, checkUnknownTool } from './arguments.ts';
import { checkCredential, checkExtraFields, checkMissingTool, checkTextAfterEnd } from './command-fields.ts';
import { checkContext } from './context.ts';
import { checkEscapes } from './escapes.ts';
import { checkForeignText } from './foreign.ts';
import { checkJson } from './json.ts';
import { checkBodyLength, checkFieldCount } from './limits.ts';
import { checkArgumentTypes, checkErrorCode, checkRawPipe } from './reply-fields.ts';
import type { AicfRule, RuleContext } from './report.ts';
import { checkStreamEnd } from './stream.ts';
import { checkSyntax } from './syntax.ts';

/** Who reports each rule of RPC files. A new row of the catalog does not compile until somebody does. */
const RPC_RULES: Readonly<Record<Exclude<AicfRuleCode, ContextRuleCode>, readonly AicfRule[]>> = {
  'aicf/wrong-case': [checkSyntax],
  'aicf/command-blank': [checkSyntax],
  'aicf/missing-delimiter': [checkSyntax],
  'aicf/foreign-text': [checkForeignText],
  'aicf/unknown-command': [checkSyntax],
  'aicf/prefix': [checkSyntax],
  'aicf/missing-tool': [checkMissingTool],
  'aicf/extra-fields': [checkExtraFields],
  'aicf/text-after-end': [checkSyntax, checkTextAfterEnd],
  'aicf/stream-without-end': [checkStreamEnd],
  'aicf/error-code': [checkErrorCode],
  'aicf/unknown-code': [checkErrorCode],
  'aicf/raw-pipe': [checkRawPipe],
  'aicf/stray-escape': [checkEscapes],
  'aicf/json-escape': [checkEscapes],
  'aicf/path-escape': [checkEscapes],
  'aicf/broken-json': [checkJson],
  'aicf/probable-json': [checkJson],
  'aicf/ambiguous-json': [checkJson],
  'aicf/auth-field': [checkCredential],
  'aicf/unknown-type': [checkArgumentTypes],
  'aicf/unknown-tool': [checkUnknownTool],
  'aicf/extra-arguments': [checkArguments],
  'aicf/argument-type': [checkArguments],
  'aicf/missing-argument': [checkArguments],
  'aicf/fewer-arguments': [checkArguments],
  'aicf/too-many-fields': [checkFieldCount],
  'aicf/body-too-long': [checkBodyLength],
};

/** The rules of context files, which `checkContext` reports: nothing else is said about them. */
type ContextRuleCode = 'aicf/column-count' | 'aicf/line-number';

/** Each rule once: some report several codes. */
const ALL_RULES: ReadonlySet<AicfRule> = new Set(Object.values(RPC_RULES).flat());

/** The issues of a file in order of their place, at most `parley.maxIssues`; the last one says how many more. */
export function validateAicf(doc: AicfDocument): readonly Issue<RuleCode>[] {
  const { maxIssues } = doc.settings;
  const issues = new FirstIssues<AicfRuleCode>(maxIssues);
  reportIssues(doc, issue => issues.add(issue));
  return capIssues(issues.kept, maxIssues, issues.count);
}

/**
 * Checks a file against AICF-RPC 1.0, or a context file for what little concerns it. All issues, in no order; never
 * fails. One pass over the lines, and one more where the file declares tools.
 */
export function checkAicf(doc: AicfDocument): readonly Issue<AicfRuleCode>[] {
  const issues: Issue<AicfRuleCode>[] = [];
  reportIssues(doc, issue => void issues.push(issue));
  return issues;
}

function reportIssues(doc: AicfDocument, report: (issue: Issue<AicfRuleCode>) => void): void {
  if (doc.dialect === 'context') checkContext(doc, report);
  else checkMessages({ doc, tools: collectTools(doc), report });
}

function checkMessages(context: RuleContext): void {
  const visitors = [...ALL_RULES].map(rule => rule(context));
  for (const { number, start, text, tree } of listLines(context.doc)) {
    // No rule looks at a blank line; one with a prefix has a fault.
    if (tree.kind === 'blank' && tree.faults.length === 0) continue;
    const call = tree.command === 'CALL' ? readCall(text, tree, context.tools) : undefined;
    const view = { number, start, text, tree, call };
    for (const visitor of visitors) visitor.visit(view);
  }
  for (const visitor of visitors) visitor.finish?.();
}
