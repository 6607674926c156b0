import { ThemeIcon, window, type QuickPickItem } from 'vscode';
import { AICF_DIALECTS, findDialect, type AicfDialect } from '../../../../core/catalog/languages.ts';
import { showWarning } from '../../window/messages.ts';
import { findCursor, readLanguage, readUri } from '../../targets/arguments.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';

/** A dialect for a file; undefined detects it. */
type Choice = { readonly dialect: AicfDialect | undefined };

const DETECT = 'auto';

/**
 * Chooses the dialect of an AICF file: the file in front, with a question to the user; or file and dialect
 * from the arguments, where `auto` means detection.
 */
export const pickDialect: Command = async ({ dialects }, [uriArgument, dialectArgument]) => {
  const uri = readUri(uriArgument) ?? findAicfInFront();
  if (!uri) return showWarning('Open an .aicf file first: only these files have two dialects.');
  const key = uri.toString();
  const choice = readChoice(dialectArgument) ?? (await askForChoice(dialects.find(key)));
  if (choice) await dialects.set(key, choice.dialect);
};

function findAicfInFront(): ReturnType<typeof readUri> {
  const isAicf = readLanguage(window.activeTextEditor?.document.languageId ?? '') === 'aicf';
  return isAicf ? findCursor()?.uri : undefined;
}

function readChoice(value: unknown): Choice | undefined {
  if (value === DETECT) return { dialect: undefined };
  const row = findDialect(value);
  return row && { dialect: row.name };
}

async function askForChoice(current: AicfDialect | undefined): Promise<Choice | undefined> {
  const items: (QuickPickItem & Choice)[] = [
    { label: 'Detect', detail: 'By the first lines of the file.', dialect: undefined },
    ...AICF_DIALECTS.map(row => ({ label: row.title, detail: row.summary, dialect: row.name })),
  ].map(item => ({
    ...item,
    iconPath: new ThemeIcon(item.dialect === current ? 'check' : 'blank'),
  }));
  return pickItem(items, { title: 'Read this file as' });
}
