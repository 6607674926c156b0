import { languages, window, workspace, type Event, type LanguageStatusItem, type TextDocument } from 'vscode';
import { findDialect, type LanguageId } from '../../../../core/catalog/languages.ts';
import type { DialectReadParams } from '../../../../wire/server-messages.ts';
import { commandOf } from '../../window/messages.ts';
import type { DisposableStore } from '../../base/dispose.ts';
import { REPLY_SCHEME } from '../../replies/reply-documents.ts';
import { setLanguageStatus } from '../../window/sinks/labels.ts';

const AICF: LanguageId = 'aicf';

/**
 * Shows in a language status item the dialect of the AICF file in front, the reason, and a command to change it.
 * `onDidRead` fires with the dialect in which the server reads a file.
 */
export function showDialect(
  store: DisposableStore,
  item: LanguageStatusItem,
  onDidRead: Event<DialectReadParams>,
): void {
  const readings = new Map<string, DialectReadParams>();
  const update = (): void => {
    const document = window.activeTextEditor?.document;
    const reading = document && isShownFor(document) ? readings.get(document.uri.toString()) : undefined;
    item.selector = reading ? { language: AICF } : [];
    if (!reading) return;
    setLanguageStatus(item, findDialect(reading.dialect)?.title ?? reading.dialect, reading.reason);
  };
  store.add(item);
  item.name = 'AICF dialect';
  item.command = commandOf('parley.pickDialect', 'Change');
  store.add(
    onDidRead(reading => {
      const before = readings.get(reading.uri);
      readings.set(reading.uri, reading);
      update();
      if (before && before.dialect !== reading.dialect) askForOutlines();
    }),
  );
  store.add(window.onDidChangeActiveTextEditor(update));
  store.add(workspace.onDidCloseTextDocument(({ uri }) => readings.delete(uri.toString())));
  update();
}

/** Replies are excluded, because they come from an agent and are never memory files. */
function isShownFor({ languageId, uri }: TextDocument): boolean {
  return languageId === AICF && uri.scheme !== REPLY_SCHEME;
}

/**
 * Makes VS Code request outlines again. It does so after an edit or a change of providers, and a server
 * cannot request it, so a provider is registered and removed.
 */
function askForOutlines(): void {
  languages.registerDocumentSymbolProvider(AICF, { provideDocumentSymbols: () => [] }).dispose();
}
