import { window, workspace, type StatusBarItem, type TextEditor, type Uri } from 'vscode';
import type { LinePosition } from '../../../../core/text/source-text.ts';
import type { RequestAtResult } from '../../../../wire/server-messages.ts';
import type { AgentService } from '../../services/agent-service.ts';
import { findUsual } from '../../services/choose-agent.ts';
import { readLanguage } from '../../targets/arguments.ts';
import type { DisposableStore } from '../../base/dispose.ts';
import type { PickedAgents } from '../../services/picked-agents.ts';
import { REPLY_SCHEME } from '../../replies/reply-documents.ts';
import { Throttle } from '../../base/throttle.ts';
import { maySend } from '../../base/trust.ts';
import { drawStatus } from '../../window/status-bar.ts';

/** Finds the request at a position, as for sending. */
export type FindRequest = (uri: Uri, position: LinePosition) => Promise<RequestAtResult | undefined>;

/**
 * Shows in a status bar item the agent for the request at the cursor. The item is hidden where nothing can be
 * sent: in other files, in replies and in an untrusted workspace.
 */
export function showAgent(
  store: DisposableStore,
  item: StatusBarItem,
  agents: AgentService,
  picked: PickedAgents,
  findRequest: FindRequest,
): void {
  let updates = 0;
  const update = async (): Promise<void> => {
    const own = ++updates;
    const editor = window.activeTextEditor;
    const language = readLanguage(editor?.document.languageId ?? '');
    if (!editor || !language || editor.document.uri.scheme === REPLY_SCHEME || !maySend()) return item.hide();
    const [list, named] = await Promise.all([agents.list(), findNamed(editor, findRequest)]);
    // The list may be slow; a newer update has replaced this one meanwhile.
    if (own !== updates) return;
    const name = named ?? findUsual(list.agents, language, picked)?.name;
    const tooltip =
      named !== undefined
        ? `The line # @agent above this request names ${named}`
        : name
          ? `Requests are sent to ${name}, unless # @agent above them names another agent`
          : 'Pick the agent of requests';
    const label = name ? `Requests go to ${name}` : 'Pick the agent of requests';
    drawStatus(item, { text: name ?? 'Pick agent', icon: 'radio-tower', tooltip, label });
  };
  const run = (): void => void update();
  const moved = store.add(new Throttle(run));
  store.add(workspace.onDidGrantWorkspaceTrust(run));
  store.add(window.onDidChangeTextEditorSelection(() => moved.request()));
  for (const event of [window.onDidChangeActiveTextEditor, agents.onDidChange, picked.onDidChange])
    store.add(event(run));
  run();
}

/** The agent that the request at the cursor names with a directive. */
async function findNamed(
  { document, selection }: TextEditor,
  findRequest: FindRequest,
): Promise<string | undefined> {
  try {
    return (await findRequest(document.uri, selection.active))?.directives.agent;
  } catch {
    // If the language server is not running, that is reported when something is sent.
    return undefined;
  }
}
