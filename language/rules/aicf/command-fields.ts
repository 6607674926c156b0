import { fieldSource, fieldText, findFieldSpan, isRequestLine, findCredential } from '../../aicf/ast.ts';
import { skipBlanks } from '../../aicf/characters.ts';
import type { AicfDocument } from '../../aicf/parse.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { quote } from '../../../core/text/quote.ts';
import {
  buildFix,
  draftLineIssue,
  lineEndOf,
  type AicfRule,
  type IssueWords,
  type LineView,
} from './report.ts';

/** `CALL`, `INFO` and `TOOL` must name a tool in their first field. */
export const checkMissingTool: AicfRule = ({ report }) => ({
  visit(line) {
    const { command } = line.tree;
    if (command !== 'CALL' && command !== 'INFO' && command !== 'TOOL') return;
    if (!/^\s*$/.test(fieldSource(line.text, line.tree, 0))) return;
    report(
      draftLineIssue('aicf/missing-tool', line, emptyFieldSpan(line), () => ({
        message: `After ${quote(command)} the name of a tool is missing; write ${quote(`${command}|tool`)}`,
        fixes: moveTool(line),
      })),
    );
  },
});

/** A fix that removes an empty first field, if the second one contains a known tool. */
function moveTool(line: LineView): readonly Fix[] {
  const { text, tree, tools: known } = line;
  const [first, second] = tree.pipes;
  if (first === undefined || second === undefined || !known.tools.has(fieldText(text, tree, 1))) return [];
  return [buildFix('Remove the empty field', line, { start: first, end: second }, '')];
}

/** The span to underline for an empty first field: its blanks, or else its delimiter, or else the command. */
export function emptyFieldSpan({ tree }: LineView): Span {
  const field = findFieldSpan(tree, 0);
  if (!field) return tree.word;
  return field.end > field.start ? field : { start: field.start - 1, end: field.start };
}

/** Reports fields of `LIST`, and more than one of `INFO`, except a credential at the end, which has its own rule. */
export const checkExtraFields: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    const { command } = tree;
    if (command !== 'LIST' && command !== 'INFO') return;
    const wanted = command === 'LIST' ? 0 : 1;
    if (tree.pipes.length <= wanted) return;
    const credential = findCredential(text, tree);
    const start = tree.pipes[wanted] ?? tree.end;
    const end = (credential === undefined ? undefined : tree.pipes[credential]) ?? tree.end;
    if (end <= start) return;
    report(
      draftLineIssue('aicf/extra-fields', line, { start, end }, () => {
        const what = wanted === 0 ? 'no fields' : 'one field, the name of a tool';
        return {
          message: `${quote(command)} takes ${what}; remove the others`,
          fixes: [buildFix('Remove the fields', line, { start, end }, '')],
        };
      }),
    );
  },
});

/** Reports fields of `END`. Text after a blank is a fault of the grammar. */
export const checkTextAfterEnd: AicfRule = ({ doc, report }) => ({
  visit(line) {
    const { tree } = line;
    const start = tree.pipes[0];
    if (tree.command !== 'END' || start === undefined) return;
    const words = (): IssueWords => describeTextAfterEnd(doc, line, { start: start + 1, end: tree.end });
    report(draftLineIssue('aicf/text-after-end', line, { start, end: tree.end }, words));
  },
});

/** Maximum length of text after `END` that a fix moves; longer text can only be removed. */
const LONGEST_MOVED = 1 << 20;

/** The message about text after `END`, with fixes that remove it or move it before the end. */
export function describeTextAfterEnd(doc: AicfDocument, line: LineView, { start, end }: Span): IssueWords {
  const { text, tree } = line;
  const after = { start: tree.word.end, end: tree.end };
  const fixes = [buildFix('Remove the text', line, after, '')];
  if (skipBlanks(text, start) < end && end - start <= LONGEST_MOVED) {
    const moved = `STREAM|${text.slice(start, end)}${lineEndOf(doc, line)}END`;
    fixes.push(
      buildFix("Move the text into a 'STREAM' line", line, { start: tree.word.start, end: tree.end }, moved),
    );
  }
  return { message: "'END' takes no text; remove it or put it into a 'STREAM' line before", fixes };
}

/** Reports a credential in the last field of a request. The message never contains it. */
export const checkCredential: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    const credential = findCredential(text, tree);
    const span = credential === undefined ? undefined : findFieldSpan(tree, credential);
    if (!span || !isRequestLine(tree)) return;
    report(
      draftLineIssue('aicf/auth-field', line, span, () => ({
        message:
          "The last field is a credential; store it as a secret and send it in the agent's header 'Authorization'",
      })),
    );
  },
});
