import type { ComposerIssue } from '../../../wire/composer-messages.ts';
import type { Span } from '../../../core/text/span.ts';
import { element } from '../shared/element.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';

const WORDS = { error: 'Error', warning: 'Warning', information: 'Note', hint: 'Hint' } as const;

/** Lists the issues that the language server found in the draft. Choosing one selects its range in the text. */
export class IssueList {
  readonly root = element('ul', { class: 'issues', attributes: { 'aria-label': 'Problems' } });
  readonly #onChoose: (span: Span) => void;

  constructor(onChoose: (span: Span) => void) {
    this.#onChoose = onChoose;
    this.show([]);
  }

  show(issues: readonly ComposerIssue[]): void {
    this.root.replaceChildren(...issues.map(issue => this.#buildRow(issue)));
    this.root.hidden = issues.length === 0;
  }

  #buildRow({ severity, message, place }: ComposerIssue): HTMLElement {
    const word = WORDS[severity];
    const icon =
      severity === 'error' || severity === 'warning'
        ? [buildStatusIcon(severity === 'error' ? 'error' : 'incomplete')]
        : [];
    const where = place
      ? element(
          'button',
          { class: 'link', attributes: { type: 'button' }, onClick: () => this.#onChoose(place) },
          `${word}, line ${place.line}`,
        )
      : element('span', { class: 'muted' }, word);
    return element('li', { class: 'issue' }, ...icon, element('span', {}, where, ` ${message}`));
  }
}
