import { fieldSource, fieldText, findFieldSpan, isRequestLine } from '../../aicf/ast.ts';
import { findCredential } from '../../aicf/call.ts';
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

/** `CALL`, `INFO` and `TOOL` name a tool in their first field. */
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

/** Takes an empty first field away where the second one holds a tool that the agent's lines name. */
function moveTool(line: LineView): readonly Fix[] {
  const { text, tree, tools: known } = line;
  const [first, second] = tree.pipes;
  if (first === undefined || second === undefined || !known.tools.has(fieldText(text, tree, 1))) return [];
  return [buildFix('Remove the empty field', line, { start: first, end: second }, '')];
}

/** What to underline for a first field that holds nothing: its blanks, else its delimiter, else the command. */
export function emptyFieldSpan({ tree }: LineView): Span {
  const field = findFieldSpan(tree, 0);
  if (!field) return tree.word;
  return field.end > field.start ? field : { start: field.start - 1, end: field.start };
}

/** How many fields the commands take that ignore others. */
const FIELD_COUNTS: ReadonlyMap<string | undefined, number> = new Map([
  ['LIST', 0],
  ['INFO', 1],
]);

/** Fields of `LIST`, and more than one of `INFO`; a credential at the end is another rule's. */
export const checkExtraFields: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    const wanted = FIELD_COUNTS.get(tree.command);
    if (wanted === undefined || tree.pipes.length <= wanted) return;
    const credential = findCredential(text, tree);
    const start = tree.pipes[wanted] ?? tree.end;
    const end = (credential === undefined ? undefined : tree.pipes[credential]) ?? tree.end;
    if (end <= start) return;
    report(
      draftLineIssue('aicf/extra-fields', line, { start, end }, () => {
        const what = wanted === 0 ? 'no fields' : 'one field, the name of a tool';
        return {
          message: `${quote(tree.command ?? '')} takes ${what}; remove the others`,
          fixes: [buildFix('Remove the fields', line, { start, end }, '')],
        };
      }),
    );
  },
});

/** Fields of `END`. Text after a blank is a fault of the grammar. */
export const checkTextAfterEnd: AicfRule = ({ doc, report }) => ({
  visit(line) {
    const { tree } = line;
    const start = tree.pipes[0];
    if (tree.command !== 'END' || start === undefined) return;
    const words = (): IssueWords => describeTextAfterEnd(doc, line, { start: start + 1, end: tree.end });
    report(draftLineIssue('aicf/text-after-end', line, { start, end: tree.end }, words));
  },
});

/** A longer text after `END` is only taken away by a fix, not moved. */
const LONGEST_MOVED = 1 << 20;

/** What is said of text after `END`, wherever it begins, and how it goes or comes before the end. */
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

/** A credential in the last field of a request. The message never shows it. */
export const checkCredential: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (!isRequestLine(tree)) return;
    const credential = findCredential(text, tree);
    const span = credential === undefined ? undefined : findFieldSpan(tree, credential);
    if (!span) return;
    report(
      draftLineIssue('aicf/auth-field', line, span, () => ({
        message:
          "The last field is a credential; keep it in a secret and send it in the agent's header 'Authorization'",
      })),
    );
  },
});
