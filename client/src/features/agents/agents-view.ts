import {
  EventEmitter,
  window,
  type Event,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import { buildAgentRow } from './agent-items.ts';
import { listRows, type AgentRow } from './agent-rows.ts';
import type { AgentList, AgentCapabilities, FetchHow } from '../../services/agent-service.ts';
import { setContext } from '../../window/context-key.ts';
import { Owner } from '../../base/dispose.ts';
import type { BridgeService } from '../../services/bridge-service.ts';
import type { RecordingService } from '../../services/recording-service.ts';
import { Throttle } from '../../base/throttle.ts';
import { AgentSessions } from './agent-sessions.ts';
import { LastCalls } from './last-calls.ts';
import type { TraceStore } from '../../trace/trace-store.ts';

/** Milliseconds in which a change is drawn, and for how many of these a row is looked for that is not drawn yet. */
const REDRAW = 250;
const REVEALS = 40;

/** The source of the view's content. */
export interface AgentSource {
  readonly onDidChange: Event<void>;
  readonly onDidChangeCapabilities: Event<string>;
  list(): Promise<AgentList>;
  connect(agent: string, how: FetchHow): Promise<unknown>;
  capabilities(agent: string): AgentCapabilities;
}

/** Access to the running recordings. */
type RecordingSource = Pick<RecordingService, 'onDidChange' | 'list'>;

/** Access to the running bridges. */
type BridgeSource = Pick<BridgeService, 'onDidChange' | 'list'>;

/** The Agents view: the configured agents, their connection state and their capabilities. */
export class AgentsView extends Owner implements TreeDataProvider<AgentRow> {
  readonly #source: AgentSource;
  readonly #recordings: RecordingSource | undefined;
  readonly #bridges: BridgeSource | undefined;
  readonly #tree: TreeView<AgentRow>;
  readonly #changed = this.own(new EventEmitter<void>());
  readonly #redraw = this.own(new Throttle(() => this.#changed.fire()));
  readonly #lastCalls: LastCalls;
  readonly #sessions: AgentSessions;
  /** The rows that VS Code last got. */
  #topmost: readonly AgentRow[] = [];

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: AgentSource, traces: TraceStore, recordings?: RecordingSource, bridges?: BridgeSource) {
    super();
    this.#source = source;
    this.#recordings = recordings;
    this.#bridges = bridges;
    this.#tree = this.own(
      window.createTreeView('parley.agents', { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#lastCalls = this.own(new LastCalls(traces));
    this.#sessions = this.own(new AgentSessions(traces));
    const connected = new Set<string>();
    const loaded = new Set<string>();
    this.own(
      source.onDidChangeCapabilities(name => {
        connected.delete(name);
        const { state, tools, problem } = source.capabilities(name);
        if (state === 'idle') loaded.delete(name);
        // An agent that answered a call lists its tools, too.
        else if (
          this.#mayLoad &&
          state === 'connected' &&
          !tools &&
          problem === undefined &&
          !loaded.has(name)
        ) {
          loaded.add(name);
          void source.connect(name, 'untraced');
        }
        if (state === 'connected') connected.add(name);
        else if (state === 'idle') this.#lastCalls.forget(name);
        setContext('agentsConnected', connected.size > 0);
      }),
    );
    for (const event of [
      source.onDidChange,
      source.onDidChangeCapabilities,
      this.#lastCalls.onDidChange,
      this.#sessions.onDidChange,
      ...(recordings ? [recordings.onDidChange] : []),
      ...(bridges ? [bridges.onDidChange] : []),
    ])
      this.own(event(() => this.#redraw.request()));
  }

  /** Tools are loaded for who sees them. */
  get #mayLoad(): boolean {
    return this.#tree.visible;
  }

  async getChildren(row?: AgentRow): Promise<AgentRow[]> {
    if (row) return row.kind === 'problem' ? [] : listRows(row, this.#source.capabilities(row.agent.name));
    const { agents, problems } = await this.#source.list();
    this.#topmost = [
      ...problems.map((problem): AgentRow => ({
        kind: 'problem',
        problem,
        file: problem.file,
        line: problem.line,
      })),
      ...agents.map((agent): AgentRow => ({ kind: 'agent', agent, file: agent.file })),
    ];
    return [...this.#topmost];
  }

  getTreeItem(row: AgentRow): TreeItem {
    const name = row.kind === 'problem' ? '' : row.agent.name;
    return buildAgentRow(row, {
      capabilities: this.#source.capabilities(name),
      last: this.#lastCalls.get(name),
      idle: this.#sessions.listIdle(name),
      recording: this.#recordings?.list().find(({ agent }) => agent === name),
      bridges: this.#bridges?.list().filter(({ agent }) => agent === name) ?? [],
    });
  }

  /** Agents are the topmost rows, and only they are revealed. */
  getParent(): undefined {
    return undefined;
  }

  /** Selects the row of an agent and scrolls to it, once it is drawn. */
  async reveal(name: string): Promise<void> {
    for (let attempt = 0; attempt < REVEALS && this.#tree.visible; attempt++) {
      const row = this.#find(name);
      if (row) await this.#redraw.hold(this.#tree.reveal(row, { focus: false })).catch(() => undefined);
      await new Promise(resolve => setTimeout(resolve, REDRAW));
      // VS Code often reveals nothing without an error: the selection says whether it did.
      if (this.#tree.selection.some(each => isAgent(each, name))) return;
    }
  }

  #find(name: string): AgentRow | undefined {
    return this.#topmost.find(row => isAgent(row, name));
  }
}

function isAgent(row: AgentRow, name: string): boolean {
  return row.kind === 'agent' && row.agent.name === name;
}
