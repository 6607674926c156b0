import type { LineFault } from '../../aicf/ast.ts';
import { skipBlanks } from '../../aicf/characters.ts';
import type { AicfSyntaxCode } from '../../../core/catalog/aicf-rules.ts';
import { quote } from '../../../core/text/quote.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { describeTextAfterEnd } from './command-fields.ts';
import {
  buildFix,
  buildSafeFix,
  draftLineIssue,
  type AicfRule,
  type IssueWords,
  type LineView,
  type RuleContext,
} from './report.ts';
import type { NameFinder } from './similar-names.ts';

interface FaultContext extends Pick<RuleContext, 'doc'> {
  readonly names: NameFinder;
}

type DescribeFault = (line: LineView, fault: LineFault, context: FaultContext) => IssueWords;

/**
 * Reports the faults in a line's tree. Foreign text has its own rule, because consecutive lines are reported
 * together.
 */
export const checkSyntax: AicfRule = ({ doc, report }) => ({
  visit(line) {
    for (const fault of line.tree.faults) {
      const { code } = fault;
      if (code === 'aicf/foreign-text') continue;
      report(
        draftLineIssue(code, line, fault.span, names => DESCRIPTIONS[code](line, fault, { doc, names })),
      );
    }
  },
});

const DESCRIPTIONS: Readonly<Record<Exclude<AicfSyntaxCode, 'aicf/foreign-text'>, DescribeFault>> = {
  'aicf/wrong-case': describeWrongCase,
  'aicf/command-blank': (line, { span }) => ({
    message: 'There is a space beside the command; remove it',
    fixes: [buildSafeFix('Remove the space', line, span, '')],
  }),
  'aicf/missing-delimiter': describeMissingDelimiter,
  'aicf/unknown-command': describeUnknownCommand,
  'aicf/prefix': describePrefix,
  'aicf/text-after-end': (line, { span }, { doc }) => describeTextAfterEnd(doc, line, span),
};

function wordOf(line: LineView): string {
  return line.text.slice(line.tree.word.start, line.tree.word.end);
}

function describeWrongCase(line: LineView, { span }: LineFault): IssueWords {
  const command = line.tree.command ?? '';
  return {
    message: `${quote(wordOf(line))} is not a command; write ${quote(command)}`,
    fixes: [buildSafeFix(`Write ${command}`, line, span, command)],
  };
}

function describeUnknownCommand(line: LineView, { span }: LineFault, { names }: FaultContext): IssueWords {
  const word = wordOf(line);
  const similar = names.command(word);
  const advice = similar ? `did you mean ${quote(similar)}?` : `the requests are 'CALL', 'LIST' and 'INFO'`;
  const fixes = similar ? [buildFix(`Write ${similar}`, line, span, similar)] : [];
  return { message: `${quote(word)} is not a command of AICF-RPC 1.0; ${advice}`, fixes };
}

function describeMissingDelimiter(line: LineView, { span }: LineFault): IssueWords {
  const command = line.text.slice(span.start, span.end);
  return {
    message: `After ${quote(command)} a '|' is missing; fields are separated by '|'`,
    fixes: [delimit(line, span.end)],
  };
}

/**
 * A fix that replaces the blanks after the command by a delimiter, and those after the tool, because tool
 * names have no blanks.
 */
function delimit(line: LineView, commandEnd: number): Fix {
  const tool = skipBlanks(line.text, commandEnd);
  const toolEnd = tool + (/^[^\s|]*/.exec(line.text.slice(tool, tool + LONGEST_NAME))?.[0].length ?? 0);
  const next = skipBlanks(line.text, toolEnd);
  const hasMore = next > toolEnd && next < line.text.length && line.text.charAt(next) !== '|';
  const name = line.text.slice(tool, toolEnd);
  return hasMore
    ? buildFix("Replace the spaces by '|'", line, { start: commandEnd, end: next }, `|${name}|`)
    : buildFix("Replace the space by '|'", line, { start: commandEnd, end: tool }, '|');
}

const LONGEST_NAME = 1_000;

function describePrefix(line: LineView, { span }: LineFault): IssueWords {
  const prefix = line.text.slice(span.start, span.end);
  // The rest of a foreign line might be a comment or have another prefix, so the fix is not safe.
  const build = line.tree.kind === 'foreign' ? buildFix : buildSafeFix;
  return {
    message: `${quote(prefix)} is not part of the message and is never sent; remove it`,
    fixes: [build(`Remove ${prefix}`, line, line.tree.prefix ?? span, '')],
  };
}
