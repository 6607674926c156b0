import { workspace } from 'vscode';
import { readSettings, type Settings } from '../../../core/catalog/settings.ts';

/** The settings of the window as they are now. */
export function currentSettings(): Settings {
  const section = workspace.getConfiguration('parley');
  return readSettings(key => section.get(key));
}
