import { fieldText, findFieldSpan } from '../../aicf/ast.ts';
import { readToolDeclaration } from '../../aicf/tools.ts';
import { quote } from '../../../core/text/quote.ts';
import { buildFix, draftLineIssue, type AicfRule, type LineView, type RuleContext } from './report.ts';

/** Maximum number of names reported per line. */
const MAX_LISTED = 20;

/** Reports names that are repeated on a line: of a tool in `TOOLS`, of an argument in `TOOL`. */
export const checkDuplicates: AicfRule = context => ({
  visit(line) {
    if (line.tree.command === 'TOOLS') checkTools(context, line);
    else if (line.tree.command === 'TOOL') checkDeclaration(context, line);
  },
});

function checkTools({ report }: RuleContext, line: LineView): void {
  const { text, tree } = line;
  const seen = new Set<string>();
  let reported = 0;
  for (const [index, pipe] of tree.pipes.entries()) {
    const name = fieldText(text, tree, index);
    const span = findFieldSpan(tree, index);
    if (!span || name === '') continue;
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    if (reported++ === MAX_LISTED) return;
    report(
      draftLineIssue('aicf/duplicate-tool', line, span, () => ({
        message: `The list has ${quote(name)} already; remove it here`,
        fixes: [buildFix('Remove the name', line, { start: pipe, end: span.end }, '')],
      })),
    );
  }
}

function checkDeclaration({ report }: RuleContext, line: LineView): void {
  const seen = new Set<string>();
  let reported = 0;
  for (const { name, span } of readToolDeclaration(line.text, line.tree).arguments) {
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    if (reported++ === MAX_LISTED) return;
    report(
      draftLineIssue('aicf/duplicate-argument', line, span, () => ({
        message: `The tool has an argument ${quote(name)} already; give this one a name of its own`,
        fixes: [buildFix('Remove the argument', line, { start: span.start - 1, end: span.end }, '')],
      })),
    );
  }
}
