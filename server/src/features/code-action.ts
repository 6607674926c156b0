import {
  CodeActionKind,
  CodeActionRequest,
  CodeActionTriggerKind,
  type CodeAction,
  type CodeActionContext,
  type Diagnostic,
  type Position,
  type Range,
} from 'vscode-languageserver';
import { isMessageLanguage, type LanguageId } from '../../../core/catalog/languages.ts';
import { COMMON_TARGETS, findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';
import { obviousFix } from '../fix-all.ts';
import type { TextEdit } from '../../../core/text/edit.ts';
import type { Span } from '../../../core/text/span.ts';
import { CONVERT_COMMAND } from '../../../wire/conversion-requests.ts';
import { MOVE_CREDENTIAL_COMMAND } from '../../../wire/server-messages.ts';
import { toDiagnostic } from '../diagnostic.ts';
import type { Snapshot } from '../documents.ts';
import { toPosition, toSpan, toTextEdits } from '../lsp.ts';
import { contentModified, requestFeature, type FeatureHost } from './feature.ts';

const CONVERT = `${CodeActionKind.RefactorRewrite}.convert`;
const FIX_ALL = `${CodeActionKind.SourceFixAll}.parley`;

/**
 * Maximum length of messages for automatic requests, which editors send after each move of the cursor.
 * Rewrites of longer ones are computed when the user asks.
 */
const MAX_REWRITTEN = 20_000;

/** Code actions for a range: fixes of its issues, alternative notations, conversions, and a fix of all safe issues. */
export const codeAction = requestFeature({
  name: 'codeAction',
  type: CodeActionRequest.type,
  capabilities: () => ({
    codeActionProvider: {
      codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, CONVERT, FIX_ALL],
    },
  }),
  neutral: null,
  stale: contentModified,
  answer(snapshot, { context, range }, host) {
    const wanted = toSpan(snapshot.document, range);
    return [
      ...(isRequested(context, CodeActionKind.QuickFix) ? listFixes(snapshot, wanted, context, host) : []),
      ...(isRequested(context, CodeActionKind.RefactorRewrite)
        ? listRewrites(snapshot, wanted, context)
        : []),
      ...(host.options().canSend && isRequested(context, CodeActionKind.QuickFix)
        ? listMoves(snapshot, wanted, host)
        : []),
      ...(host.options().canConvert && isRequested(context, CONVERT) ? listConversions(snapshot, range) : []),
      // Requires reading the whole file, so it must be requested explicitly, as editors do when saving.
      ...(context.only && isRequested(context, FIX_ALL) ? fixAll(snapshot) : []),
    ];
  },
});

function listFixes(
  snapshot: Snapshot,
  wanted: Span,
  context: CodeActionContext,
  { client }: FeatureHost,
): readonly CodeAction[] {
  return snapshot.issues
    .filter(issue => issue.fixes && overlaps(issue.span, wanted))
    .flatMap(issue => {
      const diagnostic = toDiagnostic(snapshot, issue, client);
      const diagnostics = [context.diagnostics.find(sent => isSame(sent, diagnostic)) ?? diagnostic];
      return (issue.fixes ?? []).map(fix => ({
        ...toCodeAction(snapshot, fix.title, CodeActionKind.QuickFix, fix.edits),
        diagnostics,
        ...(fix === obviousFix(issue) && { isPreferred: true }),
      }));
    });
}

/** A command that moves a credential into the client's secret storage, which a text edit cannot do. */
function listMoves(snapshot: Snapshot, wanted: Span, { client }: FeatureHost): readonly CodeAction[] {
  const title = 'Move it into a secret…';
  return snapshot.issues
    .filter(issue => issue.code === 'aicf/auth-field' && overlaps(issue.span, wanted))
    .map(issue => ({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [toDiagnostic(snapshot, issue, client)],
      isPreferred: true,
      command: {
        title,
        command: MOVE_CREDENTIAL_COMMAND,
        arguments: [snapshot.uri, toPosition(snapshot.document, issue.span.start)],
      },
    }));
}

function listRewrites(snapshot: Snapshot, wanted: Span, context: CodeActionContext): readonly CodeAction[] {
  const isAutomatic = context.triggerKind === CodeActionTriggerKind.Automatic;
  return snapshot.document
    .rewrites(wanted, isAutomatic ? MAX_REWRITTEN : Infinity)
    .map(({ title, edits }) => toCodeAction(snapshot, title, CodeActionKind.RefactorRewrite, edits));
}

/** The client's convert command, for the most frequent target protocols and for a free choice. */
function listConversions({ document, uri }: Snapshot, range: Range): readonly CodeAction[] {
  const wanted = toSpan(document, range);
  const isCursor = wanted.start === wanted.end;
  let message: Span | undefined;
  for (message of document.messages(wanted)) if (!isCursor) break;
  if (!message) return [];
  const place = isCursor ? toPosition(document, message.start) : range;
  const action = (title: string, ...target: readonly ConversionName[]): CodeAction => ({
    title,
    kind: CONVERT,
    command: { title, command: CONVERT_COMMAND, arguments: [uri, place, ...target] },
  });
  return [
    ...commonTargets(document.language).map(name =>
      action(`Convert to ${findConversion(name)?.short ?? name}`, name),
    ),
    action('Convert to…'),
  ];
}

function commonTargets(language: LanguageId): readonly ConversionName[] {
  return isMessageLanguage(language) ? COMMON_TARGETS[language] : [];
}

function fixAll(snapshot: Snapshot): readonly CodeAction[] {
  const edits = snapshot.fixAll();
  return edits.length === 0 ? [] : [toCodeAction(snapshot, 'Apply all safe fixes', FIX_ALL, edits)];
}

function toCodeAction(
  { document, uri }: Snapshot,
  title: string,
  kind: CodeActionKind,
  edits: readonly TextEdit[],
): CodeAction {
  return { title, kind, edit: { changes: { [uri]: toTextEdits(document, edits) } } };
}

/**
 * True if a kind is requested. Kinds are hierarchical: an empty kind includes all, `quickfix.parley` is
 * narrower than ours.
 */
function isRequested({ only }: CodeActionContext, kind: CodeActionKind): boolean {
  return only?.some(wanted => wanted === '' || wanted === kind || kind.startsWith(`${wanted}.`)) ?? true;
}

/** True for our own diagnostic as sent back by the client, which may have added properties. */
function isSame(sent: Diagnostic, own: Diagnostic): boolean {
  return (
    sent.source === own.source &&
    sent.code === own.code &&
    sent.message === own.message &&
    isSamePlace(sent.range.start, own.range.start) &&
    isSamePlace(sent.range.end, own.range.end)
  );
}

function isSamePlace(a: Position, b: Position): boolean {
  return a.line === b.line && a.character === b.character;
}

function overlaps(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}
