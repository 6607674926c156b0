import { window, workspace, type StatusBarItem, type TextEditor, type Uri } from 'vscode';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import type { RequestAtResult } from '../../../../wire/server-messages.ts';
import type { AgentService } from '../../services/agent-service.ts';
import { findUsual } from '../../services/choose-agent.ts';
import { readLanguage } from '../../targets/arguments.ts';
import type { CommandName } from '../manifests.ts';
import { Owner } from '../../base/dispose.ts';
import type { PickedAgents } from '../../services/picked-agents.ts';
import { REPLY_SCHEME } from '../../replies/reply-documents.ts';
import { Throttle } from '../../base/throttle.ts';
import { maySend } from '../../base/trust.ts';
import { setStatusText } from '../../window/sinks/labels.ts';

const PICK_AGENT: CommandName = 'parley.pickAgent';

/** Finds the request at a position, as for sending. */
export type FindRequest = (uri: Uri, position: LinePosition) => Promise<RequestAtResult | undefined>;

/**
 * The status bar item that shows the agent for the request at the cursor. It is hidden where nothing can be
 * sent: in other files, in replies and in an untrusted workspace.
 */
export class AgentStatus extends Owner {
  readonly #agents: AgentService;
  readonly #picked: PickedAgents;
  readonly #findRequest: FindRequest;
  readonly #item: StatusBarItem;
  #updates = 0;

  /** Takes ownership of the item. */
  constructor(agents: AgentService, picked: PickedAgents, item: StatusBarItem, findRequest: FindRequest) {
    super();
    this.#agents = agents;
    this.#picked = picked;
    this.#findRequest = findRequest;
    this.#item = this.own(item);
    this.#item.name = 'Parley agent';
    this.#item.command = PICK_AGENT;
    const update = (): void => void this.#update();
    const moved = this.own(new Throttle(update));
    this.own(workspace.onDidGrantWorkspaceTrust(update));
    this.own(window.onDidChangeTextEditorSelection(() => moved.request()));
    for (const event of [window.onDidChangeActiveTextEditor, agents.onDidChange, picked.onDidChange]) {
      this.own(event(update));
    }
    update();
  }

  async #update(): Promise<void> {
    const update = ++this.#updates;
    const editor = window.activeTextEditor;
    const language = readLanguage(editor?.document.languageId ?? '');
    if (!editor || !language || editor.document.uri.scheme === REPLY_SCHEME || !maySend())
      return this.#item.hide();
    const [{ agents }, named] = await Promise.all([this.#agents.list(), this.#findNamed(editor)]);
    // The list may be slow; a newer update has replaced this one meanwhile.
    if (update !== this.#updates) return;
    const name = named ?? findUsual(agents, language, this.#picked)?.name;
    setStatusText(this.#item, name ?? 'Pick agent', 'radio-tower');
    this.#item.tooltip =
      named !== undefined
        ? `The line # @agent above this request names ${named}`
        : name
          ? `Requests are sent to ${name}, unless # @agent above them names another agent`
          : 'Pick the agent of requests';
    this.#item.accessibilityInformation = {
      label: name ? `Requests go to ${name}` : 'Pick the agent of requests',
    };
    this.#item.show();
  }

  /** The agent that the request at the cursor names with a directive. */
  async #findNamed({ document, selection }: TextEditor): Promise<string | undefined> {
    try {
      return (await this.#findRequest(document.uri, selection.active))?.directives.agent;
    } catch {
      // If the language server is not running, that is reported when something is sent.
      return undefined;
    }
  }
}
