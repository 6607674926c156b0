import {
  commands,
  window,
  type CancellationToken,
  type Command,
  type Progress,
  type ProgressOptions,
} from 'vscode';
import type { CommandName } from '../features/manifests.ts';
import { escapeNotification, escapePrompt } from './sinks/escape.ts';
import { showControls } from '../../../core/text/quote.ts';

/** The buttons of a message by label, with their actions. */
export type Actions = ReadonlyMap<string, () => unknown>;

/** Runs an own command without waiting. The command itself reports its errors to the user. */
export function runCommand(name: CommandName, ...args: readonly unknown[]): void {
  void commands.executeCommand(name, ...args);
}

/** An own command for an item that runs it. */
export function commandOf(command: CommandName, title: string, ...args: unknown[]): Command {
  return { command, title, ...(args.length > 0 && { arguments: args }) };
}

/** Shows an error, always with a button for the log. Returns at once, so that a command can end with it. */
export function showError(message: string, actions: Actions = new Map()): undefined {
  const all: Actions = new Map([...actions, ['Show log', () => runCommand('parley.showLog')]]);
  void runChosen(window.showErrorMessage(escapeNotification(message), ...all.keys()), all);
}

/** Shows information with actions. Returns at once, so that a command can end with it. */
export function showInformation(message: string, actions: Actions = new Map()): undefined {
  void runChosen(askInNotification(message, ...actions.keys()), actions);
}

/** Shows a warning with actions. Returns at once, so that a command can end with it. */
export function showWarning(message: string, actions: Actions = new Map()): undefined {
  void runChosen(window.showWarningMessage(escapeNotification(message), ...actions.keys()), actions);
}

/** Shows information with buttons. Returns the chosen button; undefined if it was closed. */
export function askInNotification(
  message: string,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return window.showInformationMessage(escapeNotification(message), ...buttons);
}

/**
 * Asks in a modal dialog. Returns the chosen button; undefined if it was closed. VS Code shows texts of
 * dialogs literally.
 */
export function askInDialog(
  question: string,
  detail: string | undefined,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  const options = { modal: true, ...(detail === undefined ? {} : { detail: showControls(detail) }) };
  return window.showWarningMessage(showControls(question), options, ...buttons);
}

/** Shows a text in the status bar for a number of milliseconds. */
export function showInStatusBar(text: string, milliseconds: number): void {
  window.setStatusBarMessage(escapePrompt(text), milliseconds);
}

interface ProgressStep {
  readonly message?: string;
  readonly increment?: number;
}

/** Runs a task with a progress display. Title and messages are shown literally. */
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
