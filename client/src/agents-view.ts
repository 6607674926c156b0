import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  window,
  type Disposable,
  type Event,
  type TreeDataProvider,
  type Uri,
} from 'vscode';
import type { CallStatus } from '../../protocol/src/trace/events.ts';
import { describeOutcome, formatDuration } from '../../protocol/src/trace/words.ts';
import type { AgentInfo, AgentList, AgentsProblem } from './agent-service.ts';
import { describeAddress } from './choose-agent.ts';
import type { CommandName } from './commands/names.ts';
import { DisposableStore } from './dispose.ts';
import { LastCalls, type LastCall } from './trace/last-calls.ts';
import { Throttle } from './throttle.ts';
import type { TraceStore } from './trace/trace-store.ts';

/** A row of the Agents view: an agent, or what is wrong in an agents file. `file` and `line` say where it stands. */
export type AgentRow =
  | { readonly kind: 'agent'; readonly agent: AgentInfo; readonly file: Uri }
  | { readonly kind: 'problem'; readonly problem: AgentsProblem; readonly file: Uri; readonly line: number };

/** Where the view's list comes from. */
export interface AgentSource {
  readonly onDidChange: Event<void>;
  list(): Promise<AgentList>;
}

const ANSWERED = new ThemeIcon('circle-filled', new ThemeColor('testing.iconPassed'));
const QUIET = new ThemeIcon('circle-outline');
const TROUBLE = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));

/** How an agent stands after its last call, as an icon. The description says the same in words. */
const STATE_ICONS = {
  open: new ThemeIcon('loading~spin'),
  ok: ANSWERED,
  error: TROUBLE,
  cancelled: QUIET,
  incomplete: TROUBLE,
} as const satisfies Record<CallStatus, ThemeIcon>;

const OPEN_AGENTS_FILE: CommandName = 'parley.openAgentsFile';

/** The Agents view: who is configured, what they speak, how their last call ended. */
export class AgentsView implements TreeDataProvider<AgentRow>, Disposable {
  readonly #source: AgentSource;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #lastCalls: LastCalls;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: AgentSource, traces: TraceStore) {
    this.#source = source;
    this.#store.add(window.createTreeView('parley.agents', { treeDataProvider: this }));
    const redraw = this.#store.add(new Throttle(() => this.#changed.fire()));
    this.#store.add(source.onDidChange(() => redraw.request()));
    this.#lastCalls = this.#store.add(new LastCalls(traces));
    this.#store.add(this.#lastCalls.onDidChange(() => redraw.request()));
  }

  async getChildren(row?: AgentRow): Promise<AgentRow[]> {
    if (row) return [];
    const { agents, problems } = await this.#source.list();
    return [
      ...problems.map((problem): AgentRow => ({
        kind: 'problem',
        problem,
        file: problem.file,
        line: problem.line,
      })),
      ...agents.map((agent): AgentRow => ({ kind: 'agent', agent, file: agent.file })),
    ];
  }

  getTreeItem(row: AgentRow): TreeItem {
    return row.kind === 'problem'
      ? buildProblemItem(row)
      : buildAgentItem(row.agent, this.#lastCalls.get(row.agent.name));
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function buildAgentItem(agent: AgentInfo, last: LastCall | undefined): TreeItem {
  const state = describeState(last);
  const item = new TreeItem(agent.name);
  item.id = `agent/${agent.name}`;
  item.description = `${agent.protocol} · ${state}`;
  item.iconPath = last ? (isOwnError(last) ? ANSWERED : STATE_ICONS[last.status]) : QUIET;
  item.tooltip = [agent.name, describeAddress(agent), state, last?.message ?? ''].filter(Boolean).join('\n');
  item.contextValue = `agent.${agent.protocol}`;
  item.accessibilityInformation = { label: `${agent.name}, ${agent.protocol}, ${state}` };
  return item;
}

function describeState(last: LastCall | undefined): string {
  if (!last) return 'not called yet';
  const hasAnswered = last.status === 'ok' || isOwnError(last);
  return hasAnswered && last.duration !== undefined
    ? `answered in ${formatDuration(last.duration)}`
    : describeOutcome({ ...last, wire: [] });
}

/** An error with a code of the agent's protocol is an answer: the agent is well, its tool failed. */
function isOwnError(last: LastCall): boolean {
  return last.status === 'error' && /^\d+$/.test(last.code ?? '');
}

function buildProblemItem(row: Extract<AgentRow, { kind: 'problem' }>): TreeItem {
  const item = new TreeItem(row.problem.message);
  item.description = `line ${row.line + 1}`;
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  item.tooltip = `${row.problem.message}\n${row.file.path}, line ${row.line + 1}`;
  item.contextValue = 'problem';
  item.command = { command: OPEN_AGENTS_FILE, title: 'Open agents file', arguments: [row] };
  item.accessibilityInformation = { label: `Problem in the agents file: ${row.problem.message}` };
  return item;
}
