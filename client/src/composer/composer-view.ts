import {
  languages,
  Uri,
  window,
  workspace,
  type Disposable,
  type Memento,
  type WebviewView,
  type WebviewViewProvider,
} from 'vscode';
import { describeOutcome } from '../../../protocol/src/trace/words.ts';
import {
  isDraft,
  isFromComposer,
  type ComposerState,
  type Draft,
  type FromComposer,
  type ToComposer,
} from '../../../protocol/src/wire/composer-messages.ts';
import type { AgentService } from '../agent-service.ts';
import { DisposableStore } from '../dispose.ts';
import { describeError } from '../log.ts';
import { showError } from '../messages.ts';
import { fillView, type Page } from '../panels/panel-host.ts';
import { buildReplyTitle } from '../replies/reply-title.ts';
import { runCall } from '../run-call.ts';
import type { Services } from '../services.ts';
import { maySend, UNTRUSTED } from '../trust.ts';
import { findFault, readDraft, readWords } from './draft-request.ts';

/** What was written last in this workspace. */
const DRAFT_KEY = 'composerDraft';
const EMPTY: Draft = { agent: '', form: 'plain', text: '' };

/** So much of a reply the panel shows; the editor has all of it. */
const LONGEST_REPLY = 200_000;

/** A reply that grows is drawn at most this often, in milliseconds. */
const REDRAW = 100;

/** The Compose view: a request without a file. Its reply grows below it. */
export class ComposerView implements WebviewViewProvider, Disposable {
  readonly #extension: Uri;
  readonly #services: Services;
  readonly #agents: AgentService;
  readonly #state: Memento;
  readonly #store = new DisposableStore();
  #page: Page<ToComposer> | undefined;
  #draft: Draft;
  #reply = '';
  #title = '';
  #language = 'plaintext';
  #status: ComposerState = { type: 'state', state: 'idle', words: '' };
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(extension: Uri, services: Services, agents: AgentService, state: Memento) {
    this.#extension = extension;
    this.#services = services;
    this.#agents = agents;
    this.#state = state;
    const kept: unknown = state.get(DRAFT_KEY);
    this.#draft = isDraft(kept) ? kept : EMPTY;
    this.#store.add(agents.onDidChange(() => this.#run(this.#show())));
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
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #receive(message: FromComposer): void {
    if ('draft' in message) this.#draft = message.draft;
    switch (message.type) {
      case 'ready':
        this.#run(this.#show());
        return;
      case 'draft':
        this.#run(Promise.resolve(this.#state.update(DRAFT_KEY, this.#draft)));
        return;
      case 'send':
        this.#run(this.#send());
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
    }
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => showError(`The composer failed: ${describeError(error)}`));
  }

  async #show(): Promise<void> {
    const { agents } = await this.#agents.list();
    const names = agents.map(({ name }) => name);
    const agent = names.includes(this.#draft.agent) ? this.#draft.agent : (names[0] ?? '');
    this.#draft = { ...this.#draft, agent };
    this.#page?.post({ type: 'show', agents: names, draft: this.#draft });
    this.#page?.post(this.#status);
    this.#draw();
  }

  async #send(): Promise<void> {
    const { agent, form, text } = this.#draft;
    if (this.#running) return;
    if (!maySend()) return this.#tell('error', UNTRUSTED);
    if (agent === '') return this.#tell('error', 'Choose an agent first.');
    if (text.trim() === '') return this.#tell('error', 'Write something first.');
    const fault = findFault(this.#draft);
    if (fault !== undefined) return this.#tell('error', fault);
    const request = readDraft(this.#draft);
    const stop = (this.#running = new AbortController());
    this.#reply = '';
    this.#title = request.title;
    this.#language = request.language;
    this.#draw();
    this.#tell('working', `Waiting for ${agent}`);
    const call = {
      agent,
      title: request.title,
      wireText: request.text,
      language: request.language,
      doubtful: 'hold',
      timeout: undefined,
    } as const;
    const onProgress = (added: string): void => {
      this.#reply += added;
      this.#timer ??= setTimeout(() => this.#draw(), REDRAW);
    };
    try {
      const again = (): unknown => this.#send();
      const sent = await runCall(this.#services, this.#agents, call, {
        stop,
        again,
        onProgress,
        reply: 'none',
      });
      const { outcome } = sent;
      this.#reply = (form === 'plain' && outcome.isProtocol && readWords(outcome.text)) || outcome.text;
      const duration = this.#services.traces.findCall(sent.call)?.node.duration;
      const { status, code, message } = outcome;
      const node = { status, code, duration, wire: [] };
      const words = describeOutcome(node);
      this.#title = buildReplyTitle(request.title, node);
      this.#language = form !== 'plain' && outcome.isProtocol ? request.language : 'plaintext';
      this.#tell(status === 'ok' ? 'ok' : 'error', message === undefined ? words : `${words}: ${message}`);
    } finally {
      this.#running = undefined;
      this.#draw();
    }
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const left = this.#reply.length - LONGEST_REPLY;
    const text =
      left > 0
        ? `${this.#reply.slice(0, LONGEST_REPLY)}\n… ${left} more characters; open the reply to see them.`
        : this.#reply;
    this.#page?.post({ type: 'reply', text });
  }

  #tell(state: ComposerState['state'], words: string): void {
    this.#status = { type: 'state', state, words };
    this.#page?.post(this.#status);
  }

  async #openReply(): Promise<void> {
    const uri = this.#services.replies.add(this.#title, this.#reply);
    const document = await workspace.openTextDocument(uri);
    await languages.setTextDocumentLanguage(document, this.#language);
    await window.showTextDocument(document, { preview: true });
  }
}

/** The draft as a file's text, with the name of its agent above it. */
function printFile(draft: Draft): { readonly language: string; readonly content: string } {
  const { language, text } = readDraft(draft);
  const agent = draft.agent === '' ? '' : `# @agent ${draft.agent}\n`;
  return { language, content: `${agent}${text}\n` };
}

async function openAsFile(draft: Draft): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument(printFile(draft)));
}

async function saveAsFile(draft: Draft): Promise<void> {
  const { language, content } = printFile(draft);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const uri = await window.showSaveDialog({
    filters: { Requests: [language] },
    ...(folder && { defaultUri: Uri.joinPath(folder, `request.${language}`) }),
  });
  if (!uri) return;
  await workspace.fs.writeFile(uri, new TextEncoder().encode(content));
  await window.showTextDocument(uri);
}
