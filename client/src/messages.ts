import { commands, window, type CancellationToken, type Progress, type ProgressOptions } from 'vscode';
import type { CommandName } from './commands/names.ts';
import { escapeNotification, escapePrompt } from './sinks/escape.ts';
import { showControls } from '../../core/text/quote.ts';

/** The buttons of a message, by their labels, with what they do. */
export type Actions = ReadonlyMap<string, () => unknown>;

/** Runs a command of ours without waiting: what it throws, its own guard has told the user. */
export function runCommand(name: CommandName, ...args: readonly unknown[]): void {
  void commands.executeCommand(name, ...args);
}

/** An error for the user, always with the way to the log. Does not wait for the answer. */
export function showError(message: string, actions: Actions = new Map()): void {
  const all: Actions = new Map([...actions, ['Show log', () => runCommand('parley.showLog')]]);
  void runChosen(window.showErrorMessage(escapeNotification(message), ...all.keys()), all);
}

/** Something that a user should know, with what can be done. Does not wait for the answer. */
export function showInformation(message: string, actions: Actions): void {
  void runChosen(askInNotification(message, ...actions.keys()), actions);
}

/** Something that stops a step, with the ways on. Does not wait for the answer. */
export function showWarning(message: string, actions: Actions): void {
  void runChosen(window.showWarningMessage(escapeNotification(message), ...actions.keys()), actions);
}

/** Shows an information with buttons and returns the button that the user chooses; undefined where it was closed. */
export function askInNotification(
  message: string,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return window.showInformationMessage(escapeNotification(message), ...buttons);
}

/**
 * Asks in a dialog that has to be answered before anything else, and returns the button that the user chooses; undefined where it
 * was closed. VS Code shows the texts of dialogs literally.
 */
export function askInDialog(
  question: string,
  detail: string | undefined,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  const options = { modal: true, ...(detail === undefined ? {} : { detail: showControls(detail) }) };
  return window.showWarningMessage(showControls(question), options, ...buttons);
}

/** Shows a text in the status bar for a time, in milliseconds. */
export function showInStatusBar(text: string, milliseconds: number): void {
  window.setStatusBarMessage(escapePrompt(text), milliseconds);
}

/** What a step of a progress reports. */
interface ProgressStep {
  readonly message?: string;
  readonly increment?: number;
}

/** Runs a task while VS Code shows its progress. The title and the messages of steps are shown literally. */
export function withProgress<Result>(
  options: ProgressOptions,
  task: (progress: Progress<ProgressStep>, token: CancellationToken) => Thenable<Result>,
): Thenable<Result> {
  const { title } = options;
  const shown = { ...options, ...(title === undefined ? {} : { title: escapePrompt(title) }) };
  return window.withProgress(shown, (progress, token) => {
    const report = (step: ProgressStep): void => {
      const { message } = step;
      progress.report({ ...step, ...(message === undefined ? {} : { message: escapePrompt(message) }) });
    };
    return task({ report }, token);
  });
}

async function runChosen(answer: Thenable<string | undefined>, actions: Actions): Promise<void> {
  const chosen = await answer;
  if (chosen !== undefined) await actions.get(chosen)?.();
}
