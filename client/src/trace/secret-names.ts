import { workspace, type Disposable } from 'vscode';
import { setSecretNames } from '../../../core/secrets/secret-name.ts';
import { currentSettings } from '../base/settings.ts';

/** Applies the setting `parley.trace.secretNames` to redaction, now and after changes. */
export function followSecretNames(): Disposable {
  const take = (): void => setSecretNames(currentSettings()['trace.secretNames']);
  take();
  return workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration('parley.trace.secretNames')) take();
  });
}
