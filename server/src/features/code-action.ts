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
import { COMMON_TARGETS, findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';
import { obviousFix } from '../../../language/fix-all.ts';
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

/** An editor asks after each move of the cursor: for longer messages rewrites are found only when a user asks. */
const MOST_REWRITTEN = 20_000;

/** The fixes of the issues in a range, other ways to write what stands there, and all safe fixes at once; conversions. */
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
      ...(isAsked(context, CodeActionKind.QuickFix) ? listFixes(snapshot, wanted, context, host) : []),
      ...(isAsked(context, CodeActionKind.RefactorRewrite) ? listRewrites(snapshot, wanted, context) : []),
      ...(host.options().canSend && isAsked(context, CodeActionKind.QuickFix)
        ? listMoves(snapshot, wanted, host)
        : []),
      ...(host.options().canConvert && isAsked(context, CONVERT) ? listConversions(snapshot, range) : []),
      // It looks at the whole file, so that it must be asked for, as an editor does when it saves.
      ...(context.only && isAsked(context, FIX_ALL) ? fixAll(snapshot) : []),
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

/** A credential goes into the client's store of secrets, which no edit of the text could do. */
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
    .rewrites(wanted, isAutomatic ? MOST_REWRITTEN : Infinity)
    .map(({ title, edits }) => toCodeAction(snapshot, title, CodeActionKind.RefactorRewrite, edits));
}

/** The client's command, which shows the result as it likes: for the protocols that are asked for most, and for any. */
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
    ...COMMON_TARGETS[document.language].map(name =>
      action(`Convert to ${findConversion(name)?.short ?? name}`, name),
    ),
    action('Convert to…'),
  ];
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

/** Kinds are paths: an empty kind holds all, `quickfix.parley` is narrower than ours. */
function isAsked({ only }: CodeActionContext, kind: CodeActionKind): boolean {
  return only?.some(asked => asked === '' || asked === kind || kind.startsWith(`${asked}.`)) ?? true;
}

/** True for a diagnostic of ours that the client sends back; what it adds of its own is kept. */
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
