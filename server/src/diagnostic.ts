import {
  DiagnosticSeverity,
  DiagnosticTag,
  type ClientCapabilities,
  type Diagnostic,
  type DiagnosticsCapabilities,
} from 'vscode-languageserver';
import { findRule, ruleUrl } from '../../core/catalog/rules.ts';
import type { OpenDocument } from '../../language/support.ts';
import type { Issue, Severity } from '../../core/text/issue.ts';
import { toRange } from './lsp.ts';

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** A file that issues are about. */
interface IssueFile {
  readonly uri: string;
  readonly document: OpenDocument;
}

/** An issue with its rule's documentation and, where the client shows them, its other places and its fading. */
export function toDiagnostic(
  { uri, document }: IssueFile,
  issue: Issue,
  client: ClientCapabilities,
): Diagnostic {
  const canFade = shows(client, can => can.tagSupport?.valueSet.includes(DiagnosticTag.Unnecessary));
  const isFaded = canFade && findRule(issue.code)?.isUnnecessary === true;
  const related = shows(client, can => can.relatedInformation) ? issue.related : undefined;
  return {
    range: toRange(document, issue.span),
    severity: SEVERITY[issue.severity],
    code: issue.code,
    codeDescription: { href: ruleUrl(issue.code) },
    source: 'parley',
    message: issue.message,
    ...(isFaded && { tags: [DiagnosticTag.Unnecessary] }),
    ...(related && {
      relatedInformation: related.map(({ span, message }) => ({
        location: { uri, range: toRange(document, span) },
        message,
      })),
    }),
  };
}

/** All issues of a file. */
export function toDiagnostics(
  file: IssueFile,
  issues: readonly Issue[],
  client: ClientCapabilities,
): Diagnostic[] {
  return issues.map(issue => toDiagnostic(file, issue, client));
}

/** True for a client that asks for diagnostics; any other is told of them. */
export function canPull(client: ClientCapabilities): boolean {
  return client.textDocument?.diagnostic !== undefined;
}

/** Clients say what they show with pushed diagnostics, with pulled ones or with both. */
function shows(
  { textDocument }: ClientCapabilities,
  test: (can: DiagnosticsCapabilities) => boolean | undefined,
): boolean {
  return [textDocument?.publishDiagnostics, textDocument?.diagnostic].some(can => can && test(can) === true);
}
