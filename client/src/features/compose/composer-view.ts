import {
  commands,
  languages,
  Position,
  type Uri,
  window,
  workspace,
  type Disposable,
  type Memento,
  type TextDocument,
  type WebviewView,
  type WebviewViewProvider,
} from 'vscode';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import { startOf } from '../../../../core/text/utf8.ts';
import { describeOutcome } from '../../../../trace/words.ts';
import {
  isDraft,
  isFromComposer,
  requestAtLine,
  type ComposerState,
  type Draft,
  type DraftStep,
  type FromComposer,
  type ToComposer,
} from '../../../../wire/composer-messages.ts';
import type { AgentService } from '../../services/agent-service.ts';
import { Delay } from '../../base/delay.ts';
import { DisposableStore } from '../../base/dispose.ts';
import { mayGoAnyway, type Held } from '../../sending/held.ts';
import { describeError } from '../../base/log.ts';
import { runCommand, showError } from '../../window/messages.ts';
import { fillView, type Page } from '../../window/panel-host.ts';
import { buildReplyTitle } from '../../replies/reply-title.ts';
import type { CallHost, Sent } from '../../sending/run-call.ts';
import { sendAt, type SendOptions } from '../../sending/send.ts';
import { ComposeDocument } from '../../sending/compose-document.ts';
import { listIssues, listProposals, listTokens } from './draft-checks.ts';
import { openAsFile, saveAsFile } from './draft-file.ts';
import { printDraft, proposeForm, readWords, toStored } from './draft-request.ts';
import type { Shared } from '../feature.ts';

/** The memento key of the last draft in this workspace. */
const DRAFT_KEY = 'composerDraft';
const EMPTY: Draft = { agent: '', form: 'plain', text: '' };

/** The maximum length of a reply in the panel; the editor shows all of it. */
const LONGEST_REPLY = 200_000;

/** Longer drafts are not coloured, because the page moves all coloured ranges with each key. */
const LONGEST_COLOURED = 20_000;

/** The minimum interval between redraws of a growing reply, in milliseconds. */
const REDRAW = 100;

/** A draft as a document. `head` is the offset at which the user's text begins. */
interface OpenDraft {
  readonly draft: Draft;
  readonly document: TextDocument;
  readonly head: number;
  /** The positions in the document at which its requests begin. */
  readonly requests: readonly LinePosition[];
}

/** The Compose view: requests without a file. Drafts are checked, completed and sent like requests in a file. */
export class ComposerView implements WebviewViewProvider, Disposable {
  readonly #extension: Uri;
  readonly #services: Shared;
  readonly #agents: AgentService;
  readonly #state: Memento;
  readonly #store = new DisposableStore();
  readonly #document = this.#store.add(new ComposeDocument());
  #page: Page<ToComposer> | undefined;
  #draft: Draft;
  /** The number of the latest draft. */
  #newest = 0;
  #reply = '';
  #title = '';
  #language = 'plaintext';
  /** The call whose reply is shown. */
  #call = '';
  #status: ComposerState = { type: 'state', state: 'idle', words: '' };
  #running: AbortController | undefined;
  readonly #drawing = this.#store.add(new Delay(() => this.#draw()));

  constructor(extension: Uri, services: Shared, agents: AgentService, state: Memento) {
    this.#extension = extension;
    this.#services = services;
    this.#agents = agents;
    this.#state = state;
    const stored: unknown = state.get(DRAFT_KEY);
    this.#draft = isDraft(stored) ? toStored(stored) : EMPTY;
    this.#store.add(agents.onDidChange(() => this.#run(this.#show())));
    this.#store.add(services.compose.onDidChoose(how => this.#run(this.#choose(how))));
    // A refusal because of missing trust no longer applies.
    this.#store.add(workspace.onDidGrantWorkspaceTrust(() => this.#report('idle', '')));
    this.#store.add(window.registerWebviewViewProvider('parley.composer', this));
  }

  resolveWebviewView(view: WebviewView): void {
    const page = fillView<FromComposer, ToComposer>(
      this.#extension,
      view,
      { bundle: 'composer', isMessage: isFromComposer, onMessage: message => this.#receive(message) },
      () => {
        if (this.#page === page) this.#page = undefined;
      },
    );
    this.#page = page;
  }

  dispose(): void {
    this.#running?.abort();
    this.#store.dispose();
  }

  #receive(message: FromComposer): void {
    if ('draft' in message) {
      this.#draft = message.draft;
      this.#newest = message.number;
    }
    switch (message.type) {
      case 'ready':
        this.#run(this.#show());
        return;
      case 'draft':
        this.#run(Promise.resolve(this.#state.update(DRAFT_KEY, toStored(this.#draft))));
        this.#run(this.#check(message));
        return;
      case 'complete':
        this.#run(this.#complete(message));
        return;
      case 'send':
        this.#run(this.#send(message, 'stop'));
        return;
      case 'sendAnyway':
        this.#run(this.#send(message, 'anyway'));
        return;
      case 'stop':
        this.#running?.abort();
        return;
      case 'open':
        this.#run(openAsFile(this.#draft));
        return;
      case 'save':
        this.#run(saveAsFile(this.#draft));
        return;
      case 'openReply':
        this.#run(this.#openReply());
        return;
      case 'showRaw':
        runCommand('parley.showRaw', this.#call);
        return;
    }
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => showError(`The composer failed: ${describeError(error)}`));
  }

  async #show(): Promise<void> {
    const { agents } = await this.#agents.list();
    const offered = agents.map(({ name, protocol }) => ({ name, form: proposeForm(protocol) }));
    const isThere = offered.some(({ name }) => name === this.#draft.agent);
    this.#draft = { ...this.#draft, agent: isThere ? this.#draft.agent : (offered[0]?.name ?? '') };
    this.#page?.post({ type: 'show', agents: offered, draft: this.#draft });
    this.#page?.post(this.#status);
    this.#draw();
  }

  /** Takes the agent that another feature chose. */
  async #choose(how: 'shown' | 'quiet'): Promise<void> {
    const { agent } = this.#services.compose;
    const info = (await this.#agents.list()).agents.find(({ name }) => name === agent);
    // A text that was begun keeps its form.
    const form = info && this.#draft.text === '' ? proposeForm(info.protocol) : this.#draft.form;
    this.#draft = { ...this.#draft, agent, form };
    this.#report('idle', '');
    await this.#show();
    if (how === 'shown') await commands.executeCommand('parley.composer.focus');
  }

  async #open(draft: Draft): Promise<OpenDraft> {
    const { language, text, head } = printDraft(draft);
    const document = await this.#document.write(language, text);
    const requests = await this.#services.server.requestsIn(document.uri, undefined);
    return { draft, document, head, requests };
  }

  /** Sends the issues, colours and request positions of a draft to the page. */
  async #check({ draft, number }: DraftStep): Promise<void> {
    // An empty draft does not start the language server.
    if (draft.text.trim() === '')
      return this.#page?.post({ type: 'checked', draft: number, issues: [], tokens: [], requests: [] });
    const open = await this.#open(draft);
    // A newer draft has its own check.
    if (number !== this.#newest) return;
    const { server } = this.#services;
    const { uri } = open.document;
    const [problems, colours] = await Promise.all([server.problemsIn(uri), server.coloursOf(uri)]);
    const found = listIssues(open, problems);
    const headLines = open.document.positionAt(open.head).line;
    const isPlain = draft.form === 'plain';
    this.#page?.post({
      type: 'checked',
      draft: number,
      // Plain text is wrapped in a generated message, so positions in it are not meaningful.
      issues: isPlain ? found.map(({ severity, message }) => ({ severity, message })) : found,
      tokens: isPlain || draft.text.length > LONGEST_COLOURED ? [] : listTokens(open, colours),
      requests: isPlain ? [0] : open.requests.map(({ line }) => line - headLines),
    });
  }

  async #complete({ draft, number, cursor }: DraftStep): Promise<void> {
    if (draft.form === 'plain') return;
    const open = await this.#open(draft);
    const position = open.document.positionAt(open.head + cursor);
    const items = listProposals(
      open,
      await this.#services.server.proposalsAt(open.document.uri, position),
      cursor,
    );
    this.#page?.post({ type: 'proposals', draft: number, items });
  }

  async #send({ draft, cursor }: DraftStep, errors: SendOptions['errors']): Promise<void> {
    if (this.#running) return;
    if (draft.agent === '') return this.#report('error', 'Choose an agent first.');
    if (draft.text.trim() === '') return this.#report('error', 'Write something first.');
    const stop = (this.#running = new AbortController());
    try {
      const open = await this.#open(draft);
      const { requests, document, head } = open;
      const line = draft.form === 'plain' ? 0 : document.positionAt(head + cursor).line;
      const at = requestAtLine(
        requests.map(each => each.line),
        line,
      );
      const position = requests[at];
      if (!position) return this.#report('error', NO_REQUEST);
      const which = requests.length === 1 ? '' : `Request ${at + 1} of ${requests.length}: `;
      await this.#sendAt(open, position, { errors, which, stop });
    } finally {
      this.#running = undefined;
      this.#draw();
    }
  }

  async #sendAt(
    { document, draft }: OpenDraft,
    { line, character }: LinePosition,
    {
      errors,
      which,
      stop,
    }: Pick<SendOptions, 'errors'> & { readonly which: string; readonly stop: AbortController },
  ): Promise<void> {
    this.#reply = this.#call = '';
    this.#draw();
    this.#report('working', `${which}Waiting for ${draft.agent}`);
    let held: Held | undefined;
    const host: CallHost = {
      stop,
      reply: 'none',
      onHeld: reported => (held = reported),
      onProgress: added => {
        this.#reply += added;
        this.#drawing.ask(REDRAW);
      },
    };
    const position = new Position(line, character);
    const sent = await sendAt(this.#services, document.uri, position, { errors, host });
    if (held) this.#report(mayGoAnyway(held) ? 'held' : 'error', `${which}${describeHeld(held)}`);
    else if (sent) this.#showSent(sent, draft, which);
    else this.#report('idle', '');
  }

  #showSent({ call, outcome, title, language }: Sent, draft: Draft, which: string): void {
    const { status, code, message, text, isProtocol } = outcome;
    this.#reply = (draft.form === 'plain' && isProtocol && readWords(text)) || text;
    this.#call = call;
    const duration = this.#services.traces.findCall(call)?.node.duration;
    const node = { status, code, duration, wire: [] };
    const words = `${which}${describeOutcome(node)}`;
    this.#title = buildReplyTitle(title, node);
    this.#language = draft.form !== 'plain' && isProtocol ? language : 'plaintext';
    this.#report(status === 'ok' ? 'ok' : 'error', message === undefined ? words : `${words}: ${message}`);
  }

  #draw(): void {
    this.#drawing.dispose();
    const left = this.#reply.length - LONGEST_REPLY;
    const text =
      left > 0
        ? `${startOf(this.#reply, LONGEST_REPLY)}\n… ${left} more characters; open the reply to see them.`
        : this.#reply;
    this.#page?.post({ type: 'reply', text });
  }

  #report(state: ComposerState['state'], words: string): void {
    this.#status = { type: 'state', state, words };
    this.#page?.post(this.#status);
  }

  async #openReply(): Promise<void> {
    const uri = this.#services.replies.add(this.#title, this.#reply, 'whole', this.#call);
    const document = await workspace.openTextDocument(uri);
    await languages.setTextDocumentLanguage(document, this.#language);
    await window.showTextDocument(document, { preview: true });
  }
}

const NO_REQUEST =
  'There is no request in this text yet. Write one, or choose Plain text to give the agent a task in words.';

/** Errors are listed below the text with their positions, because line numbers in the document differ. */
function describeHeld({ kind, reason }: Held): string {
  return kind === 'errors' ? 'Not sent, because the request has errors.' : reason;
}
