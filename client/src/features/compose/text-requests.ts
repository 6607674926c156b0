import { Position, type TextDocument } from 'vscode';
import { CompletionRequest, DocumentDiagnosticRequest, SemanticTokensRequest } from 'vscode-languageclient';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import type { ToComposer } from '../../../../wire/composer-messages.ts';
import { requestAtLine } from '../../../../wire/composer-texts.ts';
import { Owner } from '../../base/dispose.ts';
import { ComposeDocument } from '../../sending/compose-document.ts';
import { sendAt, type SendOptions } from '../../sending/send.ts';
import type { Shared } from '../feature.ts';
import { listIssues, listProposals, listTokens } from './draft-checks.ts';
import { printDraft, type TextDraft } from './draft-request.ts';
import type { RequestRun } from './request-run.ts';

/** Longer drafts are not coloured, because the page moves all coloured ranges with each key. */
const LONGEST_COLOURED = 20_000;

/** A draft as a document. `head` is the offset at which the user's text begins. */
interface OpenDraft {
  readonly document: TextDocument;
  readonly head: number;
  /** The positions in the document at which its requests begin. */
  readonly requests: readonly LinePosition[];
}

/** A draft with its number, and the cursor as an offset in its text. */
export interface TextStep {
  readonly draft: TextDraft;
  readonly number: number;
  readonly cursor: number;
}

/** Requests without a file. They are checked, completed and sent like requests in a file. */
export class TextRequests extends Owner {
  readonly #services: Shared;
  readonly #post: (message: ToComposer) => void;
  readonly #document = this.own(new ComposeDocument());
  /** The number of the latest draft. */
  newest = 0;

  constructor(services: Shared, post: (message: ToComposer) => void) {
    super();
    this.#services = services;
    this.#post = post;
  }

  /** Sends the issues, colours and request positions of a draft to the page. */
  async check({ draft, number }: TextStep): Promise<void> {
    // An empty draft does not start the language server.
    if (draft.text.trim() === '')
      return this.#post({ type: 'checked', draft: number, issues: [], tokens: [], requests: [] });
    const open = await this.#open(draft);
    // A newer draft has its own check.
    if (number !== this.newest) return;
    const { server } = this.#services;
    const textDocument = { uri: open.document.uri.toString() };
    const [problems, colours] = await Promise.all([
      server.ask(DocumentDiagnosticRequest.type, { textDocument }),
      server.ask(SemanticTokensRequest.type, { textDocument }),
    ]);
    const headLines = open.document.positionAt(open.head).line;
    this.#post({
      type: 'checked',
      draft: number,
      issues: listIssues(open, problems.kind === 'full' ? problems.items : []),
      tokens: draft.text.length > LONGEST_COLOURED ? [] : listTokens(open, colours?.data ?? []),
      requests: open.requests.map(({ line }) => line - headLines),
    });
  }

  async complete({ draft, number, cursor }: TextStep): Promise<void> {
    const open = await this.#open(draft);
    const position = open.document.positionAt(open.head + cursor);
    const textDocument = { uri: open.document.uri.toString() };
    const found = await this.#services.server.ask(CompletionRequest.type, { textDocument, position });
    const items = Array.isArray(found) ? found : (found?.items ?? []);
    this.#post({ type: 'proposals', draft: number, items: listProposals(open, items, cursor) });
  }

  /** Sends the request at the cursor. */
  async send({ draft, cursor }: TextStep, run: RequestRun, errors: SendOptions['errors']): Promise<void> {
    const { requests, document, head } = await this.#open(draft);
    const at = requestAtLine(
      requests.map(each => each.line),
      document.positionAt(head + cursor).line,
    );
    const position = requests[at];
    if (!position) return run.refuse(NO_REQUEST);
    const { line, character } = position;
    const which = requests.length === 1 ? '' : `Request ${at + 1} of ${requests.length}: `;
    const options = { errors, host: run.host };
    const sent = await sendAt(this.#services, document.uri, new Position(line, character), options);
    await run.finish(sent, which);
  }

  async #open(draft: TextDraft): Promise<OpenDraft> {
    const { text, head, ending } = printDraft(draft);
    const document = await this.#document.write(ending, text);
    const requests = await this.#services.server.requestsIn(document.uri, undefined);
    return { document, head, requests };
  }
}

const NO_REQUEST = 'There is no request in this text yet.';
