import { fieldSource, findFieldSpan, isRequestLine } from '../../aicf/ast.ts';
import { findCredential } from '../../aicf/call.ts';
import type { Span } from '../../text/span.ts';
import { quote } from '../../text/quote.ts';
import { buildFix, buildLineIssue, type AicfRule, type LineView } from './report.ts';

/** `CALL`, `INFO` and `TOOL` name a tool in their first field. */
export const checkMissingTool: AicfRule = ({ report }) => ({
  visit(line) {
    const { command } = line.tree;
    if (command !== 'CALL' && command !== 'INFO' && command !== 'TOOL') return;
    if (!/^\s*$/.test(fieldSource(line.text, line.tree, 0))) return;
    const message = `After ${quote(command)} the name of a tool is missing; write ${quote(`${command}|tool`)}`;
    report(buildLineIssue('aicf/missing-tool', line, emptyFieldSpan(line), message));
  },
});

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
    const what = wanted === 0 ? 'no fields' : 'one field, the name of a tool';
    const message = `${quote(tree.command ?? '')} takes ${what}; remove the others`;
    const fix = buildFix('Remove the fields', line, { start, end }, '');
    report(buildLineIssue('aicf/extra-fields', line, { start, end }, message, [fix]));
  },
});

/** Fields of `END`. Text after a blank is a fault of the grammar. */
export const checkTextAfterEnd: AicfRule = ({ report }) => ({
  visit(line) {
    const { tree } = line;
    const start = tree.pipes[0];
    if (tree.command !== 'END' || start === undefined) return;
    const span = { start, end: tree.end };
    const message = "'END' takes no text; remove it or put it into a 'STREAM' line before";
    report(
      buildLineIssue('aicf/text-after-end', line, span, message, [
        buildFix('Remove the text', line, span, ''),
      ]),
    );
  },
});

/** A credential in the last field of a request. The message never shows it. */
export const checkCredential: AicfRule = ({ report }) => ({
  visit(line) {
    const { text, tree } = line;
    if (!isRequestLine(tree)) return;
    const credential = findCredential(text, tree);
    const span = credential === undefined ? undefined : findFieldSpan(tree, credential);
    if (!span) return;
    const message =
      "The last field is a credential; keep it in a secret and send it in the agent's header 'Authorization'";
    report(buildLineIssue('aicf/auth-field', line, span, message));
  },
});
