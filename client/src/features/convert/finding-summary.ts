import {
  CodeLens,
  EventEmitter,
  languages,
  Range,
  type CodeLensProvider,
  type TextDocument,
  type Uri,
} from 'vscode';
import { countOf } from '../../../../core/text/count.ts';
import { Owner } from '../../base/dispose.ts';
import { CONVERSION_SCHEME, type ConversionView } from '../../conversion/conversion-view.ts';
import { countFindings } from '../../conversion/words.ts';

/** One line above a conversion that says what was lost; it opens the list of problems. */
export class FindingSummary extends Owner implements CodeLensProvider {
  readonly #find: (uri: Uri) => ConversionView | undefined;
  readonly #changed = this.own(new EventEmitter<void>());

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(find: (uri: Uri) => ConversionView | undefined) {
    super();
    this.#find = find;
    this.own(languages.registerCodeLensProvider({ scheme: CONVERSION_SCHEME }, this));
  }

  /** Shows the findings of a new result. */
  renew(): void {
    this.#changed.fire();
  }

  provideCodeLenses({ uri }: TextDocument): CodeLens[] {
    const result = this.#find(uri)?.result;
    if (!result) return [];
    const title = `${countOf(result.from.length, 'message')}, ${countFindings(result) ?? 'no loss'}`;
    const command = 'workbench.actions.view.problems';
    return [new CodeLens(new Range(0, 0, 0, 0), { title, tooltip: 'Show problems', command })];
  }
}
