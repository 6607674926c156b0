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

/** The file of an issue. */
interface IssueFile {
  readonly uri: string;
  readonly document: OpenDocument;
}

/**
 * Converts an issue, with a link to its rule and, if the client supports them, related places and the tag for
 * unnecessary text.
 */
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

/** Converts all issues of a file. */
export function toDiagnostics(
  file: IssueFile,
  issues: readonly Issue[],
  client: ClientCapabilities,
): Diagnostic[] {
  return issues.map(issue => toDiagnostic(file, issue, client));
}

/** True for a client that pulls diagnostics; to others they are pushed. */
export function canPull(client: ClientCapabilities): boolean {
  return client.textDocument?.diagnostic !== undefined;
}

/** True if the client declares a capability for pushed or pulled diagnostics. */
function shows(
  { textDocument }: ClientCapabilities,
  test: (can: DiagnosticsCapabilities) => boolean | undefined,
): boolean {
  return [textDocument?.publishDiagnostics, textDocument?.diagnostic].some(can => can && test(can) === true);
}
