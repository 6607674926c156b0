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
  type ComposerMode,
  type ComposerReply,
  type FromComposer,
  type MessageStep,
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
import type { Shared } from '../feature.ts';
import { Chat } from './chat.ts';
import { listModes } from './modes.ts';
import { RequestRun } from './request-run.ts';
import { StoredChoices } from './stored-choices.ts';
import { Tools } from './tools.ts';
import { writeText } from './write-text.ts';

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
  readonly #stored: StoredChoices;
  readonly #parts: CallParts;
  readonly #chat: Chat;
  readonly #tools: Tools;
  #page: Page<ToComposer> | undefined;
  #selection: Selection | undefined;
  #choice = 0;
  /** The reply to the last call of a tool of each agent. */
  readonly #replies = new Map<string, ComposerReply>();

  constructor(extension: Uri, services: Shared, agents: AgentService) {
    this.#extension = extension;
    this.#services = services;
    this.#agents = agents;
    const post = (message: ToComposer): void => this.#page?.post(message);
    this.#stored = new StoredChoices(services.context.workspaceState);
    this.#parts = new CallParts(services.source);
    this.#chat = this.#store.add(
      new Chat(services, agents, { source: services.source, parts: this.#parts }, post),
    );
    this.#tools = new Tools(services, agents, post, (agent, words) => this.#begin(agent, words));
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
    this.#tools.stop();
    this.#store.dispose();
  }

  #receive(message: FromComposer): void {
    switch (message.type) {
      case 'ready':
        this.#choice = 0;
        this.#run(this.#show('stays'));
        return;
      case 'choose':
        this.#choice = message.choice;
        this.#run(this.#stored.choose(message.agent, message.mode));
        this.#run(this.#show('stays'));
        return;
      case 'draft':
      case 'send':
        this.#run(this.#step(message));
        return;
      case 'writeText':
        if (this.#selection) this.#run(writeText(this.#selection.agent));
        return;
      case 'attach':
        this.#chat.attach(message.files);
        return;
      case 'detach':
        this.#chat.detach(message.file);
        return;
      case 'pickFiles':
        this.#run(this.#chat.pickFiles());
        return;
      case 'turnStep':
        this.#run(this.#chat.step(message));
        return;
      case 'newConversation':
        if (this.#selection) this.#chat.restart(this.#selection.agent.name);
        return;
      case 'stop':
        if (this.#selection) this.#chat.stop(this.#selection.agent.name);
        return;
      case 'openTool':
        this.#tools.open(message.tool);
        return;
      case 'form':
        this.#tools.receive(message.message);
        return;
      case 'loadTools':
        this.#run(this.#tools.load());
        return;
      case 'addAgent':
        runCommand('parley.addAgent');
        return;
      case 'openLink':
        askToOpen(message.text);
        return;
      case 'copy':
        void env.clipboard.writeText(message.text);
        return;
      case 'showCall':
        showCall(message);
        return;
    }
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => showError(`Compose failed: ${describeError(error)}`));
  }

  /** Takes the agent that another feature chose. */
  async #choose(how: 'shown' | 'quiet'): Promise<void> {
    await this.#stored.choose(this.#services.compose.agent, undefined);
    if (how === 'shown') await commands.executeCommand('parley.composer.focus');
    await this.#show(how === 'shown' ? 'moves' : 'stays');
  }

  /** Sends everything to the page. `focus` moves into the input, or stays where it is. */
  async #show(focus: 'stays' | 'moves'): Promise<void> {
    const choice = this.#choice;
    const { agents } = await this.#agents.list();
    const agent = agents.find(({ name }) => name === this.#stored.agent) ?? agents[0];
    const own = agent ? listModes(agent.protocol) : [];
    const last = agent && this.#stored.modeOf(agent.name);
    const mode = own.find(each => each === last) ?? own[0] ?? 'chat';
    this.#selection = agent && { agent, mode };
    const name = agent?.name ?? '';
    this.#page?.post({
      type: 'show',
      agents: agents.map(each => ({
        name: each.name,
        protocol: protocolRow(each.protocol).short,
        modes: listModes(each.protocol),
      })),
      agent: name,
      mode,
      text: this.#stored.message,
      choice,
      takesFocus: focus === 'moves',
    });
    if (!agent) return;
    if (mode === 'chat') return this.#chat.show(name);
    this.#tools.show(name);
    this.#page?.post({ type: 'reply', reply: this.#replies.get(name) ?? NO_REPLY });
  }

  async #step({ type, agent, text }: MessageStep): Promise<void> {
    // The page has not shown another selection yet.
    if (agent !== this.#selection?.agent.name) return;
    await this.#stored.write(type === 'send' ? '' : text);
    if (type === 'send') await this.#chat.say(agent, text);
  }

  #begin(agent: string, words: string): RequestRun {
    const replies = { source: this.#services.source, parts: this.#parts };
    return new RequestRun(replies, words, reply => {
      this.#replies.set(agent, reply);
      const { agent: shown, mode } = this.#selection ?? {};
      if (shown?.name === agent && mode === 'tools') this.#page?.post({ type: 'reply', reply });
    });
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
