import {
  EventEmitter,
  window,
  type Disposable,
  type Event,
  type TreeDataProvider,
  type TreeItem,
} from 'vscode';
import { buildAgentRow } from './agent-items.ts';
import { listRows, type AgentRow } from './agent-rows.ts';
import type { AgentList, AgentOffer } from './agent-service.ts';
import { DisposableStore } from './dispose.ts';
import type { RecordingService } from './recording/recording-service.ts';
import { Throttle } from './throttle.ts';
import { AgentSessions } from './trace/agent-sessions.ts';
import { LastCalls } from './trace/last-calls.ts';
import type { TraceStore } from './trace/trace-store.ts';

/** Where the view's list comes from. */
export interface AgentSource {
  readonly onDidChange: Event<void>;
  readonly onDidChangeOffer: Event<string>;
  list(): Promise<AgentList>;
  offer(agent: string): AgentOffer;
}

/** Which agents are recorded. */
type RecordingSource = Pick<RecordingService, 'onDidChange' | 'list'>;

/** The Agents view: who is configured, how we stand with them, and what those that were asked offer. */
export class AgentsView implements TreeDataProvider<AgentRow>, Disposable {
  readonly #source: AgentSource;
  readonly #recordings: RecordingSource | undefined;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #lastCalls: LastCalls;
  readonly #sessions: AgentSessions;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: AgentSource, traces: TraceStore, recordings?: RecordingSource) {
    this.#source = source;
    this.#recordings = recordings;
    this.#store.add(
      window.createTreeView('parley.agents', { treeDataProvider: this, showCollapseAll: true }),
    );
    const redraw = this.#store.add(new Throttle(() => this.#changed.fire()));
    this.#lastCalls = this.#store.add(new LastCalls(traces));
    this.#sessions = this.#store.add(new AgentSessions(traces));
    for (const event of [
      source.onDidChange,
      source.onDidChangeOffer,
      this.#lastCalls.onDidChange,
      this.#sessions.onDidChange,
      ...(recordings ? [recordings.onDidChange] : []),
    ])
      this.#store.add(event(() => redraw.request()));
  }

  async getChildren(row?: AgentRow): Promise<AgentRow[]> {
    if (row) return row.kind === 'problem' ? [] : listRows(row, this.#source.offer(row.agent.name));
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
    const name = row.kind === 'problem' ? '' : row.agent.name;
    return buildAgentRow(row, {
      offer: this.#source.offer(name),
      last: this.#lastCalls.get(name),
      idle: this.#sessions.listIdle(name),
      recording: this.#recordings?.list().find(({ agent }) => agent === name),
    });
  }

  dispose(): void {
    this.#store.dispose();
  }
}
