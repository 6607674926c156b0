import {
  CodeLens,
  languages,
  Range,
  type CodeLensProvider,
  type Disposable,
  type TextDocument,
} from 'vscode';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { maySend } from '../../base/trust.ts';
import type { CommandName } from '../manifests.ts';
import { listRequestLines } from './selected-text.ts';

const SEND_TEXT: CommandName = 'parley.sendText';
const LANGUAGES = ['json', 'jsonc', 'jsonl', 'markdown'] as const;

/** Send lenses above requests in JSON in documents of other languages. */
export function registerTextLenses(): Disposable {
  return languages.registerCodeLensProvider(
    LANGUAGES.map(language => ({ language })),
    PROVIDER,
  );
}

const PROVIDER: CodeLensProvider = {
  provideCodeLenses(document: TextDocument): CodeLens[] {
    if (!maySend()) return [];
    const lines = document.getText().split(/\r?\n/);
    return listRequestLines(document.languageId, lines, ALL_PROTOCOLS).map(
      line =>
        new CodeLens(new Range(line, 0, line, 0), {
          title: '$(play)\u00a0Send',
          command: SEND_TEXT,
          arguments: [document.uri.toString(), { line, character: 0 }],
        }),
    );
  },
};
