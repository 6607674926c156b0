import { commands } from 'vscode';
import type { ContextKey } from '../features/manifest.ts';

/** Sets a context key. Not awaited, because a short delay of a menu is harmless. */
export function setContext(key: ContextKey, value: unknown): void {
  void commands.executeCommand('setContext', `parley.${key}`, value);
}
