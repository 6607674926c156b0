import { workspace } from 'vscode';
import { readSettings, type Settings } from '../../../core/catalog/settings.ts';

/** The current settings of the window. */
export function currentSettings(): Settings {
  const section = workspace.getConfiguration('parley');
  return readSettings(key => section.get(key));
}
