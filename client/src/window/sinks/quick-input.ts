import {
  window,
  type CancellationToken,
  type InputBoxOptions,
  type InputBoxValidationMessage,
  type QuickPick,
  type QuickPickItem,
  type QuickPickOptions,
} from 'vscode';
import { escapeLabel, escapePrompt } from './escape.ts';

/**
 * Shows a list and returns the item that the user picks; undefined if the list was closed. Labels are shown
 * literally.
 */
export async function pickItem<Item extends QuickPickItem>(
  items: readonly Item[],
  options: QuickPickOptions,
): Promise<Item | undefined> {
  const picked = await window.showQuickPick(items.map(toRow), { ...options, canPickMany: false });
  return picked?.item;
}

/** Shows a list in which several items can be picked; undefined if it was closed. Labels are shown literally. */
export async function pickItems<Item extends QuickPickItem>(
  items: readonly Item[],
  options: QuickPickOptions,
): Promise<readonly Item[] | undefined> {
  const picked = await window.showQuickPick(items.map(toRow), { ...options, canPickMany: true });
  return picked?.map(({ item }) => item);
}

/** Shows names and returns the one that the user picks; undefined if the list was closed. */
export async function pickName(
  names: readonly string[],
  options: QuickPickOptions,
): Promise<string | undefined> {
  const items = names.map(label => ({ label }));
  return (await pickItem(items, options))?.label;
}

/** Creates a list with its own buttons or filter; `showItems` fills it. */
export function createPick<Item extends QuickPickItem>(): QuickPick<Item> {
  return window.createQuickPick<Item>();
}

/** Fills a list and returns its items. Labels are shown literally. */
export function showItems<Item extends QuickPickItem>(
  pick: QuickPick<Item>,
  items: readonly Item[],
): readonly Item[] {
  return (pick.items = items.map(escapeItem));
}

/** Asks for a text; undefined if the box was closed. Prompt and validation messages are shown literally. */
export function askText(options: InputBoxOptions, token?: CancellationToken): Thenable<string | undefined> {
  const shown: InputBoxOptions = {
    ...options,
    ...(options.prompt === undefined ? {} : { prompt: escapePrompt(options.prompt) }),
    ...(options.validateInput && {
      validateInput: async text => escapeFault(await options.validateInput?.(text)),
    }),
  };
  return window.showInputBox(shown, token);
}

type Fault = string | InputBoxValidationMessage | null | undefined;

function escapeFault(fault: Fault): Fault {
  if (typeof fault === 'string') return escapePrompt(fault);
  return fault && { ...fault, message: escapePrompt(fault.message) };
}

function toRow<Item extends QuickPickItem>(item: Item): QuickPickItem & { readonly item: Item } {
  return { ...escapeItem(item), item };
}

function escapeItem<Item extends QuickPickItem>(item: Item): Item {
  const { label, description, detail } = item;
  return {
    ...item,
    label: escapeLabel(label),
    ...(description === undefined ? {} : { description: escapeLabel(description) }),
    ...(detail === undefined ? {} : { detail: escapeLabel(detail) }),
  };
}
