import { CodeActionKind, CodeActionRequest, type CodeAction, type Diagnostic } from 'vscode-languageserver';
import type { Fix, Issue } from '../../../protocol/src/text/issue.ts';
import type { Span } from '../../../protocol/src/text/span.ts';
import type { Snapshot } from '../documents.ts';
import { toDiagnostic, toSpan, toTextEdits } from '../lsp.ts';
import { requestFeature } from './feature.ts';

/** The fixes of the issues in a range, each with the diagnostic that it mends. */
export const codeAction = requestFeature({
  name: 'codeAction',
  type: CodeActionRequest.type,
  capabilities: () => ({ codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] } }),
  neutral: null,
  answer(snapshot, params) {
    if (params.context.only && !params.context.only.some(includesQuickFix)) return [];
    const wanted = toSpan(snapshot.document, params.range);
    return snapshot.issues
      .filter(issue => issue.fixes && overlaps(issue.span, wanted))
      .flatMap(issue => (issue.fixes ?? []).map(fix => toCodeAction(snapshot, issue, fix)));
  },
});

function toCodeAction(snapshot: Snapshot, issue: Issue, fix: Fix): CodeAction {
  const diagnostic: Diagnostic = toDiagnostic(snapshot.document, issue);
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    ...(fix.safe && issue.fixes?.length === 1 ? { isPreferred: true } : {}),
    edit: { changes: { [snapshot.uri]: toTextEdits(snapshot.document, fix.edits) } },
  };
}

/** Kinds are paths: an empty kind holds all, `quickfix.parley` is narrower than ours. */
function includesQuickFix(kind: string): boolean {
  return kind === '' || kind === CodeActionKind.QuickFix;
}

function overlaps(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}
