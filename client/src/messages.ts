import { commands, window } from 'vscode';
import type { CommandName } from './commands/names.ts';

/** The buttons of a message, by their labels, with what they do. */
export type Actions = ReadonlyMap<string, () => unknown>;

/** Runs a command of ours without waiting: what it throws, its own guard has told the user. */
export function runCommand(name: CommandName, ...args: readonly unknown[]): void {
  void commands.executeCommand(name, ...args);
}

/** An error for the user, always with the way to the log. Does not wait for the answer. */
export function showError(message: string, actions: Actions = new Map()): void {
  const all: Actions = new Map([...actions, ['Show log', () => runCommand('parley.showLog')]]);
  void runChosen(window.showErrorMessage(message, ...all.keys()), all);
}

/** Something that a user should know, with what can be done. Does not wait for the answer. */
export function showInformation(message: string, actions: Actions): void {
  void runChosen(window.showInformationMessage(message, ...actions.keys()), actions);
}

/** Something that stops a step, with the ways on. Does not wait for the answer. */
export function showWarning(message: string, actions: Actions): void {
  void runChosen(window.showWarningMessage(message, ...actions.keys()), actions);
}

async function runChosen(answer: Thenable<string | undefined>, actions: Actions): Promise<void> {
  const chosen = await answer;
  if (chosen !== undefined) await actions.get(chosen)?.();
}
