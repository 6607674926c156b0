import type { LineFault } from '../../aicf/ast.ts';
import { skipBlanks } from '../../aicf/characters.ts';
import type { AicfRuleCode, AicfSyntaxCode } from '../../catalog/aicf-rules.ts';
import { quote } from '../../text/quote.ts';
import type { Issue } from '../../text/issue.ts';
import { buildFix, buildLineIssue, buildSafeFix, type AicfRule, type LineView } from './report.ts';
import { commandFinder, type FindCommandLike } from './similar-command.ts';

type DescribeFault = (
  line: LineView,
  fault: LineFault,
  findCommandLike: FindCommandLike,
) => Issue<AicfRuleCode> | undefined;

/** Says what the faults in a line's tree are. Foreign text is told by its own rule, because its lines run together. */
export const checkSyntax: AicfRule = ({ report }) => {
  const findCommandLike = commandFinder();
  return {
    visit(line) {
      for (const fault of line.tree.faults) {
        const issue = DESCRIPTIONS[fault.code](line, fault, findCommandLike);
        if (issue) report(issue);
      }
    },
  };
};

const DESCRIPTIONS: Readonly<Record<AicfSyntaxCode, DescribeFault>> = {
  'aicf/wrong-case': describeWrongCase,
  'aicf/command-blank': (line, { code, span }) =>
    buildLineIssue(code, line, span, 'A blank stands beside the command; remove it', [
      buildSafeFix('Remove the blank', line, span, ''),
    ]),
  'aicf/missing-delimiter': describeMissingDelimiter,
  'aicf/foreign-text': () => undefined,
  'aicf/unknown-command': describeUnknownCommand,
  'aicf/prefix': describePrefix,
  'aicf/text-after-end': (line, { code, span }) =>
    buildLineIssue(code, line, span, "'END' takes no text; remove it or put it into a 'STREAM' line before", [
      buildFix('Remove the text', line, { start: line.tree.word.end, end: line.tree.end }, ''),
    ]),
};

function wordOf(line: LineView): string {
  return line.text.slice(line.tree.word.start, line.tree.word.end);
}

function describeWrongCase(line: LineView, { code, span }: LineFault): Issue<AicfRuleCode> {
  const command = line.tree.command ?? '';
  return buildLineIssue(
    code,
    line,
    span,
    `${quote(wordOf(line))} is not a command; write ${quote(command)}`,
    [buildSafeFix(`Write ${command}`, line, span, command)],
  );
}

function describeUnknownCommand(
  line: LineView,
  { code, span }: LineFault,
  findCommandLike: FindCommandLike,
): Issue<AicfRuleCode> {
  const word = wordOf(line);
  const similar = findCommandLike(word);
  const advice = similar ? `did you mean ${quote(similar)}?` : `the requests are 'CALL', 'LIST' and 'INFO'`;
  const fixes = similar ? [buildFix(`Write ${similar}`, line, span, similar)] : [];
  return buildLineIssue(
    code,
    line,
    span,
    `${quote(word)} is not a command of AICF-RPC 1.0; ${advice}`,
    fixes,
  );
}

function describeMissingDelimiter(line: LineView, { code, span }: LineFault): Issue<AicfRuleCode> {
  const next = skipBlanks(line.text, span.end);
  const message = `After ${quote(line.text.slice(span.start, span.end))} a '|' is missing; fields are separated by '|'`;
  return buildLineIssue(code, line, span, message, [
    buildFix("Replace the blank by '|'", line, { start: span.end, end: next }, '|'),
  ]);
}

function describePrefix(line: LineView, { code, span }: LineFault): Issue<AicfRuleCode> {
  const prefix = line.text.slice(span.start, span.end);
  return buildLineIssue(
    code,
    line,
    span,
    `${quote(prefix)} is not part of the message and is never sent; remove it`,
    [buildSafeFix(`Remove ${prefix}`, line, line.tree.prefix ?? span, '')],
  );
}
