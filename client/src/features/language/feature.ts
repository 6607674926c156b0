import { languages } from 'vscode';
import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import { showDialect } from './dialect-status.ts';
import type { LANGUAGE } from './manifest.ts';
import { pickDialect } from './pick-dialect.ts';

/** How files are read, and the language server. */
export const activate: ActivateFeature = (shared, store) => {
  const { server, log } = shared;
  const item = languages.createLanguageStatusItem('parley.dialect', []);
  showDialect(store, item, server.onDidReadDialect);
  registerCommands<typeof LANGUAGE, Shared>(store, shared, {
    pickDialect,
    showLog: () => log.show(),
    restartServer: () => server.restart(),
  });
};
