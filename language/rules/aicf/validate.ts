import { agentsOf, ALL_NAMELESS, type AgentStretch } from '../../aicf/agents.ts';
import { BlockNotes, type Block } from '../../aicf/blocks.ts';
import { readCall } from '../../aicf/call.ts';
import { collectTools, NO_TOOLS, type KnownTools } from '../../aicf/file-tools.ts';
import { hasLineNumbers, isDataForm } from '../../aicf/context.ts';
import { readLineAt, type AicfDocument } from '../../aicf/parse.ts';
import type { AicfRuleCode } from '../../../core/catalog/aicf-rules.ts';
import type { RuleCode } from '../../../core/catalog/rules.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { CappedIssues } from '../cap.ts';
import { checkArgumentSchemas } from './argument-schemas.ts';
import { checkArguments, checkUnknownTool } from './arguments.ts';
import { IssueCollector, type BlockIssues, type FoundIssues } from './block-issues.ts';
import { checkCredential, checkExtraFields, checkMissingTool, checkTextAfterEnd } from './command-fields.ts';
import { checkContextBlock, CONTEXT_START, type ContextState } from './context.ts';
import { checkDuplicates } from './duplicates.ts';
import { checkEscapes } from './escapes.ts';
import { checkForeignText } from './foreign.ts';
import { checkJson } from './json.ts';
import { checkJsonContent } from './json-content.ts';
import { checkBodyLength, checkFieldCount } from './limits.ts';
import { checkArgumentTypes, checkErrorCode, checkRawPipe } from './reply-fields.ts';
import { firstLineEnd, type AicfRule, type RuleContext } from './report.ts';
import { nameFinder, NO_NAMES } from './similar-names.ts';
import { checkStreamEnd } from './stream.ts';
import { isSameAround, isSeen, listSurroundings, type Surroundings } from './surroundings.ts';
import { checkSyntax } from './syntax.ts';

/** The implementation of each rule for RPC files. A new row of the catalog does not compile without one. */
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
  'aicf/broken-data': [checkJsonContent],
  'aicf/duplicate-key': [checkJsonContent],
  'aicf/rounded-number': [checkJsonContent],
  'aicf/unescaped-data': [checkEscapes],
  'aicf/auth-field': [checkCredential],
  'aicf/unknown-type': [checkArgumentTypes],
  'aicf/duplicate-argument': [checkDuplicates],
  'aicf/duplicate-tool': [checkDuplicates],
  'aicf/unknown-tool': [checkUnknownTool],
  'aicf/extra-arguments': [checkArguments],
  'aicf/argument-type': [checkArguments],
  'aicf/argument-schema': [checkArgumentSchemas],
  'aicf/missing-argument': [checkArguments],
  'aicf/fewer-arguments': [checkArguments],
  'aicf/too-many-fields': [checkFieldCount],
  'aicf/body-too-long': [checkBodyLength],
};

/** The rules of context files, which `checkContextBlock` implements; context files have no others. */
type ContextRuleCode = 'aicf/column-count' | 'aicf/line-number';

/** Each implementation once, because some report several codes. */
const ALL_RULES: ReadonlySet<AicfRule> = new Set(Object.values(RPC_RULES).flat());

/** The issues of a file in text order, at most `parley.maxIssues`; the last one gives the number of omitted issues. */
export function validateAicf(doc: AicfDocument): readonly Issue<RuleCode>[] {
  const { maxIssues } = doc.settings;
  const { issues, count, errors } = findIssues(doc, maxIssues);
  const capped = new CappedIssues(maxIssues);
  for (const issue of issues) capped.add(issue);
  capped.leaveOut(count - issues.length, errors);
  return capped.list();
}

/** The inputs, besides a block's text, on which the issues of its messages depend. */
interface MessageBasis {
  readonly agents: readonly AgentStretch[];
  /** The tools of each of the agents. */
  readonly tools: readonly KnownTools[];
  readonly lineEnd: string;
  readonly around: Surroundings;
}

/** The inputs, besides a block's text, on which the issues of a context file depend. */
interface ContextBasis extends ContextState {
  readonly isNumbered: boolean;
}

const MESSAGE_ISSUES = new BlockNotes<BlockIssues<MessageBasis, void>>();
const CONTEXT_ISSUES = new BlockNotes<BlockIssues<ContextBasis, ContextState>>();

function findIssues(doc: AicfDocument, max: number): FoundIssues {
  return doc.dialect === 'context' ? findContextIssues(doc, max) : findMessageIssues(doc, max);
}

function findContextIssues(doc: AicfDocument, max: number): FoundIssues {
  const collector = new IssueCollector<ContextBasis, ContextState>({
    notes: CONTEXT_ISSUES,
    settings: doc.settings,
    names: NO_NAMES,
    max,
    isSame: (one, other) =>
      one.isNumbered === other.isNumbered &&
      one.section === other.section &&
      one.columns === other.columns &&
      one.lastNumber === other.lastNumber,
    check: (block, basis, report) => checkContextBlock(doc, block, basis, report),
  });
  if (isDataForm(doc)) return collector.found;
  const isNumbered = hasLineNumbers(doc);
  let state = CONTEXT_START;
  for (const block of doc.blocks) state = collector.add(block, { ...state, isNumbered });
  return collector.found;
}

function findMessageIssues(doc: AicfDocument, max: number): FoundIssues {
  const { stretches, of } = collectTools(doc);
  const collector = new IssueCollector<MessageBasis, void>({
    notes: MESSAGE_ISSUES,
    settings: doc.settings,
    names: nameFinder(),
    max,
    isSame: (one, other) =>
      isSameTools(one, other) && one.lineEnd === other.lineEnd && isSameAround(one.around, other.around),
    check: (block, { around, ...basis }, report) => checkMessages({ doc, around, report }, block, basis),
  });
  for (const [index, around] of listSurroundings(doc).entries()) {
    const block = doc.blocks[index];
    if (!block) continue;
    const agents = stretches?.[index] ?? ALL_NAMELESS;
    const tools = agentsOf(agents).map(of);
    collector.add(block, { agents, tools, lineEnd: lastLineEnd(doc, block), around });
  }
  return collector.found;
}

function isSameTools(one: MessageBasis, other: MessageBasis): boolean {
  if (one.tools.length !== other.tools.length || one.agents.length !== other.agents.length) return false;
  if (!one.tools.every((tools, index) => tools.version === other.tools[index]?.version)) return false;
  if (one.agents === other.agents) return true;
  return one.agents.every(
    ({ line, agent }, index) => line === other.agents[index]?.line && agent === other.agents[index].agent,
  );
}

/**
 * The line end that fixes of the last block use. It depends on the first line of the file, so it is part of
 * the basis.
 */
function lastLineEnd(doc: AicfDocument, block: Block): string {
  return block.end === doc.text.length ? firstLineEnd(doc) : '';
}

function checkMessages(
  context: RuleContext,
  block: Block,
  { agents, tools: known }: Pick<MessageBasis, 'agents' | 'tools'>,
): void {
  const visitors = [...ALL_RULES].map(rule => rule(context));
  const visits = visitors.map(({ visit }) => visit);
  let tools = NO_TOOLS;
  let next = 0;
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const line = readLineAt(context.doc, number);
    if (!isSeen(line)) continue;
    const { start, text, tree } = line;
    while ((agents[next]?.line ?? Infinity) <= number - block.firstLine) {
      const agent = agents[next++]?.agent;
      tools = known.find(table => table.agent === agent) ?? NO_TOOLS;
    }
    const call = tree.command === 'CALL' ? readCall(text, tree, tools) : undefined;
    const view = { number, start, text, tree, call, tools };
    for (const visit of visits) visit(view);
  }
  for (const visitor of visitors) visitor.finish?.();
}
