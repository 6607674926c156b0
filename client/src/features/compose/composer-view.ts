import {
  commands,
  env,
  window,
  workspace,
  type Disposable,
  type Uri,
  type WebviewView,
  type WebviewViewProvider,
} from 'vscode';
import { protocolRow } from '../../../../core/catalog/protocols.ts';
import {
  isFromComposer,
  isTextMode,
  type ComposerMode,
  type ComposerReply,
  type DraftStep,
  type FromComposer,
  type ShowCall,
  type ToComposer,
} from '../../../../wire/composer-messages.ts';
import type { AgentInfo, AgentService } from '../../services/agent-service.ts';
import { DisposableStore } from '../../base/dispose.ts';
import { describeError } from '../../base/log.ts';
import { CallParts } from '../../trace/call-parts.ts';
import { askToOpen } from '../../window/ask-to-open.ts';
import { runCommand, showError } from '../../window/messages.ts';
import { fillView, type Page } from '../../window/panel-host.ts';
import type { SendOptions } from '../../sending/send.ts';
import type { Shared } from '../feature.ts';
import { Chat } from './chat.ts';
import { openAsFile, saveAsFile } from './draft-file.ts';
import { exampleOf, type TextDraft } from './draft-request.ts';
import { listModes } from './modes.ts';
import { RequestRun } from './request-run.ts';
import { StoredDrafts } from './stored-drafts.ts';
import { TextRequests } from './text-requests.ts';
import { Tools } from './tools.ts';

const NO_REPLY: ComposerReply = { state: 'idle', words: '', call: '' };

/** The selected agent and how the user writes to it. */
interface Selection {
  readonly agent: AgentInfo;
  readonly mode: ComposerMode;
}

/** The Compose view: requests without a file, in the way that the selected agent takes. */
export class ComposerView implements WebviewViewProvider, Disposable {
  readonly #extension: Uri;
  readonly #services: Shared;
  readonly #agents: AgentService;
  readonly #store = new DisposableStore();
  readonly #drafts: StoredDrafts;
  readonly #parts: CallParts;
  readonly #chat: Chat;
  readonly #tools: Tools;
  readonly #texts: TextRequests;
  #page: Page<ToComposer> | undefined;
  #selection: Selection | undefined;
  #choice = 0;
  /** The last reply of each agent in each mode but the chat, and the running requests. */
  readonly #replies = new Map<string, ComposerReply>();
  readonly #running = new Map<string, RequestRun>();

  constructor(extension: Uri, services: Shared, agents: AgentService) {
    this.#extension = extension;
    this.#services = services;
    this.#agents = agents;
    const post = (message: ToComposer): void => this.#page?.post(message);
    this.#drafts = new StoredDrafts(services.context.workspaceState);
    this.#parts = new CallParts(services.source);
    this.#texts = this.#store.add(new TextRequests(services, post));
    this.#chat = this.#store.add(
      new Chat(services, agents, { source: services.source, parts: this.#parts }, post),
    );
    this.#tools = new Tools(services, agents, post, (agent, words) => this.#begin(agent, 'tools', words));
    this.#store.add(agents.onDidChange(() => this.#run(this.#show('stays'))));
    this.#store.add(services.compose.onDidChoose(how => this.#run(this.#choose(how))));
    this.#store.add(
      agents.onDidChangeCapabilities(agent => {
        const isShown = this.#selection?.mode === 'tools' && this.#selection.agent.name === agent;
        if (isShown) this.#tools.show(agent);
      }),
    );
    // A refusal because of missing trust no longer applies.
    this.#store.add(workspace.onDidGrantWorkspaceTrust(() => this.#forgetRefusals()));
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
    for (const { stop } of this.#running.values()) stop.abort();
    this.#tools.stop();
    this.#store.dispose();
  }

  #receive(message: FromComposer): void {
    switch (message.type) {
      case 'ready':
        this.#choice = 0;
        return this.#run(this.#show('stays'));
      case 'choose':
        this.#choice = message.choice;
        this.#run(this.#drafts.choose(message.agent, message.mode));
        return this.#run(this.#show('stays'));
      case 'draft':
      case 'complete':
      case 'send':
      case 'sendAnyway':
      case 'open':
      case 'save':
        return this.#run(this.#step(message));
      case 'attach':
        return this.#chat.attach(message.files);
      case 'detach':
        return this.#chat.detach(message.file);
      case 'pickFiles':
        return this.#run(this.#chat.pickFiles());
      case 'turnStep':
        return this.#run(this.#chat.step(message));
      case 'newConversation':
        if (this.#selection) this.#chat.restart(this.#selection.agent.name);
        return;
      case 'stop':
        return this.#stop();
      case 'openTool':
        return this.#tools.open(message.tool);
      case 'form':
        return this.#tools.receive(message.message);
      case 'loadTools':
        return this.#run(this.#tools.load());
      case 'addAgent':
        return runCommand('parley.addAgent');
      case 'openLink':
        return askToOpen(message.text);
      case 'copy':
        return void env.clipboard.writeText(message.text);
      case 'showCall':
        return showCall(message);
    }
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => showError(`Compose failed: ${describeError(error)}`));
  }

  /** Takes the agent that another feature chose. */
  async #choose(how: 'shown' | 'quiet'): Promise<void> {
    await this.#drafts.choose(this.#services.compose.agent, undefined);
    if (how === 'shown') await commands.executeCommand('parley.composer.focus');
    await this.#show(how === 'shown' ? 'moves' : 'stays');
  }

  /** Sends everything to the page. `focus` moves into the input, or stays where it is. */
  async #show(focus: 'stays' | 'moves'): Promise<void> {
    const choice = this.#choice;
    const { agents } = await this.#agents.list();
    const agent = agents.find(({ name }) => name === this.#drafts.agent) ?? agents[0];
    const own = agent ? listModes(agent.protocol) : [];
    const last = agent && this.#drafts.modeOf(agent.name);
    const mode = own.find(each => each === last) ?? own[0] ?? 'chat';
    this.#selection = agent && { agent, mode };
    const { name, protocol } = agent ?? { name: '', protocol: '' };
    this.#page?.post({
      type: 'show',
      agents: agents.map(each => ({
        name: each.name,
        protocol: protocolRow(each.protocol).short,
        modes: listModes(each.protocol),
      })),
      draft: { agent: name, mode, text: this.#drafts.textOf(protocol, mode) },
      example: agent ? exampleOf(agent.protocol, mode) : '',
      choice,
      takesFocus: focus === 'moves',
    });
    if (!agent) return;
    if (mode === 'chat') this.#chat.show(name);
    else if (mode === 'tools') this.#tools.show(name);
    this.#page?.post({ type: 'reply', reply: this.#replies.get(keyOf(name, mode)) ?? NO_REPLY });
  }

  async #step({ type, draft, number, cursor }: DraftStep): Promise<void> {
    const selected = this.#selection;
    // The page has not shown another selection yet.
    if (draft.agent !== selected?.agent.name || draft.mode !== selected.mode) return;
    const { agent, mode } = selected;
    if (type === 'draft') this.#run(this.#drafts.write(draft, agent.protocol));
    if (type === 'send' && mode === 'chat') {
      await this.#drafts.write({ ...draft, text: '' }, agent.protocol);
      return this.#chat.say(agent.name, draft.text);
    }
    if (!isTextMode(mode)) return;
    const text: TextDraft = { agent: agent.name, protocol: agent.protocol, mode, text: draft.text };
    const step = { draft: text, number, cursor };
    this.#texts.newest = number;
    switch (type) {
      case 'draft':
        return this.#texts.check(step);
      case 'complete':
        return this.#texts.complete(step);
      case 'send':
        return this.#send(step, 'hold');
      case 'sendAnyway':
        return this.#send(step, 'send');
      case 'open':
        return openAsFile(text);
      case 'save':
        return saveAsFile(text);
    }
  }

  async #send(step: Parameters<TextRequests['send']>[0], errors: SendOptions['errors']): Promise<void> {
    const { agent, mode, text } = step.draft;
    const key = keyOf(agent, mode);
    if (this.#running.has(key)) return;
    const run = this.#begin(agent, mode, `Waiting for ${agent}`);
    if (text.trim() === '') return run.refuse('Write a request first.');
    this.#running.set(key, run);
    try {
      await this.#texts.send(step, run, errors);
    } finally {
      this.#running.delete(key);
    }
  }

  #begin(agent: string, mode: ComposerMode, words: string): RequestRun {
    const key = keyOf(agent, mode);
    const replies = { source: this.#services.source, parts: this.#parts };
    return new RequestRun(replies, words, reply => {
      this.#replies.set(key, reply);
      const { agent: shown, mode: own } = this.#selection ?? {};
      if (shown?.name === agent && own === mode) this.#page?.post({ type: 'reply', reply });
    });
  }

  #stop(): void {
    if (!this.#selection) return;
    const { agent, mode } = this.#selection;
    if (mode === 'chat') this.#chat.stop(agent.name);
    else this.#running.get(keyOf(agent.name, mode))?.stop.abort();
  }

  #forgetRefusals(): void {
    this.#chat.trust();
    for (const [key, { call }] of this.#replies) if (call === '') this.#replies.delete(key);
    this.#run(this.#show('stays'));
  }
}

function showCall({ what, call }: ShowCall): void {
  if (what === 'timeline') runCommand('parley.openCall', call);
  else runCommand('parley.showRaw', call);
}

function keyOf(agent: string, mode: ComposerMode): string {
  return JSON.stringify([agent, mode]);
}
